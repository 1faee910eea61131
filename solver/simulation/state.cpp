#include "solver/simulation/state.h"

#include <istream>
#include <ostream>
#include <string>

#include "solver/base/error.h"
#include "solver/base/hash.h"

namespace dashpot {
namespace {

constexpr char kMagic[8] = {'d', 'a', 's', 'h', 's', 't', '0', '5'};

// Visits every member in one fixed order: hash, save and load cannot disagree about what a state
// is.
template <class Memory, class Visitor>
void visit_contact(Memory& memory, Visitor&& visit) {
  visit.each(memory.colliders, [&](auto& name) { visit(name); });
  visit(memory.surface);
  visit.each(memory.touching, [&](auto& touching) {
    visit(touching.id.kind);
    visit(touching.id.first);
    visit(touching.id.second);
    visit(touching.stencil.count);
    for (auto& point : touching.stencil.point) visit(point);
    for (auto& weight : touching.stencil.weight) visit(weight);
    visit(touching.force);
    visit(touching.is_anchored);
    visit(touching.anchor);
    visit(touching.is_struck);
  });
  visit.each(memory.let_go, [&](auto& body) { visit(body); });
  visit.each(memory.met, [&](auto& body) { visit(body); });
}

template <class StateType, class Visitor>
void visit_members(StateType& s, Visitor&& visit) {
  visit(s.time);
  visit(s.steps);
  visit(s.x);
  visit(s.v);
  visit(s.a);
  visit(s.x_previous);
  visit(s.v_previous);
  visit(s.previous_dt);
  visit(s.dual);
  visit(s.dual_layout);
  visit_contact(s.contact, visit);
  visit(s.work);
  visit(s.dissipated);
  visit(s.initial_energy);
}

struct Hasher {
  Hash hash;
  void operator()(const double& value) { hash.add_value(value); }
  void operator()(const int& value) { hash.add_value(value); }
  void operator()(const bool& value) { hash.add_value(static_cast<int>(value)); }
  void operator()(const std::uint64_t& value) { hash.add_value(value); }
  void operator()(const std::int64_t& value) { hash.add_value(value); }
  void operator()(const Vec3& v) { hash.add(v.data(), 3 * sizeof(double)); }
  void operator()(const std::string& text) {
    hash.add_value(static_cast<std::uint64_t>(text.size()));
    hash.add(text.data(), text.size());
  }
  void operator()(const Points& p) { add(p.data(), static_cast<std::size_t>(p.size())); }
  void operator()(const std::vector<double>& p) { add(p.data(), p.size()); }
  template <class List, class Visit>
  void each(const List& list, const Visit& visit) {
    hash.add_value(static_cast<std::uint64_t>(list.size()));
    for (const auto& entry : list) visit(entry);
  }
  void add(const double* data, std::size_t count) {
    hash.add_value(static_cast<std::uint64_t>(count));
    hash.add(data, count * sizeof(double));
  }
};

struct Writer {
  std::ostream& out;
  template <class T>
  void raw(const T* data, std::size_t count) {
    out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(count * sizeof(T)));
  }
  void operator()(const double& value) { raw(&value, 1); }
  void operator()(const int& value) { raw(&value, 1); }
  void operator()(const bool& value) { (*this)(static_cast<int>(value)); }
  void operator()(const std::uint64_t& value) { raw(&value, 1); }
  void operator()(const std::int64_t& value) { raw(&value, 1); }
  void operator()(const Vec3& v) { raw(v.data(), 3); }
  void operator()(const std::string& text) { array(text.data(), text.size()); }
  void operator()(const Points& p) { array(p.data(), static_cast<std::size_t>(p.size())); }
  void operator()(const std::vector<double>& p) { array(p.data(), p.size()); }
  template <class List, class Visit>
  void each(const List& list, const Visit& visit) {
    const auto count = static_cast<std::uint64_t>(list.size());
    raw(&count, 1);
    for (const auto& entry : list) visit(entry);
  }
  template <class T>
  void array(const T* data, std::size_t size) {
    const auto count = static_cast<std::uint64_t>(size);
    raw(&count, 1);
    raw(data, size);
  }
};

struct Reader {
  std::istream& in;
  template <class T>
  void raw(T* data, std::size_t count) {
    in.read(reinterpret_cast<char*>(data), static_cast<std::streamsize>(count * sizeof(T)));
    if (!in) throw InputError("The saved state is cut short; delete it and start again.");
  }
  void operator()(double& value) { raw(&value, 1); }
  void operator()(int& value) { raw(&value, 1); }
  void operator()(bool& value) {
    int number = 0;
    raw(&number, 1);
    value = number != 0;
  }
  void operator()(std::uint64_t& value) { raw(&value, 1); }
  void operator()(std::int64_t& value) { raw(&value, 1); }
  void operator()(Vec3& v) { raw(v.data(), 3); }
  void operator()(std::string& text) {
    const std::vector<char> letters = array<char>();
    text.assign(letters.begin(), letters.end());
  }
  void operator()(Points& p) {
    const std::vector<double> values = array<double>();
    p = Eigen::Map<const Points>(values.data(), 3, static_cast<Eigen::Index>(values.size() / 3));
  }
  void operator()(std::vector<double>& p) { p = array<double>(); }
  template <class List, class Visit>
  void each(List& list, const Visit& visit) {
    std::uint64_t count = 0;
    raw(&count, 1);
    // One by one, as in array().
    for (std::uint64_t i = 0; i < count; ++i) visit(list.emplace_back());
  }
  template <class T>
  std::vector<T> array() {
    std::uint64_t count = 0;
    raw(&count, 1);
    // Grown piece by piece, so that a damaged count runs into the end of the file, not out of
    // memory.
    constexpr std::uint64_t kPiece = 1u << 20;
    std::vector<T> values;
    while (values.size() < count) {
      const std::size_t old = values.size();
      values.resize(old + std::min<std::uint64_t>(kPiece, count - old));
      raw(values.data() + old, values.size() - old);
    }
    return values;
  }
};

}  // namespace

std::uint64_t State::hash() const {
  Hasher hasher;
  visit_members(*this, hasher);
  return hasher.hash.value();
}

void State::save(std::ostream& out) const {
  Writer writer{out};
  writer.raw(kMagic, sizeof kMagic);
  visit_members(*this, writer);
  const std::uint64_t checksum = hash();
  writer.raw(&checksum, 1);
}

State State::load(std::istream& in) {
  Reader reader{in};
  char magic[sizeof kMagic];
  reader.raw(magic, sizeof magic);
  if (std::string(magic, sizeof magic) != std::string(kMagic, sizeof kMagic))
    throw InputError("The saved state is not one that this version of Dashpot wrote.");
  State state;
  visit_members(state, reader);
  std::uint64_t checksum = 0;
  reader.raw(&checksum, 1);
  if (checksum != state.hash())
    throw InputError("The saved state is damaged (checksum); delete it and start again.");
  return state;
}

}  // namespace dashpot
