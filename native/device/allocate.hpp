#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "device/device_memory.hpp"
#include "device/guarded.hpp"
#include "memory/process_allocator.hpp"
#include "napi/argument.hpp"

namespace array_interface {

/// Returns cached memory of the device, or what `make` returns, which is null if the driver has
/// none. Then blocks for at most `timeout` milliseconds for memory that is being freed. Throws what
/// `make` throws, and ERR_OUT_OF_MEMORY.
template <class Backend, class Make>
std::unique_ptr<Allocation> AllocateOn(const typename Backend::Device& device,
                                       const typename Backend::Request& request,
                                       const Napi::Value& timeout, const Make& make) {
  const std::chrono::milliseconds longest(ReadSize(timeout, "timeout"));
  auto tried = ProcessAllocator().Try(Backend::AllocatorKeyOf(device), request.kind(), request.size,
                                      longest, make);
  if (tried.allocation != nullptr) return std::move(tried.allocation);
  Failure failure = Backend::OutOfMemory(device, request);
  failure.message = "expected " + std::to_string(request.size) + " bytes " + failure.message + "; ";
  if (tried.pending_bytes > 0) {
    failure.message += std::to_string(tried.pending_bytes) +
                       " bytes are still pending: await the work on what you disposed of, or use " +
                       Backend::kName + ".array(), which waits for them";
  } else {
    failure.message += "nothing is pending: dispose of arrays or use smaller ones";
  }
  Throw(timeout.Env(), failure);
}

/// allocate(device, memoryKind, byteLength, timeout, alignment): new memory. Blocks for at most
/// `timeout` milliseconds while memory is being freed. CUDA ignores `alignment`.
template <class Backend>
Napi::Value Allocate(const Napi::CallbackInfo& info) {
  const auto device = Backend::ReadDevice(info[0]);
  const auto request = Backend::ReadRequest(info[1], info[2], info[4]);
  auto allocation = AllocateOn<Backend>(*device, request, info[3],
                                        [&] { return Backend::Allocate(device, request); });
  return Backend::Describe(info.Env(),
                           Backend::Own(info.Env(), std::move(allocation), device, request));
}

template <class Backend>
void BindDeviceAllocate(Napi::Object exports) {
  AddExports(exports, {{"allocate", kDeviceFunction<Backend, Allocate<Backend>>}});
}

}  // namespace array_interface
