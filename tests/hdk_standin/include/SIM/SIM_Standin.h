#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "GU/GU_Detail.h"
#include "PRM/PRM_TemplateBuilder.h"
#include "SOP/SOP_Node.h"
#include "UT/UT_Error.h"
#include "UT/UT_Matrix4.h"
#include "UT/UT_Ramp.h"
#include "UT/UT_StringHolder.h"
#include "UT/UT_Vector2.h"
#include "UT/UT_Vector3.h"

// The part of Houdini's SIM library that the plugin sees. Houdini has a header for each class; they
// all include this one here.

class SIM_Object;
class SIM_RootData;
class SIM_DopDescription;

class SIM_Time {
 public:
  SIM_Time(fpreal time = 0) : time_(time) {}
  operator fpreal() const { return time_; }

 private:
  fpreal time_;
};

// A simulation has a clock of its own, which begins at 0.
class SIM_Engine {
 public:
  SIM_Time getGlobalTime(const SIM_Time& time) const { return offset + time * scale; }

  double offset = 0, scale = 1;  // for tests
};

#define SIM_GEOMETRY_DATANAME "Geometry"
#define SIM_FORCES_DATANAME "Forces"
#define GAS_NAME_GEOMETRY "geo"

enum SIM_ErrorCodes { SIM_MESSAGE = 0 };

class SIM_Options {
 public:
  int64 getOptionI(const UT_StringRef& name) const;
  bool getOptionB(const UT_StringRef& name) const { return getOptionI(name) != 0; }
  fpreal64 getOptionF(const UT_StringRef& name) const;
  const UT_Vector2D& getOptionV2(const UT_StringRef& name) const;
  const UT_StringHolder& getOptionS(const UT_StringRef& name) const;

  std::map<std::string, double> numbers;  // for tests
  std::map<std::string, UT_Vector2D> pairs;
  std::map<std::string, UT_StringHolder> texts;
  std::map<std::string, UT_Ramp> ramps;
};

// Houdini keeps ramps as texts.
#define GET_DATA_FUNC_RAMP(DataName, FuncName)            \
  bool get##FuncName(UT_Ramp& ramp) const {               \
    const auto found = getOptions().ramps.find(DataName); \
    if (found == getOptions().ramps.end()) return false;  \
    ramp = found->second;                                 \
    return true;                                          \
  }

class SIM_OptionsUser {
 public:
  const SIM_Options& getOptions() const { return options_; }
  SIM_Options& options() { return options_; }  // for tests

 protected:
  SIM_Options& getOptions() { return options_; }

 private:
  SIM_Options options_;
};

class SIM_DataFactory {
 public:
  std::string name;
  class SIM_Data* (*construct)(const SIM_DataFactory*) = nullptr;
  const SIM_DopDescription* (*description)() = nullptr;

  static std::vector<std::unique_ptr<SIM_DataFactory>>& all();  // for tests
};

class SIM_Data {
 public:
  explicit SIM_Data(const SIM_DataFactory* factory) : factory_(factory) {}
  virtual ~SIM_Data() = default;
  SIM_Data(const SIM_Data&) = delete;
  SIM_Data& operator=(const SIM_Data&) = delete;

  virtual void* getCastToType(const UT_StringRef& type) const {
    return type == UT_StringRef("SIM_Data") ? const_cast<SIM_Data*>(this) : nullptr;
  }
  SOP_Node* getSOPNode(const char* path, bool addinterest) const;
  void addError(const SIM_RootData* root, int code, const char* message,
                UT_ErrorSeverity severity) const;

 private:
  const SIM_DataFactory* factory_;
};

