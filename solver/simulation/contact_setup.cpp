#include "solver/simulation/contact_setup.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "solver/base/hash.h"
#include "solver/mesh/boundary.h"
#include "solver/simulation/contact_parties.h"

namespace dashpot {
namespace {

// Surfaces keep this part of their edges' mean length from each other.
constexpr double kGapOfEdge = 1e-3;

// In points of the scene.
std::vector<Triangle> surface_of(const Body& body, int first) {
  std::vector<Triangle> triangles = boundary_surface(body.mesh.tets);
  for (Triangle& triangle : triangles)
    for (int& point : triangle) point += first;
  return triangles;
}

void add_points(const Scene& scene, const SimulationModel& model, ContactModel& contact) {
  contact.is_surface.assign(model.mass.size(), 0);
  contact.rules.fixed = model.pinned;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const int first = model.point_offset[b];
    for (const Triangle& triangle : surface_of(body, first))
      for (const int point : triangle) contact.is_surface[point] = 1;
    for (const auto& edge : body.springs.edges)
      for (const int point : edge) contact.is_surface[first + point] = 1;
    for (int i = 0; i < body.mesh.point_count(); ++i) {
      contact.body_of_point.push_back(static_cast<int>(b));
      contact.friction.push_back(body.friction.empty() ? 1 : body.friction[i]);
      if (contact.is_surface[first + i] && !model.pinned[first + i])
        contact.vertices.push_back(first + i);
    }
  }
}

bool anything_collides(const ContactParties& parties) {
  for (int one = 0; one < parties.count(); ++one)
    for (int other = one; other < parties.count(); ++other)
      if (parties.collide(one, other)) return true;
  return false;
}

void add_rules(const ContactParties& parties, PairRules& rules) {
  for (int one = 0; one < parties.count(); ++one) {
    rules.self.push_back(parties.collide(one, one));
    for (int other = 0; other < parties.count(); ++other)
      rules.between.push_back(parties.collide(one, other));
  }
}

// Faces whose points all take part.
void add_surface(const Scene& scene, const SimulationModel& model, const ContactParties& parties,
                 ContactModel& contact) {
  std::vector<Triangle> triangles;
  std::vector<int> party;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (const Triangle& triangle : surface_of(scene.bodies[b], model.point_offset[b])) {
      const std::vector<int>& of_point = parties.of_point();
      const int own = of_point[triangle[0]];
      if (own < 0 || of_point[triangle[1]] != own || of_point[triangle[2]] != own) continue;
      triangles.push_back(triangle);
      party.push_back(own);
    }
  Hash hash;
  hash.add(triangles.data(), triangles.size() * sizeof(Triangle));
  contact.surface_fingerprint = hash.value();
  contact.surface = std::make_shared<const ContactSurface>(std::move(triangles), std::move(party),
                                                           model.point_count());
}

void add_tets(const Scene& scene, const SimulationModel& model, const ContactParties& parties,
              ContactModel& contact) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (const Tet& own : scene.bodies[b].mesh.tets) {
      Tet tet = own;
      for (int& point : tet) point += model.point_offset[b];
      const int party = parties.of_point()[tet[0]];
      const bool is_at_surface = std::any_of(
          tet.begin(), tet.end(), [&](int point) { return contact.is_surface[point] != 0; });
      if (party < 0 || !parties.collide(party, party) || !is_at_surface) continue;
      contact.tets.tets.push_back(tet);
      contact.tets.volume.push_back(signed_volume(scene.bodies[b].mesh.rest, own));
    }
}

double mean_surface_edge(const Scene& scene, const SimulationModel& model,
                         const ContactModel& contact) {
  if (contact.surface && !contact.surface->edges().empty())
    return contact.surface->mean_edge(model.initial_x);
  double sum = 0;
  for (const Body& body : scene.bodies) sum += mean_edge_length(body.mesh);
  return sum / static_cast<double>(scene.bodies.size());
}

}  // namespace

ContactModel make_contact_model(const Scene& scene, const SimulationModel& model) {
  ContactModel contact;
  contact.colliders = scene.colliders;
  contact.body_count = model.body_count();
  contact.untangle = scene.settings.untangle;
  const ContactParties parties(scene);
  const bool between_bodies = anything_collides(parties);
  if (contact.colliders.empty() && !between_bodies) return contact;
  add_points(scene, model, contact);
  if (between_bodies) {
    add_rules(parties, contact.rules);
    add_surface(scene, model, parties, contact);
    add_tets(scene, model, parties, contact);
    contact.rest = model.initial_x;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
      contact.rest.middleCols(model.point_offset[b], scene.bodies[b].mesh.point_count()) =
          scene.bodies[b].mesh.rest;
    for (int p = 0; p < parties.count(); ++p) {
      const BodyContact& own = scene.bodies[parties.body_of(p)].contact;
      contact.coefficients.push_back({own.friction, own.restitution});
    }
  }
  const double gap = scene.settings.contact_gap;
  contact.gap = gap > 0 ? gap : kGapOfEdge * mean_surface_edge(scene, model, contact);
  return contact;
}

}  // namespace dashpot
