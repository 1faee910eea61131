// The local step of one element: signed SVD, prox and reassembly, four tets at once, against
// Eigen's JacobiSVD and a straightforward Newton prox in the same run. One thread; the counter
// `per_tet` is seconds per tet.
#include <benchmark/benchmark.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <random>
#include <vector>

#include "solver/base/flush_denormals.h"
#include "solver/base/lane_pair.h"
#include "solver/base/svd3.h"
#include "solver/base/types.h"
#include "solver/elasticity/arap.h"
#include "solver/elasticity/corotated.h"
#include "solver/elasticity/material.h"
#include "solver/elasticity/neohookean.h"
#include "solver/elasticity/stvk.h"

namespace dashpot {
namespace {

constexpr int kTets = 4096;

// Stretches 0.6 to 1.5, 2 % inverted, as in a lively frame; warm starts are 1 % off.
struct Sample {
  std::vector<Mat3> p = std::vector<Mat3>(kTets);
  std::vector<Vec3> start = std::vector<Vec3>(kTets);
  std::vector<Matrix3<Lane>> lane_p = std::vector<Matrix3<Lane>>(kTets / kLanes);
  std::vector<Stretches<Lane>> lane_start = std::vector<Stretches<Lane>>(kTets / kLanes);
  Lame<double> lame = lame_parameters(1e6, 0.4);

