#include "solver/contact/sweeps.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

// Sites that move each other by a matrix of compliances.
struct MatrixResponse {
  Eigen::MatrixXd matrix;
  std::vector<Vec3> places;

  double compliance(int site) const { return matrix(site, site); }
  Vec3 place(int site) const { return places[site]; }
  void push(int site, const Vec3& force) {
    for (std::size_t j = 0; j < places.size(); ++j) places[j] += matrix(site, j) * force;
  }
  void moves(const std::vector<Vec3>& forces, std::vector<Vec3>& moved) const {
    for (std::size_t i = 0; i < places.size(); ++i) {
      moved[i].setZero();
      for (std::size_t j = 0; j < places.size(); ++j) moved[i] += matrix(i, j) * forces[j];
    }
  }
};

// A row of points that nearly move as one, as those of a stiff body do: Gauss-Seidel needs many
// sweeps for it.
MatrixResponse stiff_row(int sites, double softness, RandomNumbers& random) {
  MatrixResponse response;
  response.matrix = Eigen::MatrixXd::Ones(sites, sites);
  for (int i = 0; i < sites; ++i)
    for (int j = 0; j < sites; ++j)
      response.matrix(i, j) += softness * std::exp(-0.5 * std::abs(i - j));
  response.matrix *= 1e-3;
  for (int i = 0; i < sites; ++i)
    response.places.emplace_back(0.1 * i + 0.004 + softness * random.between(0, 0.01),
                                 -0.02 + softness * random.between(-0.01, 0.01),
                                 softness * random.between(-0.01, 0.01));
  return response;
}

std::vector<SweepRow> rows_on_floor(const MatrixResponse& response, double friction) {
  std::vector<SweepRow> rows(response.places.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].site = static_cast<int>(i);
    rows[i].plane.normal = Vec3(1e-4 * static_cast<double>(i % 3), 1, 2e-4).normalized();
    rows[i].plane.rest = Vec3(0.1 * static_cast<double>(i), 0, 0);
    rows[i].plane.friction = friction;
  }
  return rows;
}

// Each row has the force that is right for it with the others as they are: Coulomb's law.
void expect_coulomb(const std::vector<SweepRow>& rows, const MatrixResponse& response,
                    double rounding) {
  for (const SweepRow& row : rows) {
    const double compliance = response.compliance(row.site);
    const Vec3 free = response.place(row.site) - compliance * row.force;
    EXPECT_LT(compliance * (contact_force(row.plane, free, compliance) - row.force).norm(),
              rounding);
  }
}

TEST(ContactSweeps, EndWithTheForcesOfCoulombsLawHoweverStiffTheBody) {
  for (const double softness : {0.5, 0.02, 0.001})
    for (const double friction : {0.0, 0.2, 0.6}) {
      RandomNumbers random(11);
      MatrixResponse response = stiff_row(20, softness, random);
      std::vector<SweepRow> rows = rows_on_floor(response, friction);
      const SweepResult result = solve_contacts(rows, response, 20, 100, 1e-13);
      EXPECT_LE(result.change, 1e-13) << softness << " " << friction;
      expect_coulomb(rows, response, 1e-12);
    }
}

TEST(ContactSweeps, NeedFarFewerRoundsThanSweepsAlone) {
  RandomNumbers random(5);
  MatrixResponse response = stiff_row(30, 0.01, random), alone = response;
  std::vector<SweepRow> rows = rows_on_floor(response, 0.4), swept = rows;
  const SweepResult result = solve_contacts(rows, response, 30, 100, 1e-12);
  ASSERT_LE(result.change, 1e-12);
  int sweeps = 0;
  while (sweeps < 5000 && projected_gauss_seidel(swept, alone) > 1e-12) ++sweeps;
  EXPECT_GT(sweeps, 20 * result.rounds);
  // Where rows stick, forces could be shared otherwise; places could not.
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_LT((response.places[i] - alone.places[i]).norm(), 1e-8);
}

// A point in the corner of two walls: their forces are not determined one by one.
TEST(ContactSweeps, HoldAPointBetweenTwoPlanes) {
  MatrixResponse response;
  response.matrix = Eigen::MatrixXd::Constant(1, 1, 1e-3);
  response.places = {Vec3(-0.1, -0.2, 0.05)};
  std::vector<SweepRow> rows(2);
  rows[0].plane.normal = Vec3::UnitX();
  rows[1].plane.normal = Vec3::UnitY();
  for (SweepRow& row : rows) row.plane.friction = 0.5;
  const SweepResult result = solve_contacts(rows, response, 1, 100, 1e-14);
  EXPECT_LE(result.change, 1e-14);
  EXPECT_LT(response.places[0].head<2>().norm(), 1e-12);
}

}  // namespace
}  // namespace dashpot
