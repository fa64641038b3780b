#pragma once

#include <memory>

#include "driver/place.hpp"
#include "memory/allocation.hpp"
#include "memory/sycl_memory.hpp"
#include "napi/handle.hpp"

namespace array_interface::sycl {

/// {place, id, contextId, device, selector} of a place, with a handle of it.
inline Napi::Object DescribePlace(Napi::Env env, const std::shared_ptr<Place>& place) {
  auto described = Napi::Object::New(env);
  described["id"] = static_cast<double>(place->id);
  described["contextId"] = static_cast<double>(place->context_id());
  described["device"] = static_cast<double>(place->device);
  described["selector"] = place->selector;
  described["place"] = Handle<Place>::Wrap(env, place);
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

/// {memory, type, place, range}. The range is null for memory that is not ours.
inline Napi::Object DescribeMemory(Napi::Env env, const std::shared_ptr<SyclMemory>& memory) {
  auto described = Napi::Object::New(env);
  described["type"] = static_cast<double>(memory->type());
  described["place"] = DescribePlace(env, memory->place());
  described["range"] = DescribeRange(env, memory->block()->allocation());
  described["memory"] = Handle<SyclMemory>::Wrap(env, memory);
  return described;
}

}  // namespace array_interface::sycl
