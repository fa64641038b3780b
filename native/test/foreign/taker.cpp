#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "napi/setup.hpp"

// must follow setup.hpp
#include "array_interface.h"

// An addon that imports arrays and uses them as the test says, on any thread.

namespace {

/// What the addon owns of an array: all of it, its tensor alone, or the rest without the tensor.
struct Has {
  ai_array* array = nullptr;
  DLManagedTensorVersioned* tensor = nullptr;
  bool ends_at_exit = false;
};

struct Table {
  std::mutex mutex;
  std::map<std::int64_t, Has> arrays;
  std::int64_t next = 1;
};

Table& TheTable() {
  static Table& table = *new Table;
  return table;
}

Has& At(const Napi::Value& id) {
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  return table.arrays.at(id.ToNumber().Int64Value());
}

Napi::Value Address(Napi::Env env, const void* pointer) {
  return Napi::BigInt::New(env, std::uint64_t{reinterpret_cast<std::uintptr_t>(pointer)});
}

Napi::Array Integers(Napi::Env env, const std::int64_t* integers, std::int32_t count) {
  auto list = Napi::Array::New(env);
  for (std::int32_t i = 0; i < count; ++i) {
    list[static_cast<std::uint32_t>(i)] = static_cast<double>(integers[i]);
  }
  return list;
}

/// take(value): the contents of an array or capsule, with the number that identifies it here.
Napi::Value Take(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  ai_array* const array = ai_take(env, info[0]);
  if (array == nullptr) return {};
  const DLTensor& tensor = array->tensor->dl_tensor;
  auto taken = Napi::Object::New(env);
  taken["size"] = static_cast<double>(array->size);
  taken["version"] = static_cast<double>(array->tensor->version.major) +
                     static_cast<double>(array->tensor->version.minor) / 10;
  taken["flags"] = static_cast<double>(array->tensor->flags);
  taken["data"] = Address(env, tensor.data);
  taken["shape"] = Integers(env, tensor.shape, tensor.ndim);
  taken["strides"] = Integers(env, tensor.strides, tensor.ndim);
  const std::int64_t dtype[] = {tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes};
  taken["dtype"] = Integers(env, dtype, 3);
  const std::int64_t device[] = {tensor.device.device_type, tensor.device.device_id};
  taken["device"] = Integers(env, device, 2);
  taken["kind"] = static_cast<double>(array->order_kind);
  taken["order"] = Address(env, array->order);
  taken["context"] = Address(env, array->context);
  taken["hears"] = array->consumed != nullptr;
  taken["typestr"] =
      array->typestr == nullptr ? env.Null() : Napi::Value(Napi::String::New(env, array->typestr));
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  taken["id"] = static_cast<double>(table.next);
  table.arrays[table.next++] = {array, nullptr};
  return taken;
}

/// sum(id): the sum of float32 elements in host memory, along one axis.
Napi::Value Sum(const Napi::CallbackInfo& info) {
  const DLTensor& tensor = At(info[0]).array->tensor->dl_tensor;
  const auto* const floats = static_cast<const float*>(tensor.data);
  double sum = 0;
  for (std::int64_t i = 0; i < tensor.shape[0]; ++i) sum += floats[i * tensor.strides[0]];
  return Napi::Number::New(info.Env(), sum);
}

/// consumed(id, kind, order): tells the producer of work, on another thread.
Napi::Value Consumed(const Napi::CallbackInfo& info) {
  ai_array* const array = At(info[0]).array;
  const ai_order_kind kind = info[1].ToNumber().Uint32Value();
  bool lossless = false;
  void* const order = reinterpret_cast<void*>(info[2].As<Napi::BigInt>().Uint64Value(&lossless));
  std::thread([=] { array->consumed(array, kind, order); }).join();
  return info.Env().Undefined();
}

/// keepTensor(id): takes the tensor out, so that release() leaves it.
Napi::Value KeepTensor(const Napi::CallbackInfo& info) {
  Has& has = At(info[0]);
  has.tensor = std::exchange(has.array->tensor, nullptr);
  return info.Env().Undefined();
}

/// Releases the array if it is still there, otherwise the tensor.
void End(Has& has) {
  if (has.array != nullptr) {
    auto* const array = std::exchange(has.array, nullptr);
    array->release(array);
  } else if (has.tensor != nullptr) {
    auto* const tensor = std::exchange(has.tensor, nullptr);
    tensor->deleter(tensor);
  }
}

/// Runs after the exit handlers of everything that was loaded later than this addon.
void EndAtExit() {
  for (auto& [id, has] : TheTable().arrays) {
    if (has.ends_at_exit) End(has);
  }
}

/// release(id, how): releases the array, or the tensor that was kept of it: 'here', on 'another'
/// thread, 'later' on another thread, some time after this returns, or 'at exit'.
Napi::Value Release(const Napi::CallbackInfo& info) {
  Has& has = At(info[0]);
  const std::string how = info[1].As<Napi::String>();
  if (how == "here") End(has);
  if (how == "at exit") has.ends_at_exit = true;
  if (how == "another") std::thread([&has] { End(has); }).join();
  if (how == "later") {
    std::thread([&has] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      End(has);
    }).detach();
  }
  return info.Env().Undefined();
}

Napi::Value IsCapsule(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), ai_is_capsule(info.Env(), info[0]));
}

Napi::Object Exports(Napi::Env env, Napi::Object exports) {
  static const int registered = std::atexit(EndAtExit);
  exports["endsAtExit"] = registered == 0;
  exports["take"] = Napi::Function::New<Take>(env, "take");
  exports["sum"] = Napi::Function::New<Sum>(env, "sum");
  exports["consumed"] = Napi::Function::New<Consumed>(env, "consumed");
  exports["keepTensor"] = Napi::Function::New<KeepTensor>(env, "keepTensor");
  exports["release"] = Napi::Function::New<Release>(env, "release");
  exports["isCapsule"] = Napi::Function::New<IsCapsule>(env, "isCapsule");
  return exports;
}

NODE_API_MODULE(taker, Exports)

}  // namespace
