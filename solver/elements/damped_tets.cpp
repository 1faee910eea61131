#include <algorithm>
#include <cmath>
#include <type_traits>

#include "solver/base/lane_pair.h"
#include "solver/dissipation/stretch_hold.h"
#include "solver/elasticity/arap.h"
#include "solver/elasticity/corotated.h"
#include "solver/elasticity/neohookean.h"
#include "solver/elasticity/regular_stress.h"
#include "solver/elasticity/stvk.h"
#include "solver/elements/element_batch.h"
#include "solver/elements/tet_law.h"
#include "solver/elements/tet_set.h"

namespace dashpot {
namespace {

// The stage length for which weights are chosen, in steps: one for all stages of a step, so that
// they share one matrix. The integrators' own are 0.25 to 1.
constexpr double kWeightStage = 0.3;

struct DampedBlock : ElementBlock {
  RateCoefficients<Lane> coefficients;
  PowerLaw<Lane> law;
  Matrix3<Lane> past;  // of the model's measure
  Matrix3<Lane> axes;  // of the last gradient's SVD
  Lane inverse_h;
  Lane elastic_softest, elastic_stiffest, viscous_softest, viscous_stiffest;  // Pa, Pa s
  Lane least_multiplier;  // of the ramp, as far as weights follow it
  double weight_stage;    // s
  bool is_first;          // no prox yet in this stage
  bool has_ramp = false;
  ElementRamp ramp[kLanes];

  const ElementRamp* ramps() const { return has_ramp ? ramp : nullptr; }
};

// What the ramp multiplies the damping by at these stretches, for the choice of weights.
Lane weight_multiplier(const DampedBlock& block, const Stretches<Lane>& s) {
  return make_lane([&](int lane) {
    const ElementRamp& element = block.ramp[lane];
    if (!element.is_on()) return 1.0;
    if (element.mode == RampMode::kPerRate) return element.ramp->highest();
    double largest = 0;
    for (const Lane& stretch : s)
      largest = std::max(largest, element.ramp->lookup(stretch[lane]).value);
    return largest;
  });
}

double least_multiplier(const ElementRamp& element) {
  if (!element.is_on()) return 1;
  return element.mode == RampMode::kPerRate ? element.ramp->highest() : element.ramp->lowest();
}

// Geometric mean of the softest and the stiffest curvature in a stage of length h, Pa.
Lane mean_stiffness(const DampedBlock& block, const Lane& multiplier, double h) {
  const Lane softest = block.elastic_softest + multiplier * block.viscous_softest / h;
  const Lane stiffest = block.elastic_stiffest + multiplier * block.viscous_stiffest / h;
  return lane_sqrt(softest * stiffest);
}

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
  LaneMask is_uncorrected;  // rayleigh without secondorder
};

template <class MaterialModel, class Model>
struct DampedTets : TetLaw {
  using Block = std::conditional_t<Model::kLagged, LaggedBlock, DampedBlock>;
  using Elastic = MaterialModel;
  static constexpr bool kDamped = true;
  static constexpr bool kPaired = false;

  static void set_lane(TetShape& shape, Block& block, int lane, const TetTerms& terms, int t) {
    set_tet(shape, block, lane, terms, t);
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
    block.ramp[lane] = {damping.ramp, damping.ramp_mode, 1 / damping.reference};
    block.has_ramp = block.has_ramp || block.ramp[lane].is_on();
    block.least_multiplier[lane] = least_multiplier(block.ramp[lane]);
    if constexpr (Model::kLagged)
      block.is_uncorrected[lane] = damping.model == DampingModel::kRayleigh ? -1 : 0;
  }

  static void forget(Block& block) {
    block.is_first = true;
    block.axes = identity3<Lane>();
  }

  // Below a power of one, friction is steep without bound at rest.
  static bool is_smooth(const Block& block) { return !any(block.law.exponent < 1.0); }

