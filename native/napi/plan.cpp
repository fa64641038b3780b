#include "napi/plan.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "napi/argument.hpp"
#include "napi/failure.hpp"

namespace array_interface {

namespace {

/// The places of core's `encodePlan`. Both addresses are integers of 64 bits, all others doubles.
enum Place : std::size_t { kDestination, kSource, kUnit, kRank, kFrom, kTo, kFlags, kAxes };

/// The bits of `kFlags`.
enum Flag : std::uint32_t { kSwapsSource = 1, kSwapsDestination = 2, kRounds = 4 };

constexpr double kNoConversion = -1;

[[noreturn]] void RefusePlan(const Napi::Value& value) {
  Throw(value.Env(),
        {"ERR_TYPE", "plan",
         "expected the numbers of a plan of at most 64 axes, got another value; pass what "
         "encodePlan() returns",
         "", 0, ""});
}

/// The numbers of a plan. They are valid until JavaScript runs again.
class PlanNumbers {
 public:
  explicit PlanNumbers(const Napi::Value& value) : value_(value) {
    napi_typedarray_type type = napi_int8_array;
    void* data = nullptr;
    const napi_status status =
        napi_get_typedarray_info(value.Env(), value, &type, &size_, &data, nullptr, nullptr);
    if (status != napi_ok || type != napi_float64_array || size_ < kAxes) RefusePlan(value);
    numbers_ = static_cast<const double*>(data);
  }

  std::size_t size() const noexcept { return size_; }

  std::uint64_t Address(std::size_t place) const noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, numbers_ + place, sizeof bits);
    return bits;
  }

  std::int64_t Integer(std::size_t place) const {
    const double number = numbers_[place];
    if (!IsSafeInteger(number)) RefusePlan(value_);
    return static_cast<std::int64_t>(number);
  }

  /// An integer from 0 to `most`.
  std::uint32_t Small(std::size_t place, std::uint32_t most) const {
    const std::int64_t number = Integer(place);
    if (number < 0 || number > most) RefusePlan(value_);
    return static_cast<std::uint32_t>(number);
  }

  std::vector<std::int64_t> Integers(std::size_t first, std::size_t count) const {
    std::vector<std::int64_t> all(count);
    for (std::size_t index = 0; index < count; ++index) all[index] = Integer(first + index);
    return all;
  }

  std::optional<Conversion> ReadConversion() const {
    if (numbers_[kFrom] == kNoConversion) return std::nullopt;
    const std::uint32_t flags = Small(kFlags, kSwapsSource | kSwapsDestination | kRounds);
    return Conversion{TypeAt(kFrom), TypeAt(kTo), (flags & kSwapsSource) != 0,
                      (flags & kSwapsDestination) != 0, (flags & kRounds) != 0};
  }

 private:
  ElementType TypeAt(std::size_t place) const {
    return static_cast<ElementType>(Small(place, element_type_count - 1));
  }

  Napi::Value value_;
  std::size_t size_ = 0;
  const double* numbers_ = nullptr;
};

}  // namespace

StridedCopy ReadPlan(const Napi::Value& value) {
  constexpr std::uint32_t kLargestUnit = 16;
  const PlanNumbers numbers(value);
  const std::size_t rank = numbers.Small(kRank, maximum_rank);
  if (numbers.size() < kAxes + 3 * rank) RefusePlan(value);
  StridedCopy copy;
  copy.destination = reinterpret_cast<void*>(numbers.Address(kDestination));
  copy.source = reinterpret_cast<const void*>(numbers.Address(kSource));
  copy.unit = numbers.Small(kUnit, kLargestUnit);
  copy.lengths = numbers.Integers(kAxes, rank);
  copy.destination_strides = numbers.Integers(kAxes + rank, rank);
  copy.source_strides = numbers.Integers(kAxes + 2 * rank, rank);
  copy.conversion = numbers.ReadConversion();
  return copy;
}

void CheckWithin(Napi::Env env, const StridedCopy& copy, bool source, std::size_t size,
                 const char* path) {
  const auto& strides = source ? copy.source_strides : copy.destination_strides;
  const auto start = reinterpret_cast<std::uintptr_t>(source ? copy.source : copy.destination);
  __int128 low = static_cast<__int128>(start);
  __int128 high = low + (source ? copy.source_unit() : copy.unit);
  for (std::size_t axis = 0; axis < copy.lengths.size(); axis++) {
    if (copy.lengths[axis] == 0) return;
    const __int128 reach = static_cast<__int128>(copy.lengths[axis] - 1) * strides[axis];
    (reach < 0 ? low : high) += reach;
  }
  if (low >= 0 && high <= static_cast<__int128>(size)) return;
  Throw(env, {"ERR_OUT_OF_BOUNDS", path,
              "expected elements within " + std::to_string(size) +
                  " bytes, got a layout that exceeds them; was the buffer detached or resized?",
              "", 0, ""});
}

}  // namespace array_interface