  template <class Model>
  double weight() const {
    return Model::curvature(lame.mu, lame.lambda);
  }
};

Eigen::Quaterniond random_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
      .normalized();
}

template <class Model>
Sample make_sample() {
  Sample sample;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const double k = sample.weight<Model>();
  for (int i = 0; i < kTets; ++i) {
    Vec3 s;
    for (int a = 0; a < 3; ++a) s[a] = 0.6 + 0.9 * uniform(random);
    if (uniform(random) < 0.02) s[2] = -0.3 * uniform(random);
    const Mat3 u = random_rotation(random).toRotationMatrix();
    const Mat3 v = random_rotation(random).toRotationMatrix();
    sample.p[i] = u * s.asDiagonal() * v.transpose();
    Matrix3<double> su, sv;
    Stretches<double> sigma;
    signed_svd(to_matrix3(sample.p[i]), su, sigma, sv);
    const Stretches<double> z = Model::prox(sigma, sample.lame, k, sigma);
    for (int a = 0; a < 3; ++a) {
      sample.start[i][a] = z[a] * (1.0 + 0.01 * (2.0 * uniform(random) - 1.0));
      sample.lane_start[i / kLanes][a][i % kLanes] = sample.start[i][a];
      for (int b = 0; b < 3; ++b) sample.lane_p[i / kLanes].m[a][b][i % kLanes] = sample.p[i](a, b);
    }
  }
  return sample;
}

void count_tets(benchmark::State& state) {
  state.counters["per_tet"] =
      benchmark::Counter(static_cast<double>(kTets) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void svd_lanes(benchmark::State& state) {
  const FlushDenormals flush;
  const Sample sample = make_sample<Arap>();
  std::vector<Matrix3<Lane>> u(sample.lane_p.size()), v(sample.lane_p.size());
  std::vector<Stretches<Lane>> sigma(sample.lane_p.size());
  for (auto _ : state) {
    for (std::size_t i = 0; i < sample.lane_p.size(); ++i)
      signed_svd(sample.lane_p[i], u[i], sigma[i], v[i]);
    benchmark::ClobberMemory();
  }
  count_tets(state);
}

void svd_eigen(benchmark::State& state) {
  const Sample sample = make_sample<Arap>();
  std::vector<Mat3> u(kTets), v(kTets);
  std::vector<Vec3> sigma(kTets);
  for (auto _ : state) {
    for (int i = 0; i < kTets; ++i) {
      const Eigen::JacobiSVD<Mat3> svd(sample.p[i], Eigen::ComputeFullU | Eigen::ComputeFullV);
      u[i] = svd.matrixU();
      v[i] = svd.matrixV();
      sigma[i] = svd.singularValues();
    }
    benchmark::ClobberMemory();
  }
  count_tets(state);
}

// Warm: from 1 % off. Cold: from p, as in the first iteration of a stage.
template <class Model, bool kWarm>
void local_lanes(benchmark::State& state) {
  const FlushDenormals flush;
  const Sample sample = make_sample<Model>();
  const Lame<Lane> lame = {broadcast<Lane>(sample.lame.mu), broadcast<Lane>(sample.lame.lambda)};
  const Lane k = broadcast<Lane>(sample.weight<Model>());
  std::vector<Matrix3<Lane>> z(sample.lane_p.size());
  for (auto _ : state) {
    for (std::size_t i = 0; i < z.size(); ++i) {
      Matrix3<Lane> u, v;
      Stretches<Lane> sigma;
      signed_svd(sample.lane_p[i], u, sigma, v);
      z[i] = compose(u, Model::prox(sigma, lame, k, kWarm ? sample.lane_start[i] : sigma), v);
    }
    benchmark::ClobberMemory();
  }
  count_tets(state);
}

// As the solver does it: eight tets at a time, from the axes of the iteration before.
template <class Model, bool kWarm>
void local_pairs(benchmark::State& state) {
  const FlushDenormals flush;
  const Sample sample = make_sample<Model>();
  const Lame<LanePair> lame = {broadcast<LanePair>(sample.lame.mu),
                               broadcast<LanePair>(sample.lame.lambda)};
  const LanePair k = broadcast<LanePair>(sample.weight<Model>());
  std::vector<Matrix3<LanePair>> p(sample.lane_p.size() / 2), z(p.size()), v0(p.size());
  std::vector<Stretches<LanePair>> start(p.size());
  const double change = kWarm ? static_cast<double>(state.range(0)) * 1e-6 : 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (int a = 0; a < 3; ++a) {
      start[i][a] = {sample.lane_start[2 * i][a], sample.lane_start[2 * i + 1][a]};
      for (int b = 0; b < 3; ++b)
        p[i].m[a][b] = {sample.lane_p[2 * i].m[a][b], sample.lane_p[2 * i + 1].m[a][b]};
    }
    Matrix3<LanePair> u;
    Stretches<LanePair> sigma;
    signed_svd(p[i], u, sigma, v0[i]);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        p[i].m[a][b] = p[i].m[a][b] + change * (((3 * a + 7 * b + i) % 11) / 5.0 - 1.0);
  }
  for (auto _ : state) {
    for (std::size_t i = 0; i < z.size(); ++i) {
      Matrix3<LanePair> u, v = v0[i];
      Stretches<LanePair> sigma;
      if (kWarm)
        signed_svd_from(p[i], u, sigma, v);
      else
        signed_svd(p[i], u, sigma, v);
      z[i] = compose(u, Model::prox(sigma, lame, k, kWarm ? start[i] : sigma), v);
    }
    benchmark::ClobberMemory();
  }
  count_tets(state);
}

// What a textbook implementation does: library SVD, dense 3x3 Newton from the warm start.
template <class Model>
Vec3 textbook_prox(const Vec3& p, const Lame<double>& lame, double k, Vec3 s) {
  for (int iteration = 0; iteration < 20; ++iteration) {
    const Stretches<double> stretches = {s[0], s[1], s[2]};
    const Stretches<double> g = Model::gradient(stretches, lame);
    const StretchHessian<double> h = Model::hessian(stretches, lame);
    const Vec3 direction(h.direction.data());
    Mat3 hessian = h.rank_one * direction * direction.transpose();
    hessian.diagonal() += Vec3(h.diagonal.data()) + Vec3::Constant(k);
    const Vec3 step = hessian.ldlt().solve(k * (p - s) - Vec3(g.data()));
    s += step;
    if (step.lpNorm<Eigen::Infinity>() < 1e-8) break;
  }
  return s;
}

template <class Model>
void local_eigen(benchmark::State& state) {
  const Sample sample = make_sample<Model>();
  const double k = sample.weight<Model>();
  std::vector<Mat3> z(kTets);
  for (auto _ : state) {
    for (int i = 0; i < kTets; ++i) {
      const Eigen::JacobiSVD<Mat3> svd(sample.p[i], Eigen::ComputeFullU | Eigen::ComputeFullV);
      Mat3 u = svd.matrixU(), v = svd.matrixV();
      Vec3 sigma = svd.singularValues();
      if (u.determinant() < 0.0) {
        u.col(2) *= -1.0;
        sigma[2] *= -1.0;
      }
      if (v.determinant() < 0.0) {
        v.col(2) *= -1.0;
        sigma[2] *= -1.0;
      }
      const Vec3 s = textbook_prox<Model>(sigma, sample.lame, k, sample.start[i]);
      z[i] = u * s.asDiagonal() * v.transpose();
    }
    benchmark::ClobberMemory();
  }
  count_tets(state);
}

BENCHMARK(svd_lanes);
BENCHMARK(svd_eigen);
BENCHMARK(local_lanes<Corotated, true>);
BENCHMARK(local_eigen<Corotated>);
BENCHMARK(local_lanes<NeoHookean, true>);
BENCHMARK(local_lanes<NeoHookean, false>);
BENCHMARK(local_pairs<NeoHookean, true>)->Arg(10000)->Arg(1000)->Arg(10);  // change of p, 1e-6
BENCHMARK(local_pairs<NeoHookean, false>);
BENCHMARK(local_eigen<NeoHookean>);
BENCHMARK(local_lanes<Stvk, true>);
BENCHMARK(local_lanes<Stvk, false>);
BENCHMARK(local_eigen<Stvk>);
BENCHMARK(local_lanes<Arap, true>);
BENCHMARK(local_eigen<Arap>);

}  // namespace
}  // namespace dashpot

BENCHMARK_MAIN();