  // a and b may be the same. Only the SVD, a long chain of square roots, is worth pairing.
  static bool stage_stress(const At<Block>& a, const Matrix3<Lane>& f_a, const At<Block>& b,
                           const Matrix3<Lane>& f_b, Matrix3<Lane> (&stress)[2]) {
    if constexpr (kNeedsNoAxes)
      if (direct_stress(a, f_a, stress[0]) && direct_stress(b, f_b, stress[1])) return true;
    Matrix3<LanePair> u, v = pair_of(a.block.axes, b.block.axes);
    Stretches<LanePair> s;
    signed_svd_from(pair_of(f_a, f_b), u, s, v);
    Matrix3<Lane> us[2], vs[2];
    split(u, us);
    split(v, vs);
    a.block.axes = vs[0];
    b.block.axes = vs[1];
    const PrincipalFrame<Lane> frames[2] = {{us[0], vs[0], {s[0].a, s[1].a, s[2].a}},
                                            {us[1], vs[1], {s[0].b, s[1].b, s[2].b}}};
    stress[0] =
        dashpot::stage_stress<MaterialModel, Model>(element_of(a.shape, a.block), frames[0]);
    stress[1] =
        dashpot::stage_stress<MaterialModel, Model>(element_of(b.shape, b.block), frames[1]);
    return !any(mask_not(s[2] > regular_stretch<MaterialModel>()));
  }

  static Lane weight_factor(const At<Block>& at, const Matrix3<Lane>& f) {
    const Stretches<Lane> sigma = stretches(f);
    return lane_max(elastic_weight_factor<MaterialModel>(at.shape, at.block, sigma),
                    dashpot::weight_factor(kWeightStep * stiffening(at.block, sigma)));
  }

  // How much stiffer than at rest_stiffness the ramp makes the damping.
  static Lane stiffening(const Block& block, const Stretches<Lane>& s) {
    if (!block.has_ramp) return broadcast<Lane>(1);
    return mean_stiffness(block, weight_multiplier(block, s), block.weight_stage) /
           block.rest_stiffness;
  }

  static void set_stage(const At<Block>& at, double h, const StageHistory<double>& history) {
    const TetShape& shapes = at.shape;
    Block& block = at.block;
    block.inverse_h = broadcast<Lane>(1 / h);
    if constexpr (std::is_same_v<Model, PrincipalStrain>)
      block.coefficients.second = broadcast<Lane>(h);
    block.weight_stage = kWeightStage * history.dt;
    block.rest_stiffness = mean_stiffness(block, block.least_multiplier, block.weight_stage);
    block.rest_squared_weight = shapes.volume * block.rest_stiffness;

    if constexpr (kIsDirect) return set_direct_past(at, history);
    const PrincipalFrame<Lane> now = make_frame(deformation_gradient(shapes, history.x));
    if constexpr (Model::kLagged)
      block.lagged = {now.u, now.v,
                      Model::stiffness(elastic_form<MaterialModel>(now.s, shapes.lame)),
                      select(block.is_uncorrected, broadcast<Lane>(-0.5 * h / history.end),
                             broadcast<Lane>(1))};
    block.past = scaled(history.step, Model::measure(now));
    if (history.rate != 0) {
      const Matrix3<Lane> rate =
          Model::rate_of(now, into_frame(now.u, deformation_gradient(shapes, history.v), now.v));
      add(history.rate, Model::in_material(now, rate), block.past);
    }
    if (history.stage != 0)
      add(history.stage, Model::measure(make_frame(deformation_gradient(shapes, history.x_stage))),
          block.past);
    if (history.previous != 0)
      add(history.previous,
          Model::measure(make_frame(deformation_gradient(shapes, history.x_previous))), block.past);
  }

  static void set_direct_past(const At<Block>& at, const StageHistory<double>& history) {
    const TetShape& shapes = at.shape;
    Matrix3<Lane>& past = at.block.past;
    const auto measure = [&](const double* x) {
      return measure_of(deformation_gradient(shapes, x));
    };
    past = scaled(history.step, measure(history.x));
    if (history.rate != 0)
      add(history.rate,
          rate_of_measure(deformation_gradient(shapes, history.x),
                          deformation_gradient(shapes, history.v)),
          past);
    if (history.stage != 0) add(history.stage, measure(history.x_stage), past);
    if (history.previous != 0) add(history.previous, measure(history.x_previous), past);
  }

