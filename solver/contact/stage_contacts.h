#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/collision/feature_pair.h"
#include "solver/contact/contact_memory.h"
#include "solver/contact/contact_model.h"
#include "solver/contact/obstacle_detector.h"

namespace dashpot {

class SurfaceDetector;

// What of a scene one group of islands has to do with.
struct ContactParty {
  std::vector<int> vertices;                   // numbers in the model
  std::vector<int> candidates;                 // of the surface detector, ascending
  std::vector<PairStencil> pushes;             // that move apart what intersects
  std::vector<ContactMemory::Touching> known;  // in order of ids
};

// What touches, or may, of one group of islands during one stage.
class StageContacts {
 public:
  // surfaces: nullptr if nothing of the group comes near another surface. All must outlive it.
  StageContacts(const ContactModel& model, const ObstacleDetector& obstacles,
                const SurfaceDetector* surfaces, const Points& before, ContactParty party);

  std::vector<Contact>& contacts() { return contacts_; }
  const std::vector<Contact>& contacts() const { return contacts_; }
  double gap() const { return model_.gap; }
  // Whether anything may touch at all.
  bool has_candidates() const { return surfaces_ != nullptr || !near_.empty(); }
  // Something pressed when the stage began.
  bool touched_before() const { return !party_.known.empty(); }
  // Something pressed when the stage began, has to be pushed, or comes near an obstacle.
  bool has_to_be_solved() const {
    return !party_.known.empty() || !party_.pushes.empty() || !near_.empty();
  }
  // On the way to x, where nothing has pressed, nothing should have. If so it has taken in what.
  bool is_free(const Points& x);

  // What touches at x, where a solver is now. drops: what is not found any more is left out. True
  // if others touch than before, or in other places.
  bool look(const Points& x, bool drops);
  // Obstacles may be curved: their planes follow x.
  void follow(const Points& x) { obstacles_.update(x, contacts_); }
  // Takes in what was missed on the way to x. True if there was anything.
  bool look_back(const Points& x);
  // The share of the way to x that nothing passes through on.
  double free_share(const Points& x) const;

 private:
  void add_obstacles(const Points& x, std::vector<Contact>& found);
  void add_pairs(const std::vector<PairStencil>& stencils, bool forced,
                 std::vector<Contact>& found) const;
  Contact make_pair(const PairStencil& stencil) const;
  void add_pushes(const Points& x, std::vector<Contact>& found) const;
  void recall(Contact& contact) const;
  bool merge(std::vector<Contact> found, bool drops);

  const ContactModel& model_;
  const ObstacleDetector& obstacles_;
  const SurfaceDetector* surfaces_;
  const Points& before_;
  ContactParty party_;
  std::vector<ContactId> near_;  // obstacles that points may touch, in order
  std::vector<Contact> contacts_;
};

}  // namespace dashpot
