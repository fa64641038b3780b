#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "device/device_memory.hpp"
#include "device/event.hpp"
#include "device/guarded.hpp"
#include "device/queue.hpp"
#include "memory/process_allocator.hpp"
#include "napi/argument.hpp"
#include "napi/mapped_buffer.hpp"

namespace array_interface {

/// endMemory(memory): releases the reference. Never blocks.
template <class Backend>
Napi::Value EndMemory(const Napi::CallbackInfo& info) {
  Handle<typename Backend::Memory>::Unwrap(info[0], "memory")->End();
  return info.Env().Undefined();
}

/// exportOn(memory, queue): makes the queue wait for all work, before it is named to consumers.
template <class Backend>
Napi::Value ExportOn(const Napi::CallbackInfo& info) {
  const auto queue = LiveQueue<typename Backend::Queue>(info[1]);
  [[maybe_unused]] const typename Backend::Scope scope(*queue);
  LiveMemory<typename Backend::Memory>(info[0], "memory")->ref().Export(queue);
  return info.Env().Undefined();
}

/// waitMemory(memory): a promise for the end of this library's and other processes' work on it.
template <class Backend>
Napi::Value WaitMemory(const Napi::CallbackInfo& info) {
  const auto memory = LiveMemory<typename Backend::Memory>(info[0], "memory");
  const auto& block = memory->ref().block();
  Events events;
  {
    const std::lock_guard lock(block->tracker().mutex());
    events = block->tracker().Last();
    if (block->peers() != nullptr) {
      for (auto& event : block->peers()->Pending()) events.push_back(event);
    }
  }
  return WaitFor<Backend>(info.Env(), std::move(events));
}

/// settle(memory, queue): a promise for the end of all work, including the producer's and
/// consumers'. The queue waits for that work.
template <class Backend>
Napi::Value Settle(const Napi::CallbackInfo& info) {
  const auto queue = LiveQueue<typename Backend::Queue>(info[1]);
  const auto memory = LiveMemory<typename Backend::Memory>(info[0], "memory");
  return WaitFor<Backend>(info.Env(), Events{memory->ref().Settle(queue)});
}

/// returned(): how many times memory has been freed.
template <class Backend>
Napi::Value Returned(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(ProcessAllocator().returned()));
}

/// memoryReturned(device, returned): a promise that settles once memory has been freed after
/// `returned` was read, or once no memory of the device is being freed.
template <class Backend>
Napi::Value MemoryReturned(const Napi::CallbackInfo& info) {
  auto& allocator = ProcessAllocator();
  const auto device = Backend::ReadDevice(info[0]);
  const std::uint64_t seen = ReadSize(info[1], "returned");
  return Addon::Of(info.Env())
      .settler()
      .Wait(info.Env(), [&allocator, device, seen, eager_polling = allocator.PollEagerly()] {
        const bool is_over = allocator.HasReturned(seen) ||
                             allocator.PendingBytes(Backend::AllocatorKeyOf(*device)) == 0;
        return PollResult{is_over, std::nullopt};
      });
}

/// releaseCached(): a promise that settles once cached memory has been returned to the driver.
template <class Backend>
Napi::Value ReleaseCached(const Napi::CallbackInfo& info) {
  auto& allocator = ProcessAllocator();
  allocator.ReleaseCached();
  Backend::ReleaseIdle(info.Env());
  return Addon::Of(info.Env()).settler().Wait(info.Env(), [&allocator] {
    return PollResult{allocator.HasReleased(), std::nullopt};
  });
}

/// Whether `size` bytes from an address on lie in a range.
inline bool IsWithin(std::uint64_t start, std::size_t length, std::uint64_t address,
                     std::size_t size) {
  const std::uint64_t offset = address - start;
  return address >= start && offset <= length && size <= length - offset;
}

/// mapBuffer(memory, pointer, byteLength): {buffer, mapped}, a buffer over at least one byte of
/// memory that this process can access, at its address for this process. The buffer keeps the block
/// alive. Null if Node cannot create such a buffer.
template <class Backend>
Napi::Value MapBuffer(const Napi::CallbackInfo& info) {
  const auto memory = LiveMemory<typename Backend::Memory>(info[0], "memory");
  const std::uint64_t address = ReadPointer(info[1], "pointer");
  const std::size_t size = ReadSize(info[2], "byteLength");
  if (!Backend::IsHostAccessible(*memory, address, size)) {
    Throw(info.Env(), {"ERR_NOT_ACCESSIBLE", "memory",
                       "expected memory that this process can access, got other memory; copy it "
                       "with toTypedArray()",
                       "", 0, ""});
  }
  return MappedBuffer::Make(info.Env(), reinterpret_cast<void*>(address), size,
                            memory->ref().block());
}

template <class Backend>
void BindDeviceMemory(Napi::Object exports) {
  AddExports(exports, {
                          {"endMemory", kDeviceFunction<Backend, EndMemory<Backend>>},
                          {"exportOn", kDeviceFunction<Backend, ExportOn<Backend>>},
                          {"waitMemory", kDeviceFunction<Backend, WaitMemory<Backend>>},
                          {"settle", kDeviceFunction<Backend, Settle<Backend>>},
                          {"returned", kDeviceFunction<Backend, Returned<Backend>>},
                          {"memoryReturned", kDeviceFunction<Backend, MemoryReturned<Backend>>},
                          {"releaseCached", kDeviceFunction<Backend, ReleaseCached<Backend>>},
                          {"mapBuffer", kDeviceFunction<Backend, MapBuffer<Backend>>},
                          {"unmapBuffer", kDeviceFunction<Backend, UnmapBuffer>},
                      });
}

}  // namespace array_interface
