#pragma once

#include "standalone/report/compact_data.h"
#include "standalone/report/data_writer.h"
#include "standalone/report/run_frames.h"

namespace dashpot {

// The force of the longest arrow of all runs, N.
double top_force_of(const std::vector<std::unique_ptr<RunFrames>>& runs);

// What the page needs to know of contacts as such: colours and the longest arrow.
nlohmann::ordered_json contact_key_json(double top);

// The contacts of some frames, one after the other, packed: how many there are, 1 for each that
// slips, x of all, y and z, in steps of the quantisation, and their arrows likewise, in parts of
// 1 / kArrowParts of the longest one. page/src/contact_view.ts undoes it.
constexpr int kArrowParts = 1000;
std::string pack_contacts(const ContactPoints* begin, const ContactPoints* end,
                          const Quantisation& quantisation, double top);

}  // namespace dashpot
