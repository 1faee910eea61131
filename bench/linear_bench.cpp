// The global step: our supernodal Cholesky against Eigen::SimplicialLDLT on the same matrices, in
// one run. Argument 1 is the number of cells along the edge of a cube of Kuhn tets (6 per cell):
// 7, 12, 20, 32 are 2k, 10k, 48k, 197k tets. Argument 2 is the number of threads.
//
//   linear_bench --benchmark_counters_tabular=true
//
// Stream reads as many bytes as a solve reads of the factor: the bound for large meshes.
#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "solver/base/parallel.h"
#include "solver/base/simd.h"
#include "solver/linear/sparse_cholesky.h"

namespace dashpot {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

// Six tets per cell, all around the cell's diagonal: one for every order of the three axes.
std::vector<std::array<Eigen::Vector3i, 4>> kuhn_tets() {
  std::vector<std::array<Eigen::Vector3i, 4>> tets;
  std::array<int, 3> axes = {0, 1, 2};
  do {
    std::array<Eigen::Vector3i, 4> tet;
    tet[0].setZero();
    for (int s = 0; s < 3; ++s) tet[s + 1] = tet[s] + Eigen::Vector3i::Unit(axes[s]);
    tets.push_back(tet);
  } while (std::next_permutation(axes.begin(), axes.end()));
  return tets;
}

// M/(alpha dt)^2 + sum w^2 D^T D of a 1 m cube: 1000 kg/m^3, w^2 = 1 MPa x volume, 40 ms TR-BDF2.
SparseMatrix global_matrix(int cells) {
  const double h = 1.0 / cells, volume = h * h * h / 6, alpha_dt = 0.2928932 * 0.04;
  const auto point = [&](const Eigen::Vector3i& p) {
    return (p[0] * (cells + 1) + p[1]) * (cells + 1) + p[2];
  };
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& tet : kuhn_tets()) {
    Eigen::Matrix3d edges;
    for (int s = 0; s < 3; ++s) edges.col(s) = h * (tet[s + 1] - tet[0]).cast<double>();
    Eigen::Matrix<double, 4, 3> gradient;
    gradient.bottomRows<3>() = edges.inverse();
    gradient.row(0) = -gradient.bottomRows<3>().colwise().sum();
    Eigen::Matrix4d element = 1e6 * volume * gradient * gradient.transpose();
    element.diagonal().array() += 1000.0 * volume / 4 / (alpha_dt * alpha_dt);
    for (int i = 0; i < cells; ++i)
      for (int j = 0; j < cells; ++j)
        for (int k = 0; k < cells; ++k) {
          const Eigen::Vector3i corner(i, j, k);
          for (int a = 0; a < 4; ++a)
            for (int b = 0; b < 4; ++b)
              entries.emplace_back(point(corner + tet[a]), point(corner + tet[b]), element(a, b));
        }
  }
  const int n = (cells + 1) * (cells + 1) * (cells + 1);
  SparseMatrix matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix.triangularView<Eigen::Lower>();
}

const SparseMatrix& matrix_of(int cells) {
  static std::map<int, SparseMatrix> cache;
  auto it = cache.find(cells);
  if (it == cache.end()) it = cache.emplace(cells, global_matrix(cells)).first;
  return it->second;
}

const SparseCholesky& factor_of(int cells, FactorPrecision precision = FactorPrecision::kDouble) {
  static std::map<std::pair<int, FactorPrecision>, std::unique_ptr<SparseCholesky>> cache;
  auto& factor = cache[{cells, precision}];
  if (!factor) {
    factor = std::make_unique<SparseCholesky>();
    factor->analyze(matrix_of(cells));
    factor->factorize(matrix_of(cells), precision);
  }
  return *factor;
}

tbb::global_control threads_of(const benchmark::State& state) {
  return {tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(state.range(1))};
}

void Analyze(benchmark::State& state) {
  const SparseMatrix& matrix = matrix_of(static_cast<int>(state.range(0)));
  for (auto _ : state) SparseCholesky().analyze(matrix);
}

