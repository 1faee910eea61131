#include <cmath>
#include <type_traits>

#include "solver/admm/tet_batch.h"
#include "solver/dissipation/stretch_hold.h"
#include "solver/elasticity/arap.h"
#include "solver/elasticity/corotated.h"
#include "solver/elasticity/neohookean.h"
#include "solver/elasticity/stvk.h"

namespace dashpot {
namespace {

// The stage length for which weights are chosen, in steps: one for all stages of a step, so that
// they share one matrix. The integrators' own are 0.25 to 1.
constexpr double kWeightStage = 0.3;

struct DampedBlock : TetBlock {
  RateCoefficients<Lane> coefficients;
  RateLaw<Lane> law;
  Matrix3<Lane> past;  // of the model's measure
  Lane inverse_h;
  Lane elastic_softest, elastic_stiffest, viscous_softest, viscous_stiffest;  // Pa, Pa s
  bool is_first;  // no prox yet in this stage
};

RateCoefficients<double> rate_coefficients(const Damping& damping, bool conserve_angular) {
  switch (damping.model) {
    case DampingModel::kStrainRate:
      return {damping.shear, damping.bulk};
    case DampingModel::kStretchRate:
      return {damping.strength, 0};
    case DampingModel::kPrincipalStrain:
      return {damping.time, 0};
    default:
      return {damping.time, conserve_angular ? 1.0 : 0.0};
  }
}

struct LaggedBlock : DampedBlock {
  LaggedForm<Lane> lagged;
};

template <class MaterialModel, class Model>
struct DampedTets {
  using Block = std::conditional_t<Model::kLagged, LaggedBlock, DampedBlock>;
  using Elastic = MaterialModel;
  static constexpr bool kDamped = true;

  static void set_lane(Block& block, int lane, const TetTerms& terms, int t) {
    const Damping& damping = terms.damping[t];
    const RateCoefficients<double> c = rate_coefficients(damping, terms.conserve_angular);
    block.coefficients.first[lane] = c.first;
    block.coefficients.second[lane] = c.second;
    const double unit = unit_dissipation(damping, terms.material[t], terms.lame[t]);
    block.law.exponent[lane] = damping.exponent;
    block.law.unit[lane] = unit;
    block.law.reference[lane] = unit * damping.reference * damping.reference;
    const DampingCurvature viscous = damping_curvature(damping, terms.material[t], terms.lame[t]);
    block.viscous_softest[lane] = viscous.softest;
    block.viscous_stiffest[lane] = viscous.stiffest;
    block.elastic_softest[lane] = 2 * terms.lame[t].mu;
    block.elastic_stiffest[lane] =
        curvature(terms.material[t], terms.lame[t].mu, terms.lame[t].lambda);
    block.is_first = true;
  }

  static void forget(Block& block) { block.is_first = true; }

  static void set_stage(Block& block, const StageArrays& stage) {
    block.inverse_h = broadcast<Lane>(1 / stage.h);
    if constexpr (std::is_same_v<Model, PrincipalStrain>)
      block.coefficients.second = broadcast<Lane>(stage.h);
    const double h = kWeightStage * stage.dt;
    const Lane softest = block.elastic_softest + block.viscous_softest / h;
    const Lane stiffest = block.elastic_stiffest + block.viscous_stiffest / h;
    block.rest_stiffness = lane_sqrt(softest * stiffest);
    block.rest_squared_weight = block.volume * block.rest_stiffness;

    const Frame<Lane> now = make_frame(deformation_gradient(block, stage.x));
    if constexpr (Model::kLagged)
      block.lagged = {now.u, now.v,
                      Model::stiffness(elastic_form<MaterialModel>(now.s, block.lame))};
    block.past = scaled(stage.step, Model::measure(now));
    if (stage.rate != 0) {
      const Matrix3<Lane> rate =
          Model::rate_of(now, into_frame(now.u, deformation_gradient(block, stage.v), now.v));
      add(stage.rate, Model::in_material(now, rate), block.past);
    }
    if (stage.stage != 0)
      add(stage.stage, Model::measure(make_frame(deformation_gradient(block, stage.x_stage))),
          block.past);
    if (stage.previous != 0)
      add(stage.previous, Model::measure(make_frame(deformation_gradient(block, stage.x_previous))),
          block.past);
  }

