#include <stdexcept>

#include "CH/CH_Manager.h"
#include "UT/UT_Interrupt.h"
#include "standin.h"

namespace {

double the_fps = 24.0;
bool throws = false;
int polls_left = -1, poll_count = 0, percent_shown = -1, operations_open = 0, hits = 0;
// Stays until the outermost operation ends: operations inside of it, and those that begin, stop
// too.
bool interrupted = false;

bool poll_and_interrupt() {
  ++poll_count;
  if (interrupted || polls_left < 0) return interrupted;
  interrupted = polls_left-- == 0;
  hits += interrupted ? 1 : 0;
  if (interrupted && throws) {
    interrupted = false;
    throw std::runtime_error("thrown inside the solver");
  }
  return interrupted;
}

}  // namespace

namespace standin {

void set_fps(double fps) {
  the_fps = fps;
}
double time_of(double frame) {
  return CHgetTimeFromFrame(frame);
}
void interrupt_after(int polls) {
  throws = false;
  interrupted = false;
  polls_left = polls;
  poll_count = 0;
}
void throw_after(int polls) {
  interrupt_after(polls);
  throws = true;
}
bool polls_throw() {
  return throws && polls_left >= 0;
}
int polls() {
  return poll_count;
}
int interruptions() {
  return hits;
}
bool was_interrupted() {
  return interrupted;
}
int last_percent() {
  return percent_shown;
}
int open_operations() {
  return operations_open;
}

}  // namespace standin

fpreal CH_Manager::getSamplesPerSec() const {
  return the_fps;
}
CH_Manager* CHgetManager() {
  static CH_Manager manager;
  return &manager;
}
fpreal CHgetTimeFromFrame(fpreal frame) {
  return (frame - 1) / the_fps;
}
fpreal CHgetSampleFromTime(fpreal time) {
  return time * the_fps + 1;
}

UT_Interrupt* UTgetInterrupt() {
  static UT_Interrupt interrupt;
  return &interrupt;
}
int UT_Interrupt::opStart(const char*, int, int, int* id) {
  *id = ++operations_open;
  return interrupted ? 0 : 1;
}
int UT_Interrupt::opInterrupt(int percent) {
  if (percent >= 0) percent_shown = percent;
  return poll_and_interrupt() ? 1 : 0;
}
void UT_Interrupt::opEnd(int) {
  if (--operations_open == 0) interrupted = false;
}
