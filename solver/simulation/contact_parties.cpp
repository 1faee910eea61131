#include "solver/simulation/contact_parties.h"

#include <algorithm>
#include <map>
#include <set>

#include "solver/base/error.h"
#include "solver/base/words.h"

namespace dashpot {
namespace {

// Without pieces a body is a single one.
const std::vector<Piece>& pieces_of(const Body& body) {
  static const std::vector<Piece> whole(1);
  return body.pieces.empty() ? whole : body.pieces;
}

using NameNumbers = std::map<std::string, int>;

NameNumbers number_avoided_names(const Scene& scene) {
  std::set<std::string> avoided;
  for (const Body& body : scene.bodies) {
    avoided.insert(body.no_contact.begin(), body.no_contact.end());
    for (const Piece& piece : body.pieces)
      avoided.insert(piece.no_contact.begin(), piece.no_contact.end());
  }
  NameNumbers numbers;
  for (const std::string& name : avoided) numbers.emplace(name, static_cast<int>(numbers.size()));
  return numbers;
}

// Those of the names that have a number, ascending.
std::vector<int> numbers_of(std::vector<std::string> names, const std::vector<std::string>& more,
                            const NameNumbers& numbers) {
  names.insert(names.end(), more.begin(), more.end());
  std::set<int> found;
  for (const std::string& name : names) {
    const auto number = numbers.find(name);
    if (number != numbers.end()) found.insert(number->second);
  }
  return {found.begin(), found.end()};
}

bool have_common(const std::vector<int>& one, const std::vector<int>& other) {
  return std::any_of(one.begin(), one.end(), [&](int number) {
    return std::binary_search(other.begin(), other.end(), number);
  });
}

}  // namespace

ContactParties::ContactParties(const Scene& scene) : body_contact_(scene.settings.body_contact) {
  const NameNumbers numbers = number_avoided_names(scene);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const int first = count();
    for (const Piece& piece : pieces_of(body))
      parties_.push_back({static_cast<int>(b), piece.contact.value_or(body.contact),
                          numbers_of({body.name}, piece.names, numbers),
                          numbers_of(body.no_contact, piece.no_contact, numbers)});
    for (int i = 0; i < body.mesh.point_count(); ++i) {
      const bool is_felt = body.no_contact_points.empty() || !body.no_contact_points[i];
      of_point_.push_back(!is_felt ? -1 : first + (body.piece.empty() ? 0 : body.piece[i]));
    }
  }
}

bool ContactParties::avoids(const Party& one, const Party& other) {
  return have_common(one.avoided, other.names);
}

bool ContactParties::collide(int one, int other) const {
  const Party &a = parties_[one], &b = parties_[other];
  const bool may = one == other ? a.contact.self_contact : body_contact_;
  return may && !avoids(a, b) && !avoids(b, a);
}

void check_no_contact(const Scene& scene, const Body& body, const std::string& where) {
  std::set<std::string> avoided(body.no_contact.begin(), body.no_contact.end());
  for (const Piece& piece : body.pieces)
    avoided.insert(piece.no_contact.begin(), piece.no_contact.end());
  if (avoided.empty()) return;
  std::set<std::string> known;
  for (const Body& other : scene.bodies) {
    known.insert(other.name);
    for (const Piece& piece : other.pieces) known.insert(piece.names.begin(), piece.names.end());
  }
  for (const std::string& name : avoided)
    if (known.count(name) == 0)
      throw InputError(where + ": nocontact names '" + name + "', which is no body" +
                       did_you_mean(name, {known.begin(), known.end()}));
}

}  // namespace dashpot
