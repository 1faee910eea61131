#pragma once

#include <memory>

#include "GU/GU_Detail.h"
#include "OP/OP_AutoLockInputs.h"
#include "OP/OP_Node.h"
#include "OP/OP_OperatorTable.h"

extern "C" {
SYS_VISIBILITY_EXPORT extern void newSopOperator(OP_OperatorTable* table);
}

enum SOP_ErrorCodes { SOP_MESSAGE = 0 };

class SOP_NodeFlags {
 public:
  void setManagesDataIDs(bool on) { manages_data_ids_ = on; }
  bool getManagesDataIDs() const { return manages_data_ids_; }

 private:
  bool manages_data_ids_ = false;
};

class SOP_Node : public OP_Node {
 public:
  OP_ERROR lockInput(unsigned index, OP_Context& context) override;
  void unlockInput(unsigned index) override;
  virtual void resetSimulation() {}
  int64 getMemoryUsage(bool inclusive) const override;
  virtual int64 getLoadedMemoryUsage() const;
  bool unloadData() override;
  void getNodeSpecificInfoText(OP_Context& context, OP_NodeInfoParms& parms) override;
  void fillInfoTreeNodeSpecific(UT_InfoTree& tree, const OP_NodeInfoTreeParms& parms) override;
  GU_DetailHandle getCookedGeoHandle(OP_Context& context, int forced = 0);

  void addError(int code, const char* message = nullptr) {
    (void)code;
    add_message(UT_ERROR_ABORT, message);
  }
  void addWarning(SOP_ErrorCodes code, const char* message = nullptr) {
    (void)code;
    add_message(UT_ERROR_WARNING, message);
  }

  // For tests: cooks if the node is dirty, or if it depends on time and the time is another one.
  const GU_Detail* cook(fpreal time);
  int cook_count() const { return cook_count_; }
  // Locking it as an input succeeds and gives no geometry.
  bool loses_geometry = false;

 protected:
  SOP_Node(OP_Network* parent, const char* name, OP_Operator* entry);
  ~SOP_Node() override;

  virtual OP_ERROR cookMySop(OP_Context& context) = 0;
  virtual bool shouldResetGeoToEmpty() const { return true; }
  // Only while the input is locked.
  const GU_Detail* inputGeo(int index) const;

  GU_Detail* gdp;
  SOP_NodeFlags mySopFlags;

 private:
  struct LockedInput {
    bool is_locked = false;
    std::shared_ptr<const GU_Detail> detail;
  };

  static void keep_cache_limit();

  std::shared_ptr<GU_Detail> detail_;
  std::vector<LockedInput> locked_;
  bool cooked_ = false;
  fpreal cooked_time_ = 0;
  int cook_count_ = 0;
};
