#include "memory/pointer_info.hpp"

#include <array>
#include <cstddef>

#include "driver/context.hpp"
#include "driver/driver.hpp"

namespace array_interface::cuda {

namespace {

// The last attribute is queried only if the driver knows it, since an unknown one fails the call.
constexpr std::array<PointerAttribute, 11> kAsked{
    kAttributeMemoryType,    kAttributeIsManaged,   kAttributeDeviceOrdinal, kAttributeContext,
    kAttributeDevicePointer, kAttributeHostPointer, kAttributeRangeStart,    kAttributeRangeSize,
    kAttributeIsIpcCapable,  kAttributeBufferId,    kAttributePool};

unsigned CountFor(int driver_version) {
  const auto all = static_cast<unsigned>(kAsked.size());
  return driver_version < kPoolAttributeVersion ? all - 1 : all;
}

}  // namespace

PointerInfo InspectPointer(DevicePointer pointer) {
  auto asked = kAsked;
  // Each answer is at most 8 bytes wide. A narrower one leaves the rest zero.
  std::array<std::uint64_t, kAsked.size()> answers{};
  std::array<void*, kAsked.size()> places{};
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = &answers[i];
  const unsigned count = CountFor(Driver::Version());
  const auto& ask = Cuda().cuPointerGetAttributes;
  Result result = ask.Try(count, asked.data(), places.data(), pointer);
  if (result == kInvalidContext) {
    const ContextScope scope(*Context::Primary(0));
    result = ask.Try(count, asked.data(), places.data(), pointer);
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
  info.is_ipc_capable = (answers[8] & 0xff) != 0;
  info.buffer_id = answers[9];
  info.pool = reinterpret_cast<PoolHandle>(answers[10]);
  return info;
}

}  // namespace array_interface::cuda
