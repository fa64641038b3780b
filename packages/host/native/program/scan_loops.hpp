// The loops of scans whose elements and results are those of arrays. Included as loops.hpp is.
#pragma once

#include "loops.hpp"

namespace array_interface {
namespace {

/// A bool of an array, which may be any byte.
struct Truth {
  std::uint8_t byte;
};

template <typename T, typename From>
T Converted(From from) {
  if constexpr (IsSameType<From, Truth>) {
    return from.byte != 0 ? 1 : 0;
  } else {
    return static_cast<T>(from);
  }
}

/// A result as it is stored: of a float without payload.
template <typename To, typename T>
To Stored(T value) {
  const auto result = static_cast<To>(value);
  if constexpr (kIsFloat<To>) return WithoutPayload::Of(result);
  return result;
}

/// Scans rows of neighbours.
template <typename Operation, typename T, typename From, typename To>
void ScanAcross(void* to, const void* from, const ScanShape& shape, const ScanState& state) {
  auto* const __restrict own = static_cast<T*>(state.own);
  auto* const __restrict total = static_cast<T*>(state.total);
  const auto* const __restrict before = static_cast<const T*>(state.before);
  const std::size_t width = shape.width;
  const auto* next = static_cast<const char*>(from);
  auto* result = static_cast<char*>(to);
  for (std::size_t row = 0; row < shape.rows; ++row) {
    const auto* const elements = reinterpret_cast<const From*>(next);
    auto* const __restrict results = reinterpret_cast<To*>(result);
    if (row == 0 && shape.starts) {
      for (std::size_t lane = 0; lane < width; ++lane) own[lane] = Converted<T>(elements[lane]);
    } else {
      for (std::size_t lane = 0; lane < width; ++lane) {
        own[lane] = Operation::template Of<T>(own[lane], Converted<T>(elements[lane]));
      }
    }
    if (before == nullptr) {
      for (std::size_t lane = 0; lane < width; ++lane) results[lane] = Stored<To>(own[lane]);
    } else {
      for (std::size_t lane = 0; lane < width; ++lane) {
        results[lane] = Stored<To>(Operation::template Of<T>(before[lane], own[lane]));
      }
    }
    next += shape.from_row;
    result += shape.to_row;
  }
  for (std::size_t lane = 0; lane < width; ++lane) {
    total[lane] =
        before == nullptr ? own[lane] : Operation::template Of<T>(before[lane], own[lane]);
  }
}

/// Scans one output after another.
template <typename Operation, typename T, typename From, typename To>
void ScanAlong(void* to, const void* from, const ScanShape& shape, const ScanState& state) {
  for (std::size_t lane = 0; lane < shape.width; ++lane) {
    const auto* next =
        static_cast<const char*>(from) + static_cast<std::ptrdiff_t>(lane) * shape.from_lane;
    auto* result = static_cast<char*>(to) + static_cast<std::ptrdiff_t>(lane) * shape.to_lane;
    T own = static_cast<const T*>(state.own)[lane];
    const bool adds = state.before != nullptr;
    const T before = adds ? static_cast<const T*>(state.before)[lane] : own;
    T total = own;
    const std::ptrdiff_t ahead = shape.from_row < 0 ? -8192 : 8192;
    for (std::size_t row = 0; row < shape.rows; ++row) {
      __builtin_prefetch(next + ahead, 0, 2);
      const T element = Converted<T>(*reinterpret_cast<const From*>(next));
      own = row == 0 && shape.starts ? element : Operation::template Of<T>(own, element);
      total = adds ? Operation::template Of<T>(before, own) : own;
      *reinterpret_cast<To*>(result) = Stored<To>(total);
      next += shape.from_row;
      result += shape.to_row;
    }
    static_cast<T*>(state.own)[lane] = own;
    static_cast<T*>(state.total)[lane] = total;
  }
}

template <typename Operation, typename T, typename From, typename To = T>
constexpr ScanLoops kScanLoops{ScanAcross<Operation, T, From, To>,
                               ScanAlong<Operation, T, From, To>};

/// Integers that are added up or multiplied as wide ones.
template <typename Operation>
ScanLoops ScanIntegers(ValueType from) {
  switch (from) {
    case ValueType::kBool:
      return kScanLoops<Operation, std::uint64_t, Truth>;
    case ValueType::kInt8:
      return kScanLoops<Operation, std::uint64_t, std::int8_t>;
    case ValueType::kInt16:
      return kScanLoops<Operation, std::uint64_t, std::int16_t>;
    case ValueType::kInt32:
      return kScanLoops<Operation, std::uint64_t, std::int32_t>;
    case ValueType::kUint8:
      return kScanLoops<Operation, std::uint64_t, std::uint8_t>;
    case ValueType::kUint16:
      return kScanLoops<Operation, std::uint64_t, std::uint16_t>;
    case ValueType::kUint32:
      return kScanLoops<Operation, std::uint64_t, std::uint32_t>;
    case ValueType::kInt64:
    case ValueType::kUint64:
      return kScanLoops<Operation, std::uint64_t, std::uint64_t>;
    default:
      return {nullptr, nullptr};
  }
}

template <typename Operation>
ScanLoops ScanNumbers(ValueType type, ValueType from, ValueType to) {
  if (type == ValueType::kFloat64 && from == to) {
    if (from == ValueType::kFloat64) return kScanLoops<Operation, double, double>;
    if (from == ValueType::kFloat32) return kScanLoops<Operation, double, float, float>;
  }
  const bool is_wide = Unsigned(type) == ValueType::kUint64 && to == type;
  return is_wide ? ScanIntegers<Operation>(from) : ScanLoops{nullptr, nullptr};
}

/// Returns the loops of an operation in a type, for elements and results of others. Null if there
/// are none.
ScanLoops ScanLoopsOf(Operation operation, ValueType type, ValueType from, ValueType to) {
  if (operation == Operation::kAdd) return ScanNumbers<Add>(type, from, to);
  if (operation == Operation::kMultiply) return ScanNumbers<Multiply>(type, from, to);
  return {nullptr, nullptr};
}

}  // namespace
}  // namespace array_interface
