#pragma once

#include <map>
#include <string>
#include <vector>

#include "solver/mesh/embedding.h"
#include "solver/mesh/tet_mesh.h"
#include "standalone/runs/drawn_points.h"
#include "standalone/runs/run_directory.h"
#include "standalone/runs/shading.h"

namespace dashpot {

// The surface of a run's bodies, and what it can be coloured by, frame after frame. Frames are
// independent of each other once this is made, so several threads may ask at once.
class RunSurface {
 public:
  // Reads the first frame that there is. Throws InputError if there is none, or if it is not what
  // run.json describes.
  RunSurface(const RunDirectory& run, SurfaceChoice choice);

  const DrawnPoints& drawn() const { return drawn_; }
  int point_count() const { return static_cast<int>(drawn_.source.size()); }

  // Empty if the bodies can be shaded like this, else a sentence that says why not.
  std::string trouble(const Shading& shading) const;
  // The same for contacts.
  std::string contact_trouble() const;
  // How the values were found, if there is more to say than the shading's help; else empty.
  std::string remark(const Shading& shading) const;
  // Of the values; it may differ from the shading's own.
  std::string unit(const Shading& shading) const;

  // A frame of the run. Throws InputError, naming the file, if it is damaged, has other points or
  // tets than the first one, or positions that are not finite.
  Geometry read_frame(int frame) const;

  Points positions(const Geometry& frame) const;
  // One value per drawn point, of a shading without trouble; zero where there is nothing to tell.
  std::vector<float> values(const Shading& shading, const Geometry& frame) const;

 private:
  // A drawn point's share of the values of tets.
  struct Share {
    int tet;
    float weight;
  };
  struct Riders {
    TetMesh mesh;
    Embedding embedding;
  };
  using PointTets = std::vector<std::vector<int>>;  // the tets around each point

  void check_ranges(const std::filesystem::path& path) const;
  void measure_rest(const Points& first);
  Riders find_riders(const DrawnPoints::Part& part, const Points& first,
                     const PointTets& around) const;
  void find_shares(const Points& first);
  std::vector<double> tet_values(const Shading& shading, const Geometry& frame) const;
  std::vector<double> stretches(const Geometry& frame) const;

  const RunDirectory& run_;
  int first_frame_ = 0;
  std::int64_t point_count_ = 0;  // of a frame
  std::vector<RunManifest::Body> bodies_;
  std::vector<Tet> tets_;                  // oriented
  std::vector<std::int32_t> primitives_;   // of the tets
  std::vector<Mat3> inverse_edges_;        // of the first frame; empty if that is not at rest
  std::vector<double> volumes_;            // m^3, likewise
  std::map<std::string, bool> attribute_;  // of the first frame: is it there?
  bool has_velocity_ = false, has_contacts_ = false, known_rest_ = false;
  DrawnPoints drawn_;
  std::vector<int> share_starts_;  // into shares_, one more than drawn points
  std::vector<Share> shares_;
};

}  // namespace dashpot
