#include "sop_plugin/detail_writer.h"

#include <GA/GA_Handle.h>
#include <GU/GU_Detail.h>
#include <UT/UT_Vector3.h>

#include <algorithm>
#include <limits>

namespace dashpot {
namespace {

void write_vectors(const GU_Detail& detail, GA_Attribute* attribute, const Points& vectors) {
  const GA_RWHandleV3D handle(attribute);
  for (Eigen::Index i = 0; i < vectors.cols(); ++i)
    handle.set(detail.pointOffset(GA_Index(i)),
               UT_Vector3D(vectors(0, i), vectors(1, i), vectors(2, i)));
  handle.bumpDataId();
}

}  // namespace

void write_points(GU_Detail& detail, const Points& positions, const Points& velocities) {
  write_vectors(detail, detail.getP(), positions);
  GA_Attribute* velocity = detail.findAttribute(GA_ATTRIB_POINT, "v");
  if (!velocity) {
    velocity = detail.addFloatTuple(GA_ATTRIB_POINT, "v", 3);
    velocity->setTypeInfo(GA_TYPE_VECTOR);
  }
  write_vectors(detail, velocity, velocities);
}

void write_diagnostic(GU_Detail& detail, const std::string& name, const std::vector<double>& values,
                      const std::vector<int>& tet_primitives) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  const GA_RWHandleD handle(detail.addFloatTuple(GA_ATTRIB_PRIMITIVE, name.c_str(), 1));
  // The input may have had an attribute of this name.
  for (GA_Size i = 0; i < detail.getNumPrimitives(); ++i)
    handle.set(detail.primitiveOffset(GA_Index(i)), 0);
  for (std::size_t t = 0; t < values.size(); ++t)
    handle.set(detail.primitiveOffset(GA_Index(tet_primitives[t])),
               std::min(std::max(values[t], -kLargest), kLargest));
  handle.bumpDataId();
}

void write_contacts(GU_Detail& detail, const PointContacts& contacts) {
  GA_Attribute* force = detail.addFloatTuple(GA_ATTRIB_POINT, kContactForce, 3);
  force->setTypeInfo(GA_TYPE_VECTOR);
  write_vectors(detail, force, contacts.force);
  const GA_RWHandleD slip(detail.addTuple(GA_STORE_INT32, GA_ATTRIB_POINT, kContactSlip, 1));
  for (std::size_t i = 0; i < contacts.slip.size(); ++i)
    slip.set(detail.pointOffset(GA_Index(i)), contacts.slip[i]);
  slip.bumpDataId();
}

void write_contact_colours(GU_Detail& detail, const PointContacts& contacts) {
  Points colours(3, contacts.force.cols());
  for (std::size_t i = 0; i < contacts.slip.size(); ++i)
    colours.col(static_cast<Eigen::Index>(i)) =
        contact_colour(static_cast<PointContacts::Slip>(contacts.slip[i]));
  write_vectors(detail, detail.addFloatTuple(GA_ATTRIB_POINT, "Cd", 3), colours);
}

}  // namespace dashpot
