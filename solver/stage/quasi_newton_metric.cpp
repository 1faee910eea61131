#include "solver/stage/quasi_newton_metric.h"

#include <Eigen/Dense>
#include <cmath>

#include "solver/base/lane_points.h"
#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kMetricGrain = 2048;
// A pair teaches nothing if the change of the gradient along the step is a smaller share of the
// two.
constexpr double kLeastAngle = 1e-8;

}  // namespace

double joined_dot(const std::vector<double>& a, const std::vector<double>& b) {
  return parallel_sum(static_cast<std::ptrdiff_t>(a.size()), kMetricGrain, 0.0,
                      [&](ChunkRange range) {
                        Lane sum{};
                        for (auto i = range.begin; i < range.end; i += kLanes)
                          sum += load_lane(&a[i]) * load_lane(&b[i]);
                        return lane_sum(sum);
                      });
}

void QuasiNewtonMetric::begin(const StageGroup& group) {
  group_ = &group;
  restart();
  for (StageProblem* problem : group.problems())
    problem->rigid_response().prepare(problem->x(), problem->turns_freely());
}

void QuasiNewtonMetric::restart() {
  steps_.clear();
  changes_.clear();
  step_change_.resize(0, 0);
  change_change_.resize(0, 0);
}

void QuasiNewtonMetric::precondition(const std::vector<double>& f,
                                     std::vector<double>& result) const {
  result = f;
  for (int k = 0; k < group_->count(); ++k) {
    StageProblem& problem = group_->problem(k);
    double* own = result.data() + group_->begin(k);
    problem.matrix().solve(own);
    problem.laplacian().correct(own);
    parallel_each(problem.matrix().order().free_count, kMetricGrain / 4,
                  [&](std::ptrdiff_t v) { own[4 * v + 3] = 0; });
    problem.rigid_response().add_turning(f.data() + group_->begin(k), own);
  }
}

void QuasiNewtonMetric::add_learnt(const std::vector<double>& f,
                                   std::vector<double>& result) const {
  if (count() == 0) return;
  Eigen::VectorXd products(2 * count());
  for (int i = 0; i < count(); ++i) {
    products[i] = joined_dot(steps_[i], f);
    products[count() + i] = joined_dot(changes_[i], f);
  }
  const Eigen::VectorXd factor = middle_ * products;
  parallel_chunks(static_cast<std::ptrdiff_t>(result.size()), kMetricGrain,
                  [&](ChunkRange range, std::ptrdiff_t) {
                    for (int k = 0; k < count(); ++k)
                      for (auto i = range.begin; i < range.end; ++i)
                        result[i] +=
                            factor[k] * steps_[k][i] + factor[count() + k] * changes_[k][i];
                  });
}

void QuasiNewtonMetric::learn(const std::vector<double>& step, const std::vector<double>& change,
                              const std::vector<double>& preconditioned) {
  const double curvature = joined_dot(step, change);
  const double size = joined_dot(step, step) * joined_dot(change, change);
  if (!(curvature > kLeastAngle * std::sqrt(size))) return;
  if (count() == kPairs) {
    steps_.erase(steps_.begin());
    changes_.erase(changes_.begin());
    step_change_ = Eigen::MatrixXd(step_change_.bottomRightCorner(kPairs - 1, kPairs - 1));
    change_change_ = Eigen::MatrixXd(change_change_.bottomRightCorner(kPairs - 1, kPairs - 1));
  }
  const int last = count();
  step_change_.conservativeResize(last + 1, last + 1);
  change_change_.conservativeResize(last + 1, last + 1);
  for (int i = 0; i < last; ++i) {
    step_change_(i, last) = joined_dot(steps_[i], change);
    step_change_(last, i) = 0;
    change_change_(i, last) = change_change_(last, i) = joined_dot(changes_[i], change);
  }
  step_change_(last, last) = curvature;
  change_change_(last, last) = joined_dot(preconditioned, change);
  steps_.push_back(step);
  changes_.push_back(preconditioned);
  set_middle();
}

void QuasiNewtonMetric::set_middle() {
  const int n = count();
  const Eigen::MatrixXd inverse =
      step_change_.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(n, n));
  Eigen::MatrixXd inner = change_change_;
  inner.diagonal() += step_change_.diagonal();
  middle_ = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  middle_.topLeftCorner(n, n) = inverse.transpose() * inner * inverse;
  middle_.topRightCorner(n, n) = -inverse.transpose();
  middle_.bottomLeftCorner(n, n) = -inverse;
}

QuasiNewtonMetric::LowRank QuasiNewtonMetric::low_rank(const std::vector<Vertex>& vertices) const {
  std::vector<int> first_column(group_->count(), -1);
  int columns = 0;
  for (const Vertex& at : vertices)
    if (first_column[at.problem] < 0 && group_->problem(at.problem).rigid_response().is_free()) {
      first_column[at.problem] = columns;
      columns += 6;
    }
  const int learnt = columns;
  columns += 2 * count();
  LowRank result;
  result.u = Eigen::MatrixXd::Zero(3 * static_cast<Eigen::Index>(vertices.size()), columns);
  result.k = Eigen::MatrixXd::Zero(columns, columns);
  for (int k = 0; k < group_->count(); ++k)
    if (first_column[k] >= 0)
      result.k.block<6, 6>(first_column[k], first_column[k]) =
          group_->problem(k).rigid_response().middle();
  if (count() > 0) result.k.bottomRightCorner(2 * count(), 2 * count()) = middle_;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const auto row = 3 * static_cast<Eigen::Index>(v);
    const auto [problem, vertex] = vertices[v];
    if (first_column[problem] >= 0)
      result.u.block<3, 6>(row, first_column[problem]) =
          group_->problem(problem).rigid_response().columns(vertex);
    const std::ptrdiff_t at = group_->begin(problem) + vertex;
    for (int i = 0; i < count(); ++i) {
      result.u.block<3, 1>(row, learnt + i) = Vec3::Map(&steps_[i][at]);
      result.u.block<3, 1>(row, learnt + count() + i) = Vec3::Map(&changes_[i][at]);
    }
  }
  return result;
}

}  // namespace dashpot
