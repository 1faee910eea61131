// Reading and writing a .bgeo.sc of a million tets with P, v and two primitive attributes, as a
// multiple of the time that Blosc alone needs for the same bytes, and the peak memory of each as
// a multiple of the bytes before compression.
//   geometry_bench [tets, in thousands]

#include <blosc.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "solver/base/parallel.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "standalone/geometry/scf.h"

namespace dashpot {
namespace {

constexpr int kRepetitions = 7;
constexpr std::size_t kBlock = std::size_t{1} << 20;

// A block of cubes, five tets each.
Geometry block_of_tets(int thousand) {
  const int cells = static_cast<int>(std::cbrt(thousand * 1000.0 / 5));
  const int side = cells + 1;
  Points points(3, side * side * side);
  for (int i = 0; i < points.cols(); ++i) {
    const int x = i % side, y = i / side % side, z = i / side / side;
    points.col(i) = Vec3(x, y, z) * 0.01 +
                    0.002 * Vec3(std::sin(7.1 * i), std::sin(3.3 * i), std::sin(5.7 * i));
  }
  std::vector<Tet> tets;
  const auto at = [side](int x, int y, int z) { return x + side * (y + side * z); };
  for (int z = 0; z < cells; ++z)
    for (int y = 0; y < cells; ++y)
      for (int x = 0; x < cells; ++x) {
        const int c[] = {at(x, y, z),         at(x + 1, y, z),        at(x, y + 1, z),
                         at(x + 1, y + 1, z), at(x, y, z + 1),        at(x + 1, y, z + 1),
                         at(x, y + 1, z + 1), at(x + 1, y + 1, z + 1)};
        for (const Tet& t :
             {Tet{0, 1, 2, 4}, Tet{3, 2, 1, 7}, Tet{5, 4, 7, 1}, Tet{6, 7, 4, 2}, Tet{1, 2, 4, 7}})
          tets.push_back({c[t[0]], c[t[1]], c[t[2]], c[t[3]]});
      }
  Geometry geometry = make_tet_geometry(points, tets);
  set_point_vectors(geometry, "v", (points.array() * 3).sin().matrix());
  std::vector<float> stiffness(tets.size()), damping(tets.size());
  for (std::size_t i = 0; i < tets.size(); ++i) {
    stiffness[i] = static_cast<float>(1e5 * (1 + 0.5 * std::sin(0.37 * static_cast<double>(i))));
    damping[i] = static_cast<float>(0.01 * std::cos(0.11 * static_cast<double>(i)));
  }
  set_numeric(geometry, ElementClass::kPrimitive, "stiffness", std::move(stiffness), 1);
  set_numeric(geometry, ElementClass::kPrimitive, "damping", std::move(damping), 1);
  return geometry;
}

// Milliseconds, the median.
template <class Work>
double timed(const Work& work) {
  std::vector<double> times;
  for (int i = 0; i < kRepetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
            .count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// In bytes, since reset_peak().
double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return 1024.0 * std::atof(line.c_str() + 6);
  return 0;
}

double reset_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  return peak_memory();
}

template <class Work>
double peak_of(const Work& work) {
  const double before = reset_peak();
  work();
  return peak_memory() - before;
}

std::vector<std::vector<char>> compress_alone(const std::string& payload) {
  const std::size_t blocks = (payload.size() + kBlock - 1) / kBlock;
  std::vector<std::vector<char>> packed(blocks);
  parallel_each(static_cast<std::ptrdiff_t>(blocks), 1, [&](std::ptrdiff_t number) {
    const auto i = static_cast<std::size_t>(number);
    const std::size_t size = std::min(kBlock, payload.size() - i * kBlock);
    packed[i].resize(size + BLOSC_MAX_OVERHEAD);
    const int bytes =
        blosc_compress_ctx(9, BLOSC_SHUFFLE, 4, size, &payload[i * kBlock], packed[i].data(),
                           packed[i].size(), BLOSC_LZ4_COMPNAME, 0, 1);
    packed[i].resize(static_cast<std::size_t>(bytes));
  });
  return packed;
}

void decompress_alone(const std::vector<std::vector<char>>& packed, std::size_t size) {
  std::string payload(size, '\0');
  parallel_each(static_cast<std::ptrdiff_t>(packed.size()), 1, [&](std::ptrdiff_t number) {
    const auto i = static_cast<std::size_t>(number);
    blosc_decompress_ctx(packed[i].data(), &payload[i * kBlock],
                         std::min(kBlock, size - i * kBlock), 1);
  });
}

void run(int thousand) {
  constexpr FileForm kForm{true, Compression::kScf};
  std::string file;
  std::size_t decoded = 0;
  {
    const Geometry geometry = block_of_tets(thousand);
    const std::string payload = encode_payload(geometry, true);
    decoded = payload.size();
    file = encode_geometry(geometry, kForm);
    std::printf("%lld tets, %lld points: %.1f MB decoded, %.1f MB compressed\n",
                static_cast<long long>(geometry.primitive_count),
                static_cast<long long>(geometry.point_count), decoded / 1e6, file.size() / 1e6);
    const double alone = timed([&] { compress_alone(payload); });
    const double ours = timed([&] { encode_geometry(geometry, kForm); });
    std::printf("write: Blosc alone %.1f ms, geometry %.1f ms, %.2fx\n", alone, ours, ours / alone);
    const auto packed = compress_alone(payload);
    const double unpack = timed([&] { decompress_alone(packed, payload.size()); });
    const double read = timed([&] { decode_geometry(file); });
    std::printf("read:  Blosc alone %.1f ms, geometry %.1f ms, %.2fx\n", unpack, read,
                read / unpack);
  }
  const auto size = static_cast<double>(decoded);
  // Each with its input or result counted: the file when reading, the geometry when writing.
  Geometry geometry;
  const double reading = peak_of([&] {
    std::string bytes = file;
    geometry = decode_geometry(std::move(bytes));
  });
  const double writing = peak_of([&] { encode_geometry(geometry, kForm); });
  std::printf("peak memory: reading %.2fx, writing %.2fx of the decoded size\n", reading / size,
              (writing + size) / size);
}

}  // namespace
}  // namespace dashpot

int main(int argc, char** argv) {
  dashpot::run(argc > 1 ? std::atoi(argv[1]) : 1000);
  return 0;
}
