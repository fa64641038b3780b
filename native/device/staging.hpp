#pragma once

#include <cstddef>
#include <cstdint>

#include "device/device_memory.hpp"
#include "device/guarded.hpp"
#include "kernels/host/copy.hpp"
#include "napi/argument.hpp"
#include "napi/plan.hpp"

namespace array_interface {

/// Copies between memory for staging and JavaScript memory, synchronously: into the memory if
/// `is_read`, otherwise out of it. The plan counts from the first byte of each side.
template <class Backend>
Napi::Value CopyStaged(const Napi::CallbackInfo& info, bool is_read) {
  const Napi::Env env = info.Env();
  StridedCopy plan = ReadPlan(info[1]);
  const auto memory = LiveMemory<typename Backend::Memory>(info[0], "memory");
  const Bytes staged = Backend::StagingOf(env, *memory);
  const Bytes bytes = ReadBytes(info[2], "buffer");
  CheckWithin(env, plan, is_read, bytes.size, "buffer");
  CheckWithin(env, plan, !is_read, staged.size, "memory");
  // As integers: a plan without elements may have any offset, and an empty buffer no address.
  const auto at = [](const std::byte* start, const void* offset) {
    return reinterpret_cast<std::uintptr_t>(start) + reinterpret_cast<std::uintptr_t>(offset);
  };
  plan.destination =
      reinterpret_cast<void*>(at(is_read ? staged.data : bytes.data, plan.destination));
  plan.source = reinterpret_cast<const void*>(at(is_read ? bytes.data : staged.data, plan.source));
  strided_copy(plan);
  return env.Undefined();
}

/// read(memory, plan, bytes): copies JavaScript memory into memory for staging.
template <class Backend>
Napi::Value Read(const Napi::CallbackInfo& info) {
  return CopyStaged<Backend>(info, true);
}

/// write(memory, plan, bytes): copies memory for staging into JavaScript memory.
template <class Backend>
Napi::Value Write(const Napi::CallbackInfo& info) {
  return CopyStaged<Backend>(info, false);
}

/// peek(memory, plan, bytes): copies memory that this process can access into JavaScript memory,
/// and returns true. Returns false if work may be pending on the memory. Never waits.
template <class Backend>
Napi::Value Peek(const Napi::CallbackInfo& info) {
  const auto memory = LiveMemory<typename Backend::Memory>(info[0], "memory");
  const bool is_at_rest = memory->ref().IsAtRest();
  if (is_at_rest) CopyStaged<Backend>(info, false);
  return Napi::Boolean::New(info.Env(), is_at_rest);
}

template <class Backend>
void BindDeviceStaging(Napi::Object exports) {
  AddExports(exports, {
                          {"read", kDeviceFunction<Backend, Read<Backend>>},
                          {"write", kDeviceFunction<Backend, Write<Backend>>},
                          {"peek", kDeviceFunction<Backend, Peek<Backend>>},
                      });
}

}  // namespace array_interface
