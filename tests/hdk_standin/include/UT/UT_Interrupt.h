#pragma once

class UT_Interrupt {
 public:
  // True (non-zero) to go on; opEnd() is due either way.
  int opStart(const char* operation_name, int npoll, int immediate_dialog, int* id);
  int opInterrupt(int percent = -1);
  void opEnd(int id);
};
UT_Interrupt* UTgetInterrupt();

class UT_AutoInterrupt {
 public:
  explicit UT_AutoInterrupt(const char* operation_name, UT_Interrupt* boss = UTgetInterrupt())
      : boss_(boss) {
    run_ok_ = boss_->opStart(operation_name, 0, 0, &id_) != 0;
  }
  ~UT_AutoInterrupt() { boss_->opEnd(id_); }
  bool wasInterrupted() {
    if (run_ok_ && boss_->opInterrupt()) run_ok_ = false;
    return !run_ok_;
  }
  bool wasInterrupted(int percent) {
    if (run_ok_ && boss_->opInterrupt(percent)) run_ok_ = false;
    return !run_ok_;
  }

 private:
  UT_Interrupt* boss_;
  bool run_ok_ = true;
  int id_ = 0;
};
