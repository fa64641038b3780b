#include <limits>
#include <type_traits>

#include "families.hpp"
#include "operation.hpp"
#include "ptx/decode/decoder.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

/// The integer type of twice the width.
template <class T>
using Double = std::conditional_t<
    sizeof(T) == 8, Wide,
    std::conditional_t<std::is_signed_v<T>,
                       std::conditional_t<sizeof(T) == 4, std::int64_t, std::int32_t>,
                       std::conditional_t<sizeof(T) == 4, std::uint64_t, std::uint32_t>>>;

struct Subtract {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(wide(a) - b);
  }
};
struct SaturatingAdd {
  template <class T>
  static T of(T a, T b) {
    T sum;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return b < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  }
};
struct SaturatingSubtract {
  template <class T>
  static T of(T a, T b) {
    T difference;
    if (!__builtin_sub_overflow(a, b, &difference)) return difference;
    return b > 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  }
};
/// Division by zero yields all ones, as on devices, although nothing guarantees that.
struct Divide {
  template <class T>
  static T of(T a, T b) {
    return b == 0 ? static_cast<T>(~T{0}) : static_cast<T>(wide(a) / b);
  }
};
struct Remainder {
  template <class T>
  static T of(T a, T b) {
    return b == 0 ? a : static_cast<T>(wide(a) % b);
  }
};

template <class T>
void absolute(Thread& thread, const Instruction& i) {
  const Wide value = wide(thread.get<T>(i.slots[1]));
  thread.put<T>(i.slots[0], static_cast<T>(value < 0 ? -value : value));
}

template <class T>
void negate(Thread& thread, const Instruction& i) {
  thread.put<T>(i.slots[0], static_cast<T>(-wide(thread.get<T>(i.slots[1]))));
}

/// |a - b| + c.
template <class T>
void sum_of_difference(Thread& thread, const Instruction& i) {
  const Wide difference = wide(thread.get<T>(i.slots[1])) - thread.get<T>(i.slots[2]);
  const Wide magnitude = difference < 0 ? -difference : difference;
  thread.put<T>(i.slots[0], static_cast<T>(magnitude + thread.get<T>(i.slots[3])));
}

enum class Part : std::uint32_t { low, high, wide };

/// The product of unsigned 64-bit numbers needs all 128 bits, so it is computed unsigned.
template <class T>
Wide product(T a, T b) {
  __extension__ using Unsigned = unsigned __int128;
  return static_cast<Wide>(static_cast<Unsigned>(wide(a)) * static_cast<Unsigned>(wide(b)));
}

/// mul (whose slots[3] is nowhere) and mad.
template <class T, Part part>
void multiply(Thread& thread, const Instruction& i) {
  using Result = std::conditional_t<part == Part::wide && sizeof(T) < 8, Double<T>, T>;
  const Wide whole = product(thread.get<T>(i.slots[1]), thread.get<T>(i.slots[2]));
  auto result = static_cast<Result>(part == Part::high ? whole >> (sizeof(T) * 8) : whole);
  if (i.slots[3] != nowhere) result = Add::of(result, thread.get<Result>(i.slots[3]));
  thread.put<Result>(i.slots[0], result);
}

/// mul24 and mad24: multiply the low 24 bits of each. Return the product's low 32 bits, or bits 16
/// to 47.
template <class T, Part part>
void multiply_24(Thread& thread, const Instruction& i) {
  const auto cut = [](T value) {
    return static_cast<std::int64_t>(
        std::is_signed_v<T> ? static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << 8) >> 8
                            : static_cast<std::int64_t>(value & 0xffffff));
  };
  const std::int64_t whole = cut(thread.get<T>(i.slots[1])) * cut(thread.get<T>(i.slots[2]));
  auto result = static_cast<T>(part == Part::high ? whole >> 16 : whole);
  if (i.slots[3] != nowhere) result = Add::of(result, thread.get<T>(i.slots[3]));
  thread.put<T>(i.slots[0], result);
}

template <class Operation>
Instruction::Execute binary_of(Type type) {
  return for_integers(
      type, [](auto tag) -> Instruction::Execute { return &binary<Of<decltype(tag)>, Operation>; });
}

bool decode_product(Decoder& decoder, Instruction& i, bool adds) {
  decoder.require_operands(adds ? 4 : 3);
  const auto part = static_cast<Part>(decoder.take_one_of({"lo", "hi", "wide"}));
  const Type type = decoder.take_operands(i);
  return decoder.set(i, for_integers(type, [part](auto tag) -> Instruction::Execute {
                       using T = Of<decltype(tag)>;
                       if constexpr (sizeof(T) == 1) return nullptr;
                       if (part == Part::wide)
                         return sizeof(T) == 8 ? nullptr : &multiply<T, Part::wide>;
                       return part == Part::high ? &multiply<T, Part::high>
                                                 : &multiply<T, Part::low>;
                     }));
}

bool decode_product_24(Decoder& decoder, Instruction& i, bool adds) {
  decoder.require_operands(adds ? 4 : 3);
  const bool high = decoder.take_one_of({"lo", "hi"}) == 1;
  const Type type = decoder.take_operands(i);
  if (type == Type::u32) {
    decoder.set(
        i, high ? &multiply_24<std::uint32_t, Part::high> : &multiply_24<std::uint32_t, Part::low>);
  } else if (type == Type::s32) {
    decoder.set(
        i, high ? &multiply_24<std::int32_t, Part::high> : &multiply_24<std::int32_t, Part::low>);
  } else {
    return false;
  }
  return true;
}

Instruction::Execute find_binary(Decoder& decoder, Type type) {
  if (decoder.is_one_of({"add", "sub"}) && decoder.take("sat")) {
    if (type != Type::s32) return nullptr;
    return decoder.is("add") ? &binary<std::int32_t, SaturatingAdd>
                             : &binary<std::int32_t, SaturatingSubtract>;
  }
  if (decoder.is("add")) return binary_of<Add>(type);
  if (decoder.is("sub")) return binary_of<Subtract>(type);
  if (decoder.is("div")) return binary_of<Divide>(type);
  if (decoder.is("rem")) return binary_of<Remainder>(type);
  if (decoder.is("min")) return binary_of<Minimum>(type);
  return binary_of<Maximum>(type);
}

}  // namespace

bool decode_integer(Decoder& decoder, Instruction& i) {
  if (is_float(decoder.peek_type()) || decoder.has("cc")) return false;
  if (decoder.is_one_of({"mul", "mad"})) return decode_product(decoder, i, decoder.is("mad"));
  if (decoder.is_one_of({"mul24", "mad24"}))
    return decode_product_24(decoder, i, decoder.is("mad24"));
  if (decoder.is_one_of({"add", "sub", "div", "rem", "min", "max"})) {
    decoder.require_operands(3);
    const Type type = decoder.take_operands(i);
    return decoder.set(i, find_binary(decoder, type));
  }
  if (decoder.is_one_of({"abs", "neg"})) {
    decoder.require_operands(2);
    const Type type = decoder.take_operands(i);
    return decoder.set(i, for_integers(type, [&](auto tag) -> Instruction::Execute {
                         using T = Of<decltype(tag)>;
                         return decoder.is("abs") ? &absolute<T> : &negate<T>;
                       }));
  }
  if (!decoder.is("sad")) return false;
  decoder.require_operands(4);
  const Type type = decoder.take_operands(i);
  return decoder.set(i, for_integers(type, [](auto tag) -> Instruction::Execute {
                       return &sum_of_difference<Of<decltype(tag)>>;
                     }));
}

}  // namespace array_interface::cuda_simulator::ptx
