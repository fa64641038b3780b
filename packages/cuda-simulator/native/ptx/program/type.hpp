#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "float16.hpp"

namespace array_interface::cuda_simulator::ptx {

/// The types of PTX that instructions name.
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  bf16,
  f32,
  f64,
  f16x2,
  bf16x2,
};

/// Returns the type that a modifier such as "u32" names, or Type::none.
Type type_named(std::string_view name);

/// Returns the bytes of a value; 1 for a predicate.
std::size_t size_of(Type type);

bool is_float(Type type);

/// Passes a C++ type to a generic lambda.
template <class T>
struct Tag {
  using type = T;
};
template <class T>
using Of = typename T::type;

/// Calls `make` with the C++ type of an integer or untyped `type`. Returns {} for any other.
template <class Make>
auto for_integers(Type type, Make make) -> decltype(make(Tag<std::uint32_t>{})) {
  switch (type) {
    case Type::b8:
    case Type::u8:
      return make(Tag<std::uint8_t>{});
    case Type::b16:
    case Type::u16:
      return make(Tag<std::uint16_t>{});
    case Type::b32:
    case Type::u32:
      return make(Tag<std::uint32_t>{});
    case Type::b64:
    case Type::u64:
      return make(Tag<std::uint64_t>{});
    case Type::s8:
      return make(Tag<std::int8_t>{});
    case Type::s16:
      return make(Tag<std::int16_t>{});
    case Type::s32:
      return make(Tag<std::int32_t>{});
    case Type::s64:
      return make(Tag<std::int64_t>{});
    default:
      return {};
  }
}

/// Like for_integers, for the types of one floating-point number.
template <class Make>
auto for_floats(Type type, Make make) -> decltype(make(Tag<float>{})) {
  switch (type) {
    case Type::f16:
      return make(Tag<Half>{});
    case Type::bf16:
      return make(Tag<BrainFloat>{});
    case Type::f32:
      return make(Tag<float>{});
    case Type::f64:
      return make(Tag<double>{});
    default:
      return {};
  }
}

/// Like for_integers, for all types of one number.
template <class Make>
auto for_numbers(Type type, Make make) -> decltype(make(Tag<float>{})) {
  return is_float(type) ? for_floats(type, make) : for_integers(type, make);
}

/// Calls `make` with an unsigned integer of the same size, for values that are only moved.
template <class Make>
auto for_sizes(std::size_t size, Make make) -> decltype(make(Tag<std::uint32_t>{})) {
  switch (size) {
    case 1:
      return make(Tag<std::uint8_t>{});
    case 2:
      return make(Tag<std::uint16_t>{});
    case 4:
      return make(Tag<std::uint32_t>{});
    case 8:
      return make(Tag<std::uint64_t>{});
    default:
      return {};
  }
}

}  // namespace array_interface::cuda_simulator::ptx
