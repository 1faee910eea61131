#include "standalone/scene/motion_reader.h"

#include "standalone/scene/table_reader.h"

namespace dashpot {

RigidMotion read_motion(const toml::table& table, const std::string& owner,
                        const Vec3& default_pivot) {
  const TableReader reader(
      table, owner,
      {"velocity", "angularvelocity", "pivot", "amplitude", "frequency", "start", "end"});
  RigidMotion motion;
  motion.velocity = reader.vector("velocity").value_or(motion.velocity);
  motion.angular_velocity = reader.vector("angularvelocity").value_or(motion.angular_velocity);
  motion.pivot = reader.vector("pivot").value_or(default_pivot);
  motion.amplitude = reader.vector("amplitude").value_or(motion.amplitude);
  motion.frequency = reader.number("frequency").value_or(motion.frequency);
  motion.start = reader.number("start").value_or(motion.start);
  motion.end = reader.number("end").value_or(motion.end);
  if (motion.end < motion.start) reader.fail("end", "must not be before start");
  if (reader.has("amplitude") != reader.has("frequency"))
    reader.fail(reader.has("amplitude") ? "amplitude" : "frequency",
                "needs both amplitude and frequency");
  return motion;
}

}  // namespace dashpot
