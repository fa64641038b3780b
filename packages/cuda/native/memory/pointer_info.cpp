#include "memory/pointer_info.hpp"

#include <array>
#include <cstddef>

#include "driver/context.hpp"
#include "driver/driver.hpp"

namespace array_interface::cuda {

namespace {

constexpr std::size_t kCount = 8;

}  // namespace

PointerInfo InspectPointer(DevicePointer pointer) {
  std::array<PointerAttribute, kCount> asked{
      kAttributeMemoryType,    kAttributeIsManaged,   kAttributeDeviceOrdinal, kAttributeContext,
      kAttributeDevicePointer, kAttributeHostPointer, kAttributeRangeStart,    kAttributeRangeSize};
  // Each answer is at most 8 bytes wide; a narrower one leaves the rest of its place zero.
  std::array<std::uint64_t, kCount> answers{};
  std::array<void*, kCount> places{};
  for (std::size_t i = 0; i < kCount; ++i) places[i] = &answers[i];
  const auto& ask = Cuda().cuPointerGetAttributes;
  Result result = ask.Try(kCount, asked.data(), places.data(), pointer);
  if (result == kInvalidContext) {
    const ContextScope scope(*Context::Primary(0));
    result = ask.Try(kCount, asked.data(), places.data(), pointer);
  }
  if (result != kSuccess) throw DriverError(result, ask.name);
  PointerInfo info;
  info.memory_type = static_cast<unsigned>(answers[0]);
  info.is_known = info.memory_type != 0;
  if (!info.is_known) return info;
  info.is_managed = (answers[1] & 0xff) != 0;
  info.device = static_cast<int>(static_cast<std::uint32_t>(answers[2]));
  info.context = reinterpret_cast<ContextHandle>(answers[3]);
  info.device_pointer = answers[4];
  info.host_pointer = answers[5];
  info.range_start = answers[6];
  info.range_size = answers[7];
  return info;
}

}  // namespace array_interface::cuda
