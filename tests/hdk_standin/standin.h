#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "SOP/SOP_Node.h"

// What tests do to the stand-in: the timeline, the interrupt key, nodes that make geometry.
namespace standin {

void set_fps(double fps);
double time_of(double frame);

// Interrupts after this many polls from now; negative: never. Polls are counted from the call.
void interrupt_after(int polls);
// The same, but the poll throws: an exception from inside the solver's iterations.
void throw_after(int polls);
bool polls_throw();
int polls();
int last_percent();
int open_operations();   // opStart without opEnd
bool was_interrupted();  // and the outermost operation has not ended yet
int interruptions();     // since the program began

// What all nodes together may keep loaded; beyond it Houdini unloads those that were not used for
// longest, after each cook. Negative: no limit.
void set_cache_limit(std::int64_t bytes);

// Looks up paths of nodes.
void set_node(const std::string& path, SOP_Node* node);

// Errors that SIM data reported, newest last.
struct SimError {
  std::string text;
  UT_ErrorSeverity severity;
};
std::vector<SimError>& sim_errors();

// A node whose geometry a function makes, anew at every cook. It can be interrupted, and then
// leaves geometry that is half made and nothing to tell it from a whole one.
class SourceNode : public SOP_Node {
 public:
  using Maker = std::function<void(GU_Detail& detail, double frame)>;
  SourceNode(Maker maker, bool time_dependent);
  // As if the artist had edited the node: it and all below it are dirty.
  void edit(Maker maker);
  // How often it was cooked at each frame.
  const std::map<double, int>& cooks() const { return cooks_; }
  void forget_cooks() { cooks_.clear(); }

 protected:
  OP_ERROR cookMySop(OP_Context& context) override;

 private:
  Maker maker_;
  bool time_dependent_;
  std::map<double, int> cooks_;
};

}  // namespace standin