void Factorize(benchmark::State& state) {
  const auto limit = threads_of(state);
  const SparseMatrix& matrix = matrix_of(static_cast<int>(state.range(0)));
  SparseCholesky cholesky;
  cholesky.analyze(matrix);
  for (auto _ : state) cholesky.factorize(matrix);
  state.counters["nonzeros"] = static_cast<double>(cholesky.nonzeros());
  state.counters["bytes"] = static_cast<double>(cholesky.bytes());
}

template <FactorPrecision kPrecision>
void Solve(benchmark::State& state) {
  const auto limit = threads_of(state);
  const SparseCholesky& cholesky = factor_of(static_cast<int>(state.range(0)), kPrecision);
  const std::vector<double> b(4 * static_cast<std::size_t>(cholesky.size()), 1.0);
  std::vector<double> x = b;
  for (auto _ : state) {
    std::copy(b.begin(), b.end(), x.begin());
    cholesky.solve(x.data());
    benchmark::DoNotOptimize(x.data());
  }
}

void Stream(benchmark::State& state) {
  const auto limit = threads_of(state);
  const std::size_t bytes = factor_of(static_cast<int>(state.range(0))).bytes();
  const auto lanes = static_cast<std::ptrdiff_t>(bytes / sizeof(Lane));
  const Eigen::VectorXd values = Eigen::VectorXd::Ones(lanes * kLanes);
  const Lane* data = reinterpret_cast<const Lane*>(values.data());
  for (auto _ : state) {
    for (int pass = 0; pass < 2; ++pass) {
      parallel_chunks(lanes, 16384, [&](ChunkRange range, std::ptrdiff_t) {
        Lane sum[4] = {};
        for (std::ptrdiff_t i = range.begin; i + 4 <= range.end; i += 4)
#pragma GCC unroll 4
          for (int k = 0; k < 4; ++k) sum[k] += data[i + k];
        benchmark::DoNotOptimize(sum[0] + sum[1] + sum[2] + sum[3]);
      });
    }
  }
}

void EigenSolve(benchmark::State& state) {
  static std::map<int, std::unique_ptr<Eigen::SimplicialLDLT<SparseMatrix>>> cache;
  const int cells = static_cast<int>(state.range(0));
  auto& ldlt = cache[cells];
  if (!ldlt) ldlt = std::make_unique<Eigen::SimplicialLDLT<SparseMatrix>>(matrix_of(cells));
  const Eigen::MatrixXd b = Eigen::MatrixXd::Ones(ldlt->rows(), 3);
  Eigen::MatrixXd x(b.rows(), 3);
  for (auto _ : state) {
    x = ldlt->solve(b);
    benchmark::DoNotOptimize(x.data());
  }
}

double minimum(const std::vector<double>& times) {
  return *std::min_element(times.begin(), times.end());
}

// A shared machine is only ever too slow: many short repetitions, of which the minimum counts.
void shortest_of(int repetitions, benchmark::internal::Benchmark* bench) {
  bench->Unit(benchmark::kMicrosecond)
      ->UseRealTime()
      ->MinTime(0.001)
      ->Repetitions(repetitions)
      ->ReportAggregatesOnly(true)
      ->ComputeStatistics("min", minimum);
}

const std::vector<std::int64_t> kCells = {7, 12, 20, 32};

void solves(benchmark::internal::Benchmark* bench) {
  shortest_of(60, bench->ArgsProduct({kCells, {1, 2}}));
}

void factorizations(benchmark::internal::Benchmark* bench) {
  shortest_of(10, bench->ArgsProduct({kCells, {1, 2}}));
}

BENCHMARK(Solve<FactorPrecision::kDouble>)->Name("Solve")->Apply(solves);
BENCHMARK(Solve<FactorPrecision::kSingle>)->Name("SolveSingle")->Apply(solves);
BENCHMARK(Stream)->Apply(solves);
BENCHMARK(EigenSolve)->ArgsProduct({kCells})->Apply([](auto* bench) { shortest_of(20, bench); });
BENCHMARK(Factorize)->Apply(factorizations);
BENCHMARK(Analyze)->ArgsProduct({kCells})->Apply([](auto* bench) { shortest_of(5, bench); });

}  // namespace
}  // namespace dashpot

BENCHMARK_MAIN();
