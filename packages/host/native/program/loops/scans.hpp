// The loops of scans whose elements and results are those of arrays. Compiled as operations.hpp
// says.
#pragma once

#include "program/instruction.hpp"
#include "program/loops/operations.hpp"
#include "program/loops/vectors.hpp"

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

/// What there is of a leaf behind what is before it, if there is something.
template <typename Operation, typename T>
T Total(T own, const T* before) {
  return before == nullptr ? own : Operation::template Of<T>(*before, own);
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
    auto* const results = reinterpret_cast<To*>(result);  // which may be the elements
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
    total[lane] = Total<Operation>(own[lane], before == nullptr ? nullptr : before + lane);
  }
}

/// Elements of an output, one after another, and where its results go.
template <typename T, typename From, typename To>
struct Line {
  const char* from;
  char* to;
  std::ptrdiff_t from_step;
  std::ptrdiff_t to_step;

  T Take() {
    AskFor(from, from_step < 0 ? -kAhead : kAhead);
    const T element = Converted<T>(*reinterpret_cast<const From*>(from));
    from += from_step;
    return element;
  }
  void Put(T value) {
    *reinterpret_cast<To*>(to) = Stored<To>(value);
    to += to_step;
  }
};

/// Combines `own` with elements of one output. Integers have nothing before.
template <typename Operation, typename T, typename From, typename To>
T ScanLine(Line<T, From, To> line, std::size_t count, T own, const T* before) {
  if constexpr (!kIsFloat<T>) {
    // Two at once, since each product waits for the one before. Nothing rounds.
    for (; count >= 2; count -= 2) {
      const T element = line.Take();
      const T both = Operation::template Of<T>(element, line.Take());
      line.Put(Operation::template Of<T>(own, element));
      own = Operation::template Of<T>(own, both);
      line.Put(own);
    }
  }
  if (before == nullptr) {
    for (; count > 0; --count) line.Put(own = Operation::template Of<T>(own, line.Take()));
    return own;
  }
  const T start = *before;
  for (; count > 0; --count) {
    own = Operation::template Of<T>(own, line.Take());
    line.Put(Operation::template Of<T>(start, own));
  }
  return own;
}

/// Scans one output after another.
template <typename Operation, typename T, typename From, typename To>
void ScanAlong(void* to, const void* from, const ScanShape& shape, const ScanState& state) {
  Line<T, From, To> line{static_cast<const char*>(from), static_cast<char*>(to), shape.from_row,
                         shape.to_row};
  const auto* before = static_cast<const T*>(state.before);
  for (std::size_t lane = 0; lane < shape.width; ++lane) {
    Line<T, From, To> next = line;
    T own = static_cast<const T*>(state.own)[lane];
    if (shape.starts) {
      own = next.Take();
      next.Put(Total<Operation>(own, before));
    }
    own = ScanLine<Operation>(next, shape.rows - (shape.starts ? 1 : 0), own, before);
    static_cast<T*>(state.own)[lane] = own;
    static_cast<T*>(state.total)[lane] = Total<Operation>(own, before);
    line.from += shape.from_lane;
    line.to += shape.to_lane;
    if (before != nullptr) ++before;
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
  const bool is_wide = !IsFloat(type) && SizeOf(type) == 8 && to == type;
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
