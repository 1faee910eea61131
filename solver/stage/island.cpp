#include "solver/stage/island.h"

#include <numeric>

namespace dashpot {

std::vector<Island> find_islands(const Elements& elements, int point_count) {
  VertexOrder as_given;
  as_given.free_count = point_count;
  as_given.point.resize(point_count);
  std::iota(as_given.point.begin(), as_given.point.end(), 0);
  as_given.position = as_given.point;
  const auto positions = std::make_shared<std::vector<int>>(point_count, -1);
  std::vector<int> island_of(point_count, -1);
  std::vector<Island> islands;
  for (const MeshPiece& piece : connected_pieces(elements.connectivity(), as_given)) {
    Island island{{}, std::vector<std::vector<int>>(elements.sets().size()), positions};
    for (const int four_times : piece.free) {
      island.points.push_back(four_times / 4);
      island_of[four_times / 4] = static_cast<int>(islands.size());
    }
    islands.push_back(std::move(island));
  }
  for (std::size_t s = 0; s < elements.sets().size(); ++s)
    for (int e = 0; e < elements.sets()[s]->count(); ++e)
      islands[island_of[elements.sets()[s]->points(e)[0]]].elements[s].push_back(e);
  return islands;
}

}  // namespace dashpot
