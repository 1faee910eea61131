#include <stdexcept>

#include "GAS/GAS_SubSolver.h"
#include "standin.h"

namespace {

std::map<std::string, SOP_Node*>& nodes() {
  static std::map<std::string, SOP_Node*> all;
  return all;
}

}  // namespace

namespace standin {

void set_node(const std::string& path, SOP_Node* node) {
  nodes()[path] = node;
}

std::vector<SimError>& sim_errors() {
  static std::vector<SimError> errors;
  return errors;
}

}  // namespace standin

std::vector<std::unique_ptr<SIM_DataFactory>>& SIM_DataFactory::all() {
  static std::vector<std::unique_ptr<SIM_DataFactory>> factories;
  return factories;
}

int64 SIM_Options::getOptionI(const UT_StringRef& name) const {
  return static_cast<int64>(numbers.at(name.toStdString()));
}
fpreal64 SIM_Options::getOptionF(const UT_StringRef& name) const {
  return numbers.at(name.toStdString());
}
const UT_Vector2D& SIM_Options::getOptionV2(const UT_StringRef& name) const {
  return pairs.at(name.toStdString());
}
const UT_StringHolder& SIM_Options::getOptionS(const UT_StringRef& name) const {
  return texts.at(name.toStdString());
}

SOP_Node* SIM_Data::getSOPNode(const char* path, bool) const {
  const auto found = nodes().find(path);
  return found == nodes().end() ? nullptr : found->second;
}

void SIM_Data::addError(const SIM_RootData*, int, const char* message,
                        UT_ErrorSeverity severity) const {
  standin::sim_errors().push_back({message, severity});
}

SIM_GeometryAutoWriteLock::SIM_GeometryAutoWriteLock(SIM_GeometryCopy* geometry, SIM_DataIdStrategy)
    : geometry_(geometry) {
  if (geometry_->locked) throw std::logic_error("geometry was locked twice");
  geometry_->locked = true;
}
SIM_GeometryAutoWriteLock::~SIM_GeometryAutoWriteLock() {
  geometry_->locked = false;
}

void SIM_Object::filterConstSubData(SIM_ConstDataArray& found, UT_StringArray*,
                                    const SIM_DataFilter& filter, const char* startfrom,
                                    const SIM_DataFilter&) const {
  if (std::string(startfrom) != SIM_FORCES_DATANAME) return;
  for (const auto& force : forces)
    if (filter.accepts(*force)) found.items.push_back(force.get());
}

const SIM_Position* SIM_Object::getPositionForGeometry(const char* geometry_name) const {
  const auto found = positions.find(geometry_name);
  return found == positions.end() ? nullptr : found->second.get();
}

SIM_GeometryCopy* GAS_SubSolver::getGeometryCopy(SIM_Object* object, const char* option, bool) {
  const auto found = object->geometry.find(getOptions().getOptionS(option).toStdString());
  return found == object->geometry.end() ? nullptr : found->second.get();
}