#define SIM_DATA_CASTCONST(data, type) \
  (static_cast<const type*>((data) ? (data)->getCastToType(#type) : nullptr))

#define DECLARE_STANDARD_GETCASTTOTYPE()                         \
 protected:                                                      \
  void* getCastToType(const UT_StringRef& type) const override { \
    if (type == UT_StringRef(classname()))                       \
      return const_cast<void*>(static_cast<const void*>(this));  \
    return BaseClass::getCastToType(type);                       \
  }

#define DECLARE_DATAFACTORY(DataClass, SuperClass, Description, DopParms) \
 public:                                                                  \
  typedef SuperClass BaseClass;                                           \
  typedef DataClass ThisClass;                                            \
  static const char* classname() {                                        \
    return #DataClass;                                                    \
  }                                                                       \
  static void createDataFactory(SIM_Engine*) {                            \
    auto factory = std::make_unique<SIM_DataFactory>();                   \
    factory->name = #DataClass;                                           \
    factory->construct = DataClass::constructor;                          \
    factory->description = [] { return DataClass::DopParms; };            \
    SIM_DataFactory::all().push_back(std::move(factory));                 \
  }                                                                       \
                                                                          \
 private:                                                                 \
  static SIM_Data* constructor(const SIM_DataFactory* factory) {          \
    return new DataClass(factory);                                        \
  }

#define IMPLEMENT_DATAFACTORY(DataClass) DataClass::createDataFactory(nullptr)

extern "C" {
SYS_VISIBILITY_EXPORT extern void initializeSIM(void*);
}

// Must be static: Houdini keeps its address.
class SIM_DopDescription {
 public:
  SIM_DopDescription(bool create_dop, const char* dop_name, const char* dop_english,
                     const char* data_name, const char* data_type, const PRM_Template* templates)
      : create_dop(create_dop),
        dop_name(dop_name),
        dop_english(dop_english),
        data_name(data_name),
        data_type(data_type),
        templates(templates) {}
  void setDefaultUniqueDataName(bool on) { unique_data_name = on; }

  bool create_dop;
  std::string dop_name, dop_english, data_name, data_type;
  const PRM_Template* templates;
  bool unique_data_name = false, is_gas = false;
};

class SIM_Geometry : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
  void getTransform(UT_Matrix4D& result) const { result = transform; }
  UT_Matrix4D transform{1.0};  // for tests
};

// Where an object or a part of it is.
class SIM_Position : public SIM_Data {
 public:
  SIM_Position() : SIM_Data(nullptr) {}
  void getTransform(UT_Matrix4D& result) const { result = transform; }
  UT_Matrix4D transform{1.0};  // for tests
};

enum SIM_DataIdStrategy { SIM_DATA_ID_BUMP = 0, SIM_DATA_ID_PRESERVE = 1 };

class SIM_GeometryCopy : public SIM_Geometry {
 public:
  explicit SIM_GeometryCopy(std::shared_ptr<GU_Detail> detail)
      : SIM_Geometry(nullptr), detail(std::move(detail)) {}
  std::shared_ptr<GU_Detail> detail;  // for tests
  bool locked = false;
};

class SIM_GeometryAutoWriteLock {
 public:
  explicit SIM_GeometryAutoWriteLock(SIM_GeometryCopy* geometry,
                                     SIM_DataIdStrategy strategy = SIM_DATA_ID_BUMP);
  ~SIM_GeometryAutoWriteLock();
  SIM_GeometryAutoWriteLock(const SIM_GeometryAutoWriteLock&) = delete;
  SIM_GeometryAutoWriteLock& operator=(const SIM_GeometryAutoWriteLock&) = delete;
  GU_Detail& getGdp() { return *geometry_->detail; }

 private:
  SIM_GeometryCopy* geometry_;
};

class SIM_Force : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
};

class SIM_ForceGravity : public SIM_Force {
 public:
  explicit SIM_ForceGravity(const UT_Vector3D& gravity) : SIM_Force(nullptr), gravity_(gravity) {}
  UT_Vector3F getGravity() const {
    return {static_cast<float>(gravity_.x()), static_cast<float>(gravity_.y()),
            static_cast<float>(gravity_.z())};
  }
  UT_Vector3D getGravityD() const { return gravity_; }

  void* getCastToType(const UT_StringRef& type) const override {
    return type == UT_StringRef("SIM_ForceGravity") ? const_cast<SIM_ForceGravity*>(this)
                                                    : SIM_Force::getCastToType(type);
  }

 private:
  UT_Vector3D gravity_;
};

class SIM_DataFilter {
 public:
  virtual ~SIM_DataFilter() = default;
  virtual bool accepts(const SIM_Data& data) const = 0;
};
class SIM_DataFilterByType : public SIM_DataFilter {
 public:
  explicit SIM_DataFilterByType(const char* type) : type_(type) {}
  bool accepts(const SIM_Data& data) const override { return data.getCastToType(type_) != nullptr; }

 private:
  UT_StringHolder type_;
};
class SIM_DataFilterNone : public SIM_DataFilter {
 public:
  bool accepts(const SIM_Data&) const override { return false; }
};

class SIM_ConstDataArray {
 public:
  exint entries() const { return static_cast<exint>(items.size()); }
  const SIM_Data* operator()(exint i) const { return items.at(static_cast<std::size_t>(i)); }
  std::vector<const SIM_Data*> items;
};
typedef std::vector<std::string> UT_StringArray;

class SIM_RootData : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
};

class SIM_Object : public SIM_RootData {
 public:
  SIM_Object() : SIM_RootData(nullptr) {}
  void filterConstSubData(SIM_ConstDataArray& found, UT_StringArray* names,
                          const SIM_DataFilter& filter, const char* startfrom,
                          const SIM_DataFilter& recurse) const;

  // nullptr if that geometry has none.
  const SIM_Position* getPositionForGeometry(const char* geometry_name) const;

  // For tests.
  std::map<std::string, std::unique_ptr<SIM_GeometryCopy>> geometry;
  std::map<std::string, std::unique_ptr<SIM_Position>> positions;
  std::vector<std::unique_ptr<SIM_Data>> forces;
};

class SIM_Solver : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
};
