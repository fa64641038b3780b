#include <atomic>
#include <cstdint>
#include <thread>

#include "arrow/c_data.h"
#include "napi/setup.hpp"

// A producer and a consumer of Arrow columns whose structs the tests write and read themselves.

namespace {

std::atomic<int> schemas{0};
std::atomic<int> arrays{0};

extern "C" {

/// As a producer does: releases what was not moved out, and marks the struct.
void ReleaseSchema(ArrowSchema* schema) {
  ++schemas;
  for (std::int64_t i = 0; i < schema->n_children && schema->private_data != nullptr; ++i) {
    if (schema->children[i]->release != nullptr) schema->children[i]->release(schema->children[i]);
  }
  schema->release = nullptr;
}

void ReleaseArray(ArrowArray* array) {
  ++arrays;
  for (std::int64_t i = 0; i < array->n_children && array->private_data != nullptr; ++i) {
    if (array->children[i]->release != nullptr) array->children[i]->release(array->children[i]);
  }
  array->release = nullptr;
}

}  // extern "C"

template <class Struct>
Struct* StructAt(const Napi::Value& address) {
  bool lossless = false;
  return reinterpret_cast<Struct*>(address.As<Napi::BigInt>().Uint64Value(&lossless));
}

template <class Function>
void OnThread(bool is_other, Function&& function) {
  if (!is_other) return function();
  std::thread(function).join();
}

/// releaseSchema(address, onOtherThread): as a consumer does.
void CallReleaseSchema(const Napi::CallbackInfo& info) {
  auto* const schema = StructAt<ArrowSchema>(info[0]);
  OnThread(info[1].ToBoolean(), [schema] { schema->release(schema); });
}

void CallReleaseArray(const Napi::CallbackInfo& info) {
  auto* const array = StructAt<ArrowArray>(info[0]);
  OnThread(info[1].ToBoolean(), [array] { array->release(array); });
}

/// takeReleased(): how many structs of the tests were released since the last call.
Napi::Value TakeReleased(const Napi::CallbackInfo& info) {
  auto taken = Napi::Object::New(info.Env());
  taken["schemas"] = schemas.exchange(0);
  taken["arrays"] = arrays.exchange(0);
  return taken;
}

Napi::Object Exports(Napi::Env env, Napi::Object exports) {
  const auto address = [&](auto* function) {
    return Napi::BigInt::New(env, std::uint64_t{reinterpret_cast<std::uintptr_t>(function)});
  };
  exports["schemaRelease"] = address(ReleaseSchema);
  exports["arrayRelease"] = address(ReleaseArray);
  exports["releaseSchema"] = Napi::Function::New<CallReleaseSchema>(env, "releaseSchema");
  exports["releaseArray"] = Napi::Function::New<CallReleaseArray>(env, "releaseArray");
  exports["takeReleased"] = Napi::Function::New<TakeReleased>(env, "takeReleased");
  return exports;
}

NODE_API_MODULE(test_arrow, Exports)

}  // namespace