  static Matrix3<Lane> prox(const At<Block>& at, const Matrix3<Lane>& p, const double* z) {
    Block& block = at.block;
    const LaneMask real = block.weight > 0.0;
    const DampedElement<Lane> e = element_of(at.shape, block);
    Matrix3<Lane> start;
    if (block.is_first)
      start = first_guess<MaterialModel, Model>(e, p, block.viscous_stiffest);
    else
      start = load_scaled<Matrix3<Lane>>(z, block.inverse_weight);
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

  static Matrix3<Lane> force(const TetShape& shapes, const Block& block, const double* x,
                             const double* velocity) {
    const Matrix3<Lane> F = deformation_gradient(shapes, x);
    Matrix3<Lane> stress{};
    if constexpr (std::is_same_v<MaterialModel, NeoHookean>)
      if (!velocity && !any(mask_not(regular_neohookean_stress(F, shapes.lame, stress))))
        return scaled(shapes.volume, stress);
    stress = {};
    const PrincipalFrame<Lane> f = make_frame(F);
    const ElasticForm<Lane> elastic = elastic_form<MaterialModel>(f.s, shapes.lame);
    for (int i = 0; i < 3; ++i) stress.m[i][i] = elastic.stress[i];
    if (velocity) {
      const RateEvaluation<Lane> rate = rate_at(shapes, block, f, elastic, velocity);
      const Lane factor = rate_factor(block.law, rate.dissipation, broadcast<Lane>(1)).value;
      add(factor, rate.stress, stress);
    }
    return out_of_frame(f.u, scaled(shapes.volume, stress), f.v);
  }

  // Of a quadratic R the power is 2R.
  static Lane power(const TetShape& shapes, const Block& block, const double* x,
                    const double* velocity) {
    const Matrix3<Lane> F = deformation_gradient(shapes, x);
    if constexpr (kIsDirect)
      if (!block.has_ramp) {
        const Lane quadratic = Model::dissipation(
            block.coefficients, rate_of_measure(F, deformation_gradient(shapes, velocity)));
        return 2 * shapes.volume * rate_factor(block.law, quadratic, broadcast<Lane>(1)).value *
               quadratic;
      }
    const PrincipalFrame<Lane> f = make_frame(F);
    const RateEvaluation<Lane> rate =
        rate_at(shapes, block, f, elastic_form<MaterialModel>(f.s, shapes.lame), velocity);
    const Lane factor = rate_factor(block.law, rate.dissipation, broadcast<Lane>(1)).value;
    return 2 * shapes.volume * factor * rate.dissipation;
  }

 private:
  // Models whose measure needs no axes, and elements whose stress needs none either.
  static constexpr bool kIsPolar = std::is_same_v<Model, StretchRate>;
  static constexpr bool kIsDirect = kIsPolar || std::is_same_v<Model, StrainRate>;
  static constexpr bool kNeedsNoAxes = kIsPolar
                                           ? kHasPolarStress<MaterialModel>
                                           : kIsDirect && std::is_same_v<MaterialModel, NeoHookean>;

  static Matrix3<Lane> measure_of(const Matrix3<Lane>& F) {
    if constexpr (kIsPolar) {
      PolarDecomposition<Lane> polar;
      if (any(mask_not(polar_decomposition(F, kFlatPair, polar))))
        return Model::measure(make_frame(F));
      return polar.s;
    } else {
      return Model::strain_of(F);
    }
  }

  static Matrix3<Lane> rate_of_measure(const Matrix3<Lane>& F, const Matrix3<Lane>& change) {
    if constexpr (kIsPolar) {
      PolarDecomposition<Lane> polar;
      if (!any(mask_not(polar_decomposition(F, kFlatPair, polar))))
        return stretch_tensor_rate(polar, change);
      const PrincipalFrame<Lane> f = make_frame(F);
      return Model::in_material(f, Model::rate_of(f, into_frame(f.u, change, f.v)));
    } else {
      return Model::rate_at(F, change);
    }
  }

  // False where axes are needed after all: elements that are squeezed far, ramps.
  static bool direct_stress(const At<Block>& at, const Matrix3<Lane>& F, Matrix3<Lane>& stress) {
    const Block& block = at.block;
    if (block.has_ramp) return false;
    PolarDecomposition<Lane> polar;
    Matrix3<Lane> rate;
    if constexpr (kIsPolar) {
      if (any(mask_not(regular_polar_stress<MaterialModel>(F, at.shape.lame, polar, stress))))
        return false;
      rate = polar.s;
    } else {
      if (any(mask_not(regular_neohookean_stress(F, at.shape.lame, stress)))) return false;
      rate = Model::strain_of(F);
    }
    add(broadcast<Lane>(-1), block.past, rate);
    rate = scaled(block.inverse_h, rate);
    const Lane factor =
        rate_factor(block.law, Model::dissipation(block.coefficients, rate), block.inverse_h).value;
    if constexpr (kIsPolar)
      add(factor, Model::stress_at(polar, block.coefficients, rate), stress);
    else
      add(factor, Model::stress_at(F, block.coefficients, rate), stress);
    return true;
  }

  static DampedElement<Lane> element_of(const TetShape& shapes, const Block& block) {
    DampedElement<Lane> e{shapes.lame, block.coefficients, block.law,
                          block.past,  block.inverse_h,    block.stiffness};
    e.ramps = block.ramps();
    if constexpr (Model::kLagged) e.lagged = &block.lagged;
    return e;
  }

  static RateEvaluation<Lane> rate_at(const TetShape& shapes, const Block& block,
                                      const PrincipalFrame<Lane>& f,
                                      const ElasticForm<Lane>& elastic, const double* velocity) {
    const Matrix3<Lane> change = into_frame(f.u, deformation_gradient(shapes, velocity), f.v);
    return ramped_evaluation<Model>(block.ramps(), block.law, f, Model::rate_of(f, change),
                                    1 / block.inverse_h, [&](const Matrix3<Lane>& rate) {
                                      return Model::evaluate(f, elastic, block.coefficients, rate);
                                    });
  }

  template <class Scale>
  static Matrix3<Lane> scaled(const Scale& scale, const Matrix3<Lane>& a) {
    Matrix3<Lane> out;
    for (int k = 0; k < TetOperator::kCoordinates; ++k)
      out.m[k / 3][k % 3] = scale * a.m[k / 3][k % 3];
    return out;
  }
  template <class Scale>
  static void add(const Scale& scale, const Matrix3<Lane>& a, Matrix3<Lane>& to) {
    for (int k = 0; k < TetOperator::kCoordinates; ++k)
      to.m[k / 3][k % 3] += scale * a.m[k / 3][k % 3];
  }
};

// rayleigh without secondorder needs the stiffness at the start of the step.
DampingModel batch_model(const TetTerms& terms, int t) {
  const DampingModel model = terms.damping[t].model;
  const bool is_uncorrected = model == DampingModel::kRayleigh && !terms.second_order;
  return is_uncorrected ? DampingModel::kRayleighLagged : model;
}

template <class MaterialModel, class Model>
void add_damped_batch(const TetTerms& terms, int first, Material material, DampingModel model,
                      const std::vector<int>& sorted, const std::vector<int>& vertex_position,
                      ElementSet::TermBatches& batches) {
  std::vector<int> members;
  for (int t : sorted)
    if (terms.material[t] == material && batch_model(terms, t) == model &&
        is_active(terms.damping[t]))
      members.push_back(t);
  if (!members.empty())
    batches.push_back(std::make_unique<ElementBatch<TetOperator, DampedTets<MaterialModel, Model>>>(
        terms, first, std::move(members), vertex_position));
}

template <class MaterialModel>
void add_batches_of(const TetTerms& terms, int first, Material material,
                    const std::vector<int>& sorted, const std::vector<int>& vertex_position,
                    ElementSet::TermBatches& batches) {
  const auto add = [&](auto model, DampingModel name) {
    add_damped_batch<MaterialModel, decltype(model)>(terms, first, material, name, sorted,
                                                     vertex_position, batches);
  };
  add(StrainRate{}, DampingModel::kStrainRate);
  add(Rayleigh{}, DampingModel::kRayleigh);
  add(RayleighLagged{}, DampingModel::kRayleighLagged);
  add(PrincipalStrain{}, DampingModel::kPrincipalStrain);
  add(StretchRate{}, DampingModel::kStretchRate);
}

}  // namespace

void add_damped_batches(const TetTerms& terms, int first, const std::vector<int>& sorted,
                        const std::vector<int>& vertex_position, ElementSet::TermBatches& batches) {
  add_batches_of<Corotated>(terms, first, Material::kCorotated, sorted, vertex_position, batches);
  add_batches_of<NeoHookean>(terms, first, Material::kNeoHookean, sorted, vertex_position, batches);
  add_batches_of<Stvk>(terms, first, Material::kStvk, sorted, vertex_position, batches);
  add_batches_of<Arap>(terms, first, Material::kArap, sorted, vertex_position, batches);
}

}  // namespace dashpot
