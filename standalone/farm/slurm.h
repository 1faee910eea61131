#pragma once

#include <string>
#include <vector>

#include "standalone/farm/worker.h"

namespace dashpot {

// "1-3,7" of the indices 0, 1, 2, 6: array tasks count from 1.
std::string array_ranges(const std::vector<std::size_t>& indices);

// A batch script that runs one task of a wedge per array element.
std::string slurm_script(const WorkerOptions& options, const std::string& job_name,
                         const std::vector<std::size_t>& indices);

// Writes slurm.sh into the wedge's folder and gives it to sbatch; the job's id. `extra` are options
// of sbatch such as --partition=short. Throws InputError with sbatch's own words if it refuses.
std::string submit_to_slurm(const WorkerOptions& options, const std::string& job_name,
                            const std::vector<std::size_t>& indices,
                            const std::vector<std::string>& extra);

}  // namespace dashpot