  static Matrix3<Lane> prox(Block& block, const Matrix3<Lane>& p, const double* z) {
    const LaneMask real = block.weight > 0.0;
    DampedElement<Lane> e{block.lame, block.coefficients, block.law,
                          block.past, block.inverse_h,    block.stiffness};
    if constexpr (Model::kLagged) e.lagged = &block.lagged;
    Matrix3<Lane> start;
    if (block.is_first)
      start = first_guess<MaterialModel, Model>(e, p, block.viscous_stiffest);
    else
      start = load_scaled(z, block.inverse_weight);
    block.is_first = false;
    LaneMask active = real;
    if constexpr (std::is_same_v<Model, StretchRate>) {
      if (any(e.law.exponent < 1.0)) {
        Matrix3<Lane> held;
        const LaneMask stays = real & hold_stretch<MaterialModel>(e, p, held);
        start = damped_prox_detail::select3(stays, held, start);
        active = active & mask_not(stays);
      }
    }
    return damped_prox<MaterialModel, Model>(e, p, start, active);
  }

  static Matrix3<Lane> force(const Block& block, const double* x, const double* velocity) {
    const Frame<Lane> f = make_frame(deformation_gradient(block, x));
    const ElasticForm<Lane> elastic = elastic_form<MaterialModel>(f.s, block.lame);
    Matrix3<Lane> stress{};
    for (int i = 0; i < 3; ++i) stress.m[i][i] = elastic.stress[i];
    if (velocity) {
      const RateEvaluation<Lane> rate = rate_at(block, f, elastic, velocity);
      const Lane factor = rate_factor(block.law, rate.dissipation, broadcast<Lane>(1)).value;
      add(factor, rate.stress, stress);
    }
    return out_of_frame(f.u, scaled(block.volume, stress), f.v);
  }

  // Of a quadratic R the power is 2R.
  static Lane power(const Block& block, const double* x, const double* velocity) {
    const Frame<Lane> f = make_frame(deformation_gradient(block, x));
    const RateEvaluation<Lane> rate =
        rate_at(block, f, elastic_form<MaterialModel>(f.s, block.lame), velocity);
    const Lane factor = rate_factor(block.law, rate.dissipation, broadcast<Lane>(1)).value;
    return 2 * block.volume * factor * rate.dissipation;
  }

 private:
  static RateEvaluation<Lane> rate_at(const Block& block, const Frame<Lane>& f,
                                      const ElasticForm<Lane>& elastic, const double* velocity) {
    const Matrix3<Lane> change = into_frame(f.u, deformation_gradient(block, velocity), f.v);
    return Model::evaluate(f, elastic, block.coefficients, Model::rate_of(f, change));
  }

  template <class Scale>
  static Matrix3<Lane> scaled(const Scale& scale, const Matrix3<Lane>& a) {
    Matrix3<Lane> out;
    for (int k = 0; k < kCoordinates; ++k) out.m[k / 3][k % 3] = scale * a.m[k / 3][k % 3];
    return out;
  }
  template <class Scale>
  static void add(const Scale& scale, const Matrix3<Lane>& a, Matrix3<Lane>& to) {
    for (int k = 0; k < kCoordinates; ++k) to.m[k / 3][k % 3] += scale * a.m[k / 3][k % 3];
  }
};

template <class MaterialModel, class Model>
void add_damped_batch(const TetTerms& terms, Material material, DampingModel model,
                      const std::vector<int>& sorted, const std::vector<int>& vertex_position,
                      TermBatches& batches) {
  std::vector<int> members;
  for (int t : sorted)
    if (terms.material[t] == material && terms.damping[t].model == model &&
        is_active(terms.damping[t]))
      members.push_back(t);
  if (!members.empty())
    batches.push_back(std::make_unique<TetBatch<DampedTets<MaterialModel, Model>>>(
        terms, std::move(members), vertex_position));
}

template <class MaterialModel>
void add_batches_of(const TetTerms& terms, Material material, const std::vector<int>& sorted,
                    const std::vector<int>& vertex_position, TermBatches& batches) {
  const auto add = [&](auto model, DampingModel name) {
    add_damped_batch<MaterialModel, decltype(model)>(terms, material, name, sorted, vertex_position,
                                                     batches);
  };
  add(StrainRate{}, DampingModel::kStrainRate);
  add(Rayleigh{}, DampingModel::kRayleigh);
  add(RayleighLagged{}, DampingModel::kRayleighLagged);
  add(PrincipalStrain{}, DampingModel::kPrincipalStrain);
  add(StretchRate{}, DampingModel::kStretchRate);
}

}  // namespace

void add_damped_batches(const TetTerms& terms, const std::vector<int>& sorted,
                        const std::vector<int>& vertex_position, TermBatches& batches) {
  add_batches_of<Corotated>(terms, Material::kCorotated, sorted, vertex_position, batches);
  add_batches_of<NeoHookean>(terms, Material::kNeoHookean, sorted, vertex_position, batches);
  add_batches_of<Stvk>(terms, Material::kStvk, sorted, vertex_position, batches);
  add_batches_of<Arap>(terms, Material::kArap, sorted, vertex_position, batches);
}

}  // namespace dashpot
