#pragma once

#include <memory>

#include "driver/context_device.hpp"
#include "memory/allocation.hpp"
#include "memory/sycl_memory.hpp"
#include "napi/handle.hpp"

namespace array_interface::sycl {

/// {contextDevice, id, contextId, device, selector}, with a handle of the context and device.
inline Napi::Object DescribeContextDevice(Napi::Env env,
                                          const std::shared_ptr<ContextDevice>& context_device) {
  auto described = Napi::Object::New(env);
  described["id"] = static_cast<double>(context_device->id);
  described["contextId"] = static_cast<double>(context_device->context_id());
  described["device"] = static_cast<double>(context_device->device);
  described["selector"] = context_device->selector;
  described["handle"] = Handle<ContextDevice>::Wrap(env, context_device);
  return described;
}

/// {pointer, byteLength} of an allocation; null for null.
inline Napi::Value DescribeRange(Napi::Env env, const Allocation* allocation) {
  if (allocation == nullptr) return env.Null();
  auto range = Napi::Object::New(env);
  range["pointer"] = Napi::BigInt::New(env, allocation->pointer());
  range["byteLength"] = static_cast<double>(allocation->size());
  return range;
}

/// {handle, type, contextDevice, range}. The range is null for memory that this library did not
/// allocate.
inline Napi::Object DescribeMemory(Napi::Env env, const std::shared_ptr<SyclMemory>& memory) {
  auto described = Napi::Object::New(env);
  described["type"] = static_cast<double>(memory->type());
  described["contextDevice"] = DescribeContextDevice(env, memory->context_device());
  described["range"] = DescribeRange(env, memory->block()->allocation());
  described["handle"] = Handle<SyclMemory>::Wrap(env, memory);
  return described;
}

}  // namespace array_interface::sycl
