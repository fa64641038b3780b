#include "families.hpp"
#include "ptx/decode/decoder.hpp"
#include "ptx/run/thread.hpp"
#include "real.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

enum class Relation : std::uint32_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};

/// How a predicate is combined with the comparison. Instruction::mode contains the relation, and
/// this from bit 8 on.
enum class Join : std::uint32_t { none, and_, or_, xor_ };

constexpr std::uint32_t join_shift = 8;

template <class T>
bool holds(Relation relation, T a, T b) {
  switch (relation) {
    case Relation::eq:
    case Relation::equ:
      return a == b;
    case Relation::ne:
    case Relation::neu:
      return a != b;
    case Relation::lt:
    case Relation::lo:
    case Relation::ltu:
      return a < b;
    case Relation::le:
    case Relation::ls:
    case Relation::leu:
      return a <= b;
    case Relation::gt:
    case Relation::hi:
    case Relation::gtu:
      return a > b;
    case Relation::ge:
    case Relation::hs:
    case Relation::geu:
      return a >= b;
    case Relation::num:
      return true;
    case Relation::nan:
      return false;
  }
  return false;
}

/// Whether the relation holds if one of the two is NaN.
bool holds_for_nan(Relation relation) {
  return relation >= Relation::equ && relation != Relation::num;
}

template <class T>
bool compare(const Thread& thread, const Instruction& i) {
  const auto relation = static_cast<Relation>(i.mode & 0xff);
  if constexpr (std::is_integral_v<T>) {
    return holds(relation, thread.get<T>(i.slots[2]), thread.get<T>(i.slots[3]));
  } else {
    const auto a = flushed<T>(computed(thread.get<T>(i.slots[2])), i.flush);
    const auto b = flushed<T>(computed(thread.get<T>(i.slots[3])), i.flush);
    if (std::isnan(a) || std::isnan(b)) return holds_for_nan(relation);
    return holds(relation, a, b);
  }
}

bool joined(const Thread& thread, const Instruction& i, bool value) {
  const auto join = static_cast<Join>(i.mode >> join_shift);
  if (join == Join::none) return value;
  const bool other = thread.predicate(i.slots[4]) != i.negated;
  return join == Join::and_ ? value && other : join == Join::or_ ? value || other : value != other;
}

/// slots: p, q, a, b, c. q receives the opposite comparison, also combined with c.
template <class T>
void set_predicate(Thread& thread, const Instruction& i) {
  const bool value = compare<T>(thread, i);
  const bool p = joined(thread, i, value);
  const bool q = joined(thread, i, !value);
  thread.put<std::uint32_t>(i.slots[0], p);
  if (i.slots[1] != nowhere) thread.put<std::uint32_t>(i.slots[1], q);
}

/// set: all ones or, for a float (`saturate`), 1.
template <class T>
void set_value(Thread& thread, const Instruction& i) {
  const bool value = joined(thread, i, compare<T>(thread, i));
  const std::uint32_t truth = i.saturate ? bits_as<std::uint32_t>(1.0f) : ~0u;
  thread.put<std::uint32_t>(i.slots[0], value ? truth : 0);
}

void select(Thread& thread, const Instruction& i) {
  const bool first = thread.predicate(i.slots[3]) != i.negated;
  thread.put(i.slots[0], thread.get<std::uint64_t>(i.slots[first ? 1 : 2]));
}

/// slct: a if c >= 0, else b.
template <class T>
void select_by_sign(Thread& thread, const Instruction& i) {
  const T c = thread.get<T>(i.slots[3]);
  thread.put(i.slots[0], thread.get<std::uint64_t>(i.slots[c >= 0 ? 1 : 2]));
}

enum class Property : std::uint32_t { finite, infinite, number, notanumber, normal, subnormal };

template <class T>
bool has(T a, Property property) {
  switch (property) {
    case Property::finite:
      return std::isfinite(a);
    case Property::infinite:
      return std::isinf(a);
    case Property::number:
      return !std::isnan(a);
    case Property::notanumber:
      return std::isnan(a);
    case Property::normal:
      return std::isnormal(a);
    default:
      return std::fpclassify(a) == FP_SUBNORMAL;
  }
}

