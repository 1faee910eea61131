#pragma once

#include <string>

#include "solver/base/error.h"
#include "solver/host/geometry_view.h"
#include "solver/parameters/parameters.h"

namespace dashpot {

// The attribute of one parameter, read element by element. Throws InputError, naming the geometry
// and the element, for what the parameter cannot be. All arguments must outlive it.
class ParameterAttribute {
 public:
  ParameterAttribute(const GeometryView& geometry, AttributeOwner owner,
                     const AttributeView& attribute, const Parameter& declaration)
      : geometry_(geometry),
        owner_(owner),
        attribute_(attribute),
        declaration_(declaration),
        is_text_(attribute.kind() == AttributeView::Kind::kText) {
    if (is_text_ && declaration.type != ParameterType::kMenu) fail("is text; make it a number");
    if (!is_text_ &&
        (attribute.kind() != AttributeView::Kind::kNumber || attribute.tuple_size() != 1))
      fail("must be one number for each element");
    if (is_text_ && attribute.tuple_size() != 1) fail("must be one text for each element");
  }

  double value(int element) const {
    if (is_text_) return menu_index(declaration_, attribute_.text(element), place(element));
    const double number = attribute_.number(element, 0);
    // Most values are fine; the sentence that says where is made only for the others.
    const bool inside = number > declaration_.min && number < declaration_.max;
    if (!inside || declaration_.type != ParameterType::kFloat)
      check_number(declaration_, number, place(element));
    return number;
  }

  [[noreturn]] void fail(const std::string& complaint) const {
    throw InputError(geometry_.description() + ": the " + owner_word(owner_) + " attribute " +
                     declaration_.token + " " + complaint + ".");
  }

 private:
  std::string place(int element) const {
    std::string text = geometry_.description() + ", " + owner_word(owner_);
    if (owner_ != AttributeOwner::kDetail) text += " " + std::to_string(element);
    return text;
  }

  const GeometryView& geometry_;
  AttributeOwner owner_;
  const AttributeView& attribute_;
  const Parameter& declaration_;
  bool is_text_;
};

}  // namespace dashpot
