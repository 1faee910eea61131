#pragma once

#include <map>
#include <string>
#include <vector>

#include "OP/OP_Context.h"
#include "OP/OP_DataMicroNode.h"
#include "OP/OP_NodeInfoParms.h"
#include "OP/OP_Operator.h"
#include "PRM/PRM_Parm.h"
#include "SYS/SYS_Types.h"
#include "UT/UT_Error.h"
#include "UT/UT_InfoTree.h"
#include "UT/UT_Ramp.h"
#include "UT/UT_StringHolder.h"

typedef UT_ErrorSeverity OP_ERROR;

class OP_Network;

class OP_NodeFlags {
 public:
  void setTimeDep(bool on) { time_dependent_ = on; }
  bool getTimeDep() const { return time_dependent_; }

 private:
  bool time_dependent_ = false;
};

class OP_Node {
 public:
  virtual ~OP_Node() = default;
  OP_Node(const OP_Node&) = delete;
  OP_Node& operator=(const OP_Node&) = delete;

  int64 evalInt(const UT_StringRef& name, int vector_index, fpreal time) const;
  fpreal evalFloat(const UT_StringRef& name, int vector_index, fpreal time) const;

  // Of an item of a multiparm: "ramp#pos" with instance 1 is the first key's position.
  fpreal evalFloatInst(const UT_StringRef& name, const int* instance, int vector_index,
                       fpreal time) const;
  int64 evalIntInst(const UT_StringRef& name, const int* instance, int vector_index,
                    fpreal time) const;

  const PRM_Parm& getParm(const char* name) const;
  void updateRampFromMultiParm(fpreal time, const PRM_Parm& parm, UT_Ramp& ramp) const;

  int getUniqueId() const { return unique_id_; }
  OP_DataMicroNode& dataMicroNode() { return data_micro_node_; }

  OP_Node* getInput(unsigned index, bool mark_used = false) const;
  OP_NodeFlags& flags() { return flags_; }
  virtual void forceRecook(bool even_smart_cache = true) {
    (void)even_smart_cache;
    make_dirty();
  }
  UT_ErrorSeverity error() const;

  virtual OP_ERROR lockInput(unsigned index, OP_Context& context) = 0;
  virtual void unlockInput(unsigned index) = 0;
  virtual int64 getMemoryUsage(bool inclusive) const = 0;
  virtual bool unloadData() = 0;
  virtual void getNodeSpecificInfoText(OP_Context& context, OP_NodeInfoParms& parms) = 0;
  virtual void fillInfoTreeNodeSpecific(UT_InfoTree& tree, const OP_NodeInfoTreeParms& parms) = 0;

  // For tests.
  struct Message {
    UT_ErrorSeverity severity;
    std::string text;
  };
  const std::vector<Message>& messages() const { return messages_; }
  // Hard ranges hold, as in Houdini.
  void set_parm(const std::string& name, double value, int component = 0);
  // An expression of the time.
  void set_expression(const std::string& name, fpreal (*value)(fpreal time), int component = 0);
  struct RampKeyParm {
    double pos, value;  // Houdini keeps positions from 0 to 1
    int interp;
  };
  void set_ramp(const std::string& name, std::vector<RampKeyParm> keys);
  void set_input(unsigned index, OP_Node* node);
  void press(const std::string& button);
  bool is_dirty() const { return dirty_; }
  void make_dirty();  // an edit: of this node, and so of all below it

 protected:
  OP_Node(OP_Network* parent, const char* name, OP_Operator* op);
  void clear_messages() { messages_.clear(); }
  void add_message(UT_ErrorSeverity severity, const char* text) {
    messages_.push_back({severity, text ? text : ""});
  }

  OP_Operator* operator_;
  std::string name_;
  OP_NodeFlags flags_;
  bool dirty_ = true;
  std::vector<OP_Node*> inputs_;
  std::vector<OP_Node*> outputs_;

 private:
  struct Value {
    double constant = 0;
    fpreal (*expression)(fpreal) = nullptr;
  };
  const PRM_Template* find_template(const std::string& name) const;
  const Value& value(const UT_StringRef& name, int component) const;
  Value& value(const std::string& name, int component);

  std::vector<Message> messages_;
  std::map<std::string, std::vector<Value>> parms_;
  std::map<std::string, std::vector<RampKeyParm>> ramps_;
  mutable std::map<std::string, PRM_Parm> parm_objects_;
  int unique_id_;
  OP_DataMicroNode data_micro_node_;
};

// The network that nodes are in.
class OP_Network {};
