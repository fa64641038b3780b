#pragma once

#include <memory>

#include "driver/context_device.hpp"
#include "memory/allocation.hpp"
#include "memory/sycl_memory.hpp"
#include "napi/handle.hpp"
#include "napi/object.hpp"

namespace array_interface::sycl {

/// {handle, id, contextId, device, selector} of a device in a context.
inline Napi::Object DescribeContextDevice(Napi::Env env,
                                          const std::shared_ptr<ContextDevice>& context_device) {
  return MakeObject(env, {
                             {"id", context_device->id},
                             {"contextId", context_device->context_id()},
                             {"device", context_device->device},
                             {"selector", context_device->selector},
                             {"handle", Handle<ContextDevice>::Wrap(env, context_device)},
                         });
}

/// {pointer, byteLength} of an allocation; null for null.
inline Napi::Value DescribeRange(Napi::Env env, const Allocation* allocation) {
  if (allocation == nullptr) return env.Null();
  return MakeObject(env, {
                             {"pointer", Napi::BigInt::New(env, allocation->pointer())},
                             {"byteLength", allocation->size()},
                         });
}

/// {handle, type, contextDevice, range}. The range is null for memory that this library did not
/// allocate.
inline Napi::Object DescribeMemory(Napi::Env env, const std::shared_ptr<SyclMemory>& memory) {
  return MakeObject(env,
                    {
                        {"type", memory->type()},
                        {"contextDevice", DescribeContextDevice(env, memory->context_device())},
                        {"range", DescribeRange(env, memory->allocation())},
                        {"handle", Handle<SyclMemory>::Wrap(env, memory)},
                    });
}

}  // namespace array_interface::sycl
