#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bind.hpp"
#include "memory/sycl_memory.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "napi/mapped_buffer.hpp"

namespace array_interface::sycl {

namespace {

bool IsWithin(const Allocation& allocation, std::uint64_t address, std::size_t size) {
  const std::uint64_t offset = address - allocation.pointer();
  return address >= allocation.pointer() && offset <= allocation.size() &&
         size <= allocation.size() - offset;
}

/// Whether both ends are in host or shared memory. For this library's memory the block tells; for
/// other memory the runtime is queried.
bool IsSeen(SyclMemory& memory, std::uint64_t address, std::size_t size) {
  if (memory.type() != UsmType::kHost && memory.type() != UsmType::kShared) return false;
  const Allocation* const allocation = memory.block()->allocation();
  if (allocation != nullptr) return IsWithin(*allocation, address, size);
  for (const std::uint64_t end : {address, address + std::max<std::size_t>(size, 1) - 1}) {
    if (memory.context_device()->TypeOf(reinterpret_cast<void*>(end)) != memory.type())
      return false;
  }
  return true;
}

/// mapBuffer(memory, pointer, byteLength): returns {buffer, mapped}, a buffer over host or shared
/// memory, which keeps the block. Null if this Node cannot make such buffers.
Napi::Value MapBuffer(const Napi::CallbackInfo& info) {
  const auto memory = Handle<SyclMemory>::Unwrap(info[0], "memory");
  const std::uint64_t address = ReadPointer(info[1], "pointer");
  const std::size_t size = ReadSize(info[2], "byteLength");
  if (!IsSeen(*memory, address, size)) {
    throw SyclError(
        "ERR_NOT_ACCESSIBLE", "memory",
        "expected host or shared memory, got other memory; copy it with toTypedArray()");
  }
  return MappedBuffer::Make(info.Env(), reinterpret_cast<void*>(address), size, memory->block());
}

}  // namespace

void BindMapBuffer(Napi::Object exports) {
  AddExports(exports, {
                          {"mapBuffer", kFunction<MapBuffer>},
                          {"unmapBuffer", kFunction<UnmapBuffer>},
                      });
}

}  // namespace array_interface::sycl
