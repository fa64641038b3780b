#include <cstddef>
#include <cstdint>

#include "bindings.hpp"
#include "memory/cuda_memory.hpp"
#include "memory/pointer_info.hpp"
#include "napi/argument.hpp"
#include "napi/mapped_buffer.hpp"

namespace array_interface::cuda {

namespace {

bool IsWithin(const CudaAllocation& allocation, std::uint64_t address, std::size_t size) {
  const auto start = reinterpret_cast<std::uint64_t>(allocation.host());
  return start != 0 && address >= start && address - start <= allocation.size() &&
         size <= allocation.size() - (address - start);
}

/// Whether this process can access both ends. Checks the block if this library allocated the
/// memory; otherwise queries the driver.
bool IsSeen(const CudaMemory& memory, std::uint64_t address, std::size_t size) {
  if (memory.allocation() != nullptr) return IsWithin(*memory.allocation(), address, size);
  for (const std::uint64_t end : {address, address + size - 1}) {
    if (InspectPointer(end).host_pointer != end) return false;
  }
  return true;
}

/// mapBuffer(memory, pointer, byteLength): {buffer, mapped}, a buffer over at least one byte of
/// memory that this process can access, at its address for this process. The buffer keeps the block
/// alive. Null if Node cannot create such a buffer.
Napi::Value MapBuffer(const Napi::CallbackInfo& info) {
  const auto memory = LiveMemory(info[0], "memory");
  const std::uint64_t address = ReadPointer(info[1], "pointer");
  const std::size_t size = ReadSize(info[2], "byteLength");
  if (memory->allocation() != nullptr) memory->allocation()->context()->AssertAlive();
  if (!IsSeen(*memory, address, size)) {
    Throw(info.Env(),
          {"ERR_NOT_ACCESSIBLE", "memory",
           "expected memory that this process can access, got other memory; copy it with "
           "toTypedArray()",
           "", 0, ""});
  }
  return MappedBuffer::Make(info.Env(), reinterpret_cast<void*>(address), size,
                            memory->ref().block());
}

}  // namespace

void BindMapBuffer(Napi::Object exports) {
  AddExports(exports, {
                          {"mapBuffer", kFunction<MapBuffer>},
                          {"unmapBuffer", kFunction<UnmapBuffer>},
                      });
}

}  // namespace array_interface::cuda
