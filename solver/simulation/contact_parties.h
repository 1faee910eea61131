#pragma once

#include <string>
#include <vector>

#include "solver/simulation/scene.h"

namespace dashpot {

// Who collides with whom. A party is what meets others as a body: a body of the scene, or a piece
// of one.
class ContactParties {
 public:
  // The scene must be one that check_scene accepts.
  explicit ContactParties(const Scene& scene);

  int count() const { return static_cast<int>(parties_.size()); }
  int body_of(int party) const { return parties_[party].body; }
  const BodyContact& contact_of(int party) const { return parties_[party].contact; }
  // Of each point of the scene, body after body; -1: no body feels it.
  const std::vector<int>& of_point() const { return of_point_; }
  // Whether two of them do, or one does with itself.
  bool collide(int one, int other) const;

 private:
  // Names are numbered; only those count that somebody does not collide with.
  struct Party {
    int body;
    BodyContact contact;
    std::vector<int> names, avoided;  // ascending
  };

  static bool avoids(const Party& one, const Party& other);

  bool body_contact_;
  std::vector<Party> parties_;
  std::vector<int> of_point_;
};

// Throws InputError, one sentence that begins with `where`, for a name that the body, or a piece of
// it, does not collide with and that nothing in the scene has.
void check_no_contact(const Scene& scene, const Body& body, const std::string& where);

}  // namespace dashpot