template <class T>
void test_property(Thread& thread, const Instruction& i) {
  thread.put<std::uint32_t>(i.slots[0],
                            has(thread.get<T>(i.slots[1]), static_cast<Property>(i.mode)));
}

void take_comparison(Decoder& decoder, Instruction& i) {
  i.mode = static_cast<std::uint32_t>(
      decoder.take_one_of({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu",
                           "ltu", "leu", "gtu", "geu", "num", "nan"}));
  i.flush = decoder.take("ftz");
  const Join join = decoder.take("and")   ? Join::and_
                    : decoder.take("or")  ? Join::or_
                    : decoder.take("xor") ? Join::xor_
                                          : Join::none;
  i.mode |= static_cast<std::uint32_t>(join) << join_shift;
  decoder.require_operands(join == Join::none ? 3 : 4);
  if (join != Join::none) i.slots[4] = decoder.predicate(3, i.negated);
}

bool decode_setp(Decoder& decoder, Instruction& i) {
  take_comparison(decoder, i);
  const Type type = decoder.take_type();
  decoder.set_results(i);
  i.slots[2] = decoder.source(1, type);
  i.slots[3] = decoder.source(2, type);
  const auto make = [](auto tag) -> Instruction::Execute {
    return &set_predicate<Of<decltype(tag)>>;
  };
  return decoder.set(i, for_numbers(type, make));
}

bool decode_set(Decoder& decoder, Instruction& i) {
  take_comparison(decoder, i);
  const Type to = decoder.take_type();
  const Type type = decoder.take_type();
  if (size_of(to) != 4) return false;
  i.saturate = to == Type::f32;
  i.slots[0] = decoder.destination(0);
  i.slots[2] = decoder.source(1, type);
  i.slots[3] = decoder.source(2, type);
  const auto make = [](auto tag) -> Instruction::Execute { return &set_value<Of<decltype(tag)>>; };
  return decoder.set(i, for_numbers(type, make));
}

bool decode_selp(Decoder& decoder, Instruction& i) {
  decoder.require_operands(4);
  const Type type = decoder.take_type();
  i.slots[0] = decoder.destination(0);
  i.slots[1] = decoder.source(1, type);
  i.slots[2] = decoder.source(2, type);
  i.slots[3] = decoder.predicate(3, i.negated);
  return decoder.set(i, select);
}

bool decode_slct(Decoder& decoder, Instruction& i) {
  decoder.require_operands(4);
  i.flush = decoder.take("ftz");
  const Type type = decoder.take_type();
  const Type sign_type = decoder.take_type();
  i.slots[0] = decoder.destination(0);
  i.slots[1] = decoder.source(1, type);
  i.slots[2] = decoder.source(2, type);
  i.slots[3] = decoder.source(3, sign_type);
  return decoder.set(i, sign_type == Type::f32   ? &select_by_sign<float>
                        : sign_type == Type::s32 ? &select_by_sign<std::int32_t>
                                                 : nullptr);
}

bool decode_testp(Decoder& decoder, Instruction& i) {
  decoder.require_operands(2);
  i.mode = static_cast<std::uint32_t>(
      decoder.take_one_of({"finite", "infinite", "number", "notanumber", "normal", "subnormal"}));
  const Type type = decoder.take_operands(i);
  return decoder.set(i, type == Type::f32   ? &test_property<float>
                        : type == Type::f64 ? &test_property<double>
                                            : nullptr);
}

}  // namespace

bool decode_compare(Decoder& decoder, Instruction& i) {
  if (decoder.is("setp")) return decode_setp(decoder, i);
  if (decoder.is("set")) return decode_set(decoder, i);
  if (decoder.is("selp")) return decode_selp(decoder, i);
  if (decoder.is("slct")) return decode_slct(decoder, i);
  if (decoder.is("testp")) return decode_testp(decoder, i);
  return false;
}

}  // namespace array_interface::cuda_simulator::ptx
