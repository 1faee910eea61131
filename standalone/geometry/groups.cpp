#include "standalone/geometry/groups.h"

#include <algorithm>

#include "solver/base/error.h"

namespace dashpot {
namespace {

[[noreturn]] void fail(const Group& group, const std::string& what) {
  throw InputError(std::string(class_name(group.owner)) + " group '" + group.name + "': " + what +
                   "; write the file again");
}

const JsonValue* selection_of(const Group& group) {
  return find_key(group.body, "selection");
}

const JsonValue* ordered_of(const Group& group) {
  if (group.owner == Group::Class::kEdge) return find_key(group.body, "points");
  const JsonValue* selection = selection_of(group);
  return selection ? find_key(*selection, "ordered") : nullptr;
}

const JsonValue* unordered_of(const Group& group, std::string_view encoding) {
  const JsonValue* selection = selection_of(group);
  const JsonValue* unordered = selection ? find_key(*selection, "unordered") : nullptr;
  return unordered ? find_key(*unordered, encoding) : nullptr;
}

// visit(number of elements, whether they are members) for each run; false if this is no list of
// runs.
template <class Visit>
bool visit_runs(const JsonValue& runs, const Visit& visit) {
  const JsonArray* array = runs.array();
  if (const auto numbers = integer_list(runs)) {  // truth values as numbers
    for (std::size_t i = 0; i + 1 < numbers->size(); i += 2)
      if (!visit((*numbers)[i], (*numbers)[i + 1] != 0)) return false;
    return numbers->size() % 2 == 0;
  }
  if (!array || array->size() % 2 != 0) return false;
  for (std::size_t i = 0; i < array->size(); i += 2) {
    const auto count = (*array)[i].integer();
    const auto member = (*array)[i + 1].number();
    if (!count || !member || !visit(*count, *member != 0)) return false;
  }
  return true;
}

const JsonValue* flags_of(const Group& group) {
  const JsonValue* bytes = unordered_of(group, "i8");
  return bytes ? bytes : unordered_of(group, "bool");
}

void check_members(Group& group, std::int64_t count, std::vector<std::string>& warnings) {
  if (const JsonValue* list = ordered_of(group)) {
    const auto numbers = integer_list(*list);
    if (!numbers) fail(group, "its members are no list of numbers");
    for (const std::int64_t number : *numbers)
      if (number < 0 || number >= count) fail(group, "a member does not exist");
    if (group.owner == Group::Class::kEdge && numbers->size() % 2 != 0)
      fail(group, "an edge has only one point");
  } else if (const JsonValue* runs = unordered_of(group, "boolRLE")) {
    std::int64_t sum = 0;
    const bool valid = visit_runs(*runs, [&](std::int64_t size, bool) {
      if (size < 0 || size > count - sum) return false;
      sum += size;
      return true;
    });
    if (!valid || sum != count) fail(group, "its runs do not add up to the number of elements");
  } else if (const JsonValue* flags = flags_of(group)) {
    if (!truth_list(*flags) || list_size(*flags) != static_cast<std::size_t>(count))
      fail(group, "it has not one flag per element");
  } else {
    warnings.push_back(std::string(class_name(group.owner)) + " group '" + group.name +
                       "' lists its members in an unknown way; it is kept but counts as empty");
  }
}

}  // namespace

const char* class_name(Group::Class owner) {
  switch (owner) {
    case Group::Class::kVertex:
      return "vertex";
    case Group::Class::kPoint:
      return "point";
    case Group::Class::kPrimitive:
      return "primitive";
    default:
      return "edge";
  }
}

Group decode_group(JsonValue pair, Group::Class owner, std::int64_t element_count,
                   std::vector<std::string>& warnings) {
  JsonArray* parts = pair.array();
  const JsonValue* name = parts && parts->size() == 2 ? find_key((*parts)[0], "name") : nullptr;
  if (!name || !name->text())
    throw InputError(std::string("a ") + class_name(owner) +
                     " group has no name or no body; write the file again");
  Group group{owner, name->text()->bytes, false, {}, {}};
  group.header = std::move((*parts)[0]);
  group.body = std::move((*parts)[1]);
  group.ordered = ordered_of(group) != nullptr;
  check_members(group, element_count, warnings);
  return group;
}

std::vector<std::int32_t> members(const Group& group) {
  std::vector<std::int32_t> result;
  if (const JsonValue* list = ordered_of(group)) {
    const auto numbers = integer_list(*list);
    result.assign(numbers->begin(), numbers->end());
  } else if (const JsonValue* runs = unordered_of(group, "boolRLE")) {
    std::int32_t at = 0;
    visit_runs(*runs, [&](std::int64_t size, bool member) {
      const auto end = static_cast<std::int32_t>(at + size);
      for (; at < end; ++at)
        if (member) result.push_back(at);
      return true;
    });
  } else if (const JsonValue* flags = flags_of(group)) {
    const std::vector<bool> is_member = *truth_list(*flags);
    for (std::size_t i = 0; i < is_member.size(); ++i)
      if (is_member[i]) result.push_back(static_cast<std::int32_t>(i));
  }
  return result;
}

Group make_group(Group::Class owner, std::string_view name, std::int64_t element_count,
                 const std::vector<std::int32_t>& members) {
  std::vector<bool> is_member(static_cast<std::size_t>(element_count));
  for (const std::int32_t member : members) {
    if (member < 0 || member >= element_count)
      throw InputError(std::string(class_name(owner)) + " group '" + std::string(name) +
                       "': member " + std::to_string(member) + " does not exist; there are " +
                       std::to_string(element_count) + " elements");
    is_member[static_cast<std::size_t>(member)] = true;
  }
  JsonArray runs;
  for (std::size_t start = 0; start < is_member.size();) {
    std::size_t end = start + 1;
    while (end < is_member.size() && is_member[end] == is_member[start]) ++end;
    runs.emplace_back(static_cast<std::int64_t>(end - start));
    runs.emplace_back(static_cast<bool>(is_member[start]));
    start = end;
  }
  const auto pair = [](const char* key, JsonValue value) {
    return JsonValue(JsonArray{JsonValue(key), std::move(value)});
  };
  return {owner, std::string(name), false, pair("name", Text{std::string(name)}),
          pair("selection", pair("unordered", pair("boolRLE", std::move(runs))))};
}

}  // namespace dashpot
