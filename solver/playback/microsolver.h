#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "solver/host/geometry_view.h"
#include "solver/host/point_contacts.h"
#include "solver/simulation/simulation.h"

namespace dashpot {

// One step of a body for hosts that keep all state themselves, as Houdini's DOP networks do: they
// rewind, cache and save geometry, and the step goes on from whatever geometry it is given.
struct Microstep {
  explicit Microstep(const GeometryView& geometry_view) : geometry(geometry_view) {}

  const GeometryView& geometry;  // P, v, rest shape, attributes; targetP and force if there are any
  SolverSettings settings;
  ElementFields fields;
  BodyContact contact;
  bool pin_all = false;
  std::shared_ptr<const Ramp> damping_ramp;  // nullptr: the declared default
  // The obstacles during the step, for its begin and end in the solver's time; empty: none.
  std::function<std::vector<Collider>(double begin, double end)> colliders;
  double dt = 0.0;  // s of the timeline
  // What the last step returned; empty at first. Points whose P or v is not what that step made of
  // them were moved by somebody else and go on from where they are.
  std::vector<std::int64_t> state;
  std::vector<const ElementDiagnostic*> diagnostics;
  bool contacts = false;  // are wanted
};

struct MicrostepResult {
  bool cancelled = false;  // everything else is then empty
  Points x, v;             // of all points of the geometry
  Points rest;             // the rest shape; the host keeps it as restP
  std::vector<std::int64_t> state;
  FrameReport report;
  std::vector<std::vector<double>> diagnostics;  // one value per tet
  std::vector<int> tet_primitives;
  PointContacts contacts;           // if they are wanted
  SetupWork setup;                  // that this step had to do
  std::vector<std::string> advice;  // about the body as it was prepared
};

// Keeps what is expensive and never changes (meshes, factorisations) for the bodies that it saw
// last, and shares it with others of the same connectivity, such as themselves after an edit. Safe
// to call from several threads, also from tasks of one parallel loop: no lock is held while it
// solves, or while it asks the host for colliders.
class Microsolver {
 public:
  // Throws InputError and SimulationError.
  MicrostepResult step(const Microstep& step, const CancelFunction& cancelled = {});

 private:
  struct Prepared;
  std::shared_ptr<Prepared> prepare(const Microstep& step, const std::vector<Collider>& colliders,
                                    std::uint64_t key, const Prepared* former);
  // Of the body used last that has the same tets and pins; nullptr if there is none.
  std::shared_ptr<const PreparedMatrices> matrix_like(const Body& body);
  // Belongs to the caller until it is given back; nullptr if there is none.
  std::shared_ptr<Prepared> take(std::uint64_t key);
  void give_back(std::shared_ptr<Prepared> prepared);

  std::mutex mutex_;
  std::list<std::shared_ptr<Prepared>> prepared_;  // most recent first
};

}  // namespace dashpot
