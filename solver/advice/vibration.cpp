#include "solver/advice/vibration.h"

#include <cmath>
#include <limits>

#include "solver/advice/excitation.h"
#include "solver/advice/mode_search.h"
#include "solver/advice/trial_fields.h"
#include "solver/linear/sparse_cholesky.h"

namespace dashpot {
namespace {

constexpr int kMostPoints = 10000;  // a factorization of more would be felt
constexpr std::size_t kMostPieces = 16;
// Shares of the piece's size: what moves points by less is not seen; where something else may move
// them, too, it is that which one sees.
constexpr double kVisible = 2e-3, kDominant = 2e-2;

// exp(-rate t) is what linear damping makes of the vibration.
double decay_rate(const LinearPiece& piece, const SimulationModel& model,
                  const Eigen::VectorXd& mode) {
  double power = 0;
  for (const LinearPiece::Element& element : piece.elements) {
    const Damping& damping = model.tets().damping[element.tet];
    const Mat3 gradient = displacement_gradient(element, mode.data());
    const Mat3 strain = 0.5 * (gradient + gradient.transpose());
    const double dilation = strain.trace() * strain.trace() / 3;
    if (is_active(damping)) {
      if (damping.exponent != 1 || damping.ramp_mode != RampMode::kOff)
        return std::numeric_limits<double>::infinity();
      const DampingCurvature c = damping_curvature(damping, model.tets().material[element.tet],
                                                   model.tets().lame[element.tet]);
      power +=
          element.volume * (c.softest * (strain.squaredNorm() - dilation) + c.stiffest * dilation);
    }
    power += model.laplacian * 2 * element.mu * element.volume * gradient.squaredNorm();
    if (model.tets().drag[element.tet] > 0)
      for (const int p : element.points)
        power += 0.25 * model.tets().drag[element.tet] * mode.segment<3>(3L * p).squaredNorm();
  }
  return 0.5 * power / mode.dot(piece.mass.asDiagonal() * mode);
}

// How far an excitation moves points, m.
double amplitude_of(const Excitation& excitation, const ModeSearch& search,
                    const Eigen::VectorXd& response) {
  const double size = excitation.field.cwiseAbs().maxCoeff();
  if (excitation.kind == Excitation::Kind::kWeight) return response.cwiseAbs().maxCoeff();
  if (excitation.kind == Excitation::Kind::kShape) return size;
  return size / (6.283185307179586 * search.frequency_of(response));
}

// The one that moves the piece farthest, if that is farther than `least`.
const Excitation* strongest(const std::vector<Excitation>& all, const ModeSearch& search,
                            double least) {
  const Excitation* found = nullptr;
  double farthest = least;
  for (const Excitation& excitation : all) {
    const double amplitude =
        amplitude_of(excitation, search, search.trial_response(excitation.field));
    if (amplitude <= farthest) continue;
    farthest = amplitude;
    found = &excitation;
  }
  return found;
}

bool has_moving_pins(const Body& body) {
  for (const Pin& pin : body.pins)
    if (pin.motion) return true;
  return false;
}

std::optional<Vibration> piece_vibration(double enough, const LinearPiece& piece, const Body& body,
                                         const SimulationModel& model, const Vec3& gravity,
                                         bool may_be_hit) {
  const Eigen::MatrixXd rigid = free_rigid_motions(piece);
  const std::vector<Excitation> starts = excitations(piece, body, gravity, rigid);
  Eigen::MatrixXd hints(3L * piece.point_count(), static_cast<Eigen::Index>(starts.size()));
  for (std::size_t i = 0; i < starts.size(); ++i)
    hints.col(static_cast<Eigen::Index>(i)) = starts[i].field;
  ModeSearch search(piece, rigid, hints);
  if (!search.has_modes()) return std::nullopt;
  const double size = (piece.rest.rowwise().maxCoeff() - piece.rest.rowwise().minCoeff()).norm();
  Eigen::VectorXd shape;
  Vibration vibration;
  const bool may_start = may_be_hit || rigid.cols() == 6 || has_moving_pins(body);
  if (const Excitation* start =
          strongest(starts, search, size * (may_start ? kDominant : kVisible))) {
    if (search.frequency_of(search.trial_response(start->field)) <= enough) return std::nullopt;
    shape = search.response(start->field);
    vibration.frequency = search.frequency_of(shape);
  } else {
    if (!may_start || !search.refine_slowest(enough)) return std::nullopt;
    shape = search.slowest_mode();
    vibration.frequency = search.slowest_frequency();
  }
  if (vibration.frequency <= enough) return std::nullopt;
  vibration.decay_rate = decay_rate(piece, model, shape);
  return vibration;
}

}  // namespace

std::optional<Vibration> vibration_faster_than(double enough, const Body& body,
                                               const SolverSettings& settings, bool may_be_hit) {
  if (body.mesh.point_count() > kMostPoints) return std::nullopt;
  Scene scene;
  scene.settings = settings;
  scene.bodies = {body};
  const SimulationModel model(scene);
  const std::vector<LinearPiece> pieces = linear_pieces(body, model);
  if (pieces.size() > kMostPieces) return std::nullopt;
  std::optional<Vibration> slowest;
  for (const LinearPiece& piece : pieces) {
    std::optional<Vibration> vibration;
    try {
      vibration = piece_vibration(enough, piece, body, model, settings.gravity, may_be_hit);
    } catch (const NotPositiveDefinite&) {
      continue;  // of sizes that no step can simulate either; that will be said then
    }
    if (vibration && (!slowest || vibration->frequency < slowest->frequency)) slowest = vibration;
  }
  return slowest;
}

}  // namespace dashpot
