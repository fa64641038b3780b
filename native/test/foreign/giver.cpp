#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "napi/setup.hpp"

// must follow setup.hpp
#include "array_interface.h"

// An addon that exports arrays, malformed ones too, as its options say, and counts the calls that
// it gets back.

namespace {

/// What happened in the whole process.
struct Seen {
  std::recursive_mutex mutex;  ///< held over a whole release, so that no look sees half of one
  int released = 0;
  int deleted = 0;
  int elsewhere = 0;  ///< of these, on another thread than the one that exported the array
  std::vector<std::pair<std::uint32_t, std::uint64_t>> consumed;
};

Seen& TheSeen() {
  static Seen& seen = *new Seen;
  return seen;
}

struct Whole : ai_array {
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): give() fills it in
  DLManagedTensorVersioned managed{};
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::string element;
  std::vector<float> memory;
  std::thread::id giver = std::this_thread::get_id();
  int refs = 2;
};

void End(Whole* whole, int Seen::*counter) {
  bool is_last = false;
  {
    Seen& seen = TheSeen();
    const std::lock_guard lock(seen.mutex);
    ++(seen.*counter);
    if (whole->giver != std::this_thread::get_id()) ++seen.elsewhere;
    is_last = --whole->refs == 0;
  }
  if (is_last) delete whole;
}

extern "C" {

void DeleteTensor(DLManagedTensorVersioned* tensor) {
  End(static_cast<Whole*>(tensor->manager_ctx), &Seen::deleted);
}

void Release(ai_array* array) {
  const std::lock_guard lock(TheSeen().mutex);
  auto* const whole = static_cast<Whole*>(array);
  if (array->tensor != nullptr) {
    array->tensor->deleter(array->tensor);
  } else if (whole->managed.deleter == nullptr) {
    --whole->refs;  // it never had a tensor
  }
  End(whole, &Seen::released);
}

void Consumed(ai_array*, ai_order_kind kind, void* order) {
  Seen& seen = TheSeen();
  const std::lock_guard lock(seen.mutex);
  seen.consumed.emplace_back(kind, reinterpret_cast<std::uint64_t>(order));
}

}  // extern "C"

std::uint64_t Address(const Napi::Value& value) {
  bool lossless = false;
  return value.IsBigInt() ? value.As<Napi::BigInt>().Uint64Value(&lossless) : 0;
}

std::vector<std::int64_t> Integers(const Napi::Value& value) {
  std::vector<std::int64_t> integers;
  if (!value.IsArray()) return integers;
  const auto list = value.As<Napi::Array>();
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    integers.push_back(list.Get(i).ToNumber().Int64Value());
  }
  return integers;
}

/// Returns the function at the address in the options, which may be another addon's, or `otherwise`
/// if there is none.
template <class Function>
Function FunctionOf(const Napi::Object& options, const char* name, Function otherwise) {
  const std::uint64_t address = Address(options.Get(name));
  return address == 0 ? otherwise : reinterpret_cast<Function>(address);
}

/// Returns a number of the options, or `otherwise` if there is none.
std::int64_t Number(const Napi::Object& options, const char* name, std::int64_t otherwise) {
  const Napi::Value value = options.Get(name);
  return value.IsNumber() ? value.ToNumber().Int64Value() : otherwise;
}

/// give(options): a capsule. Without `data`, its memory is this addon's: floats 0, 1, 2, …
Napi::Value Give(const Napi::CallbackInfo& info) {
  const auto options = info[0].As<Napi::Object>();
  auto whole = std::make_unique<Whole>();
  whole->shape = Integers(options.Get("shape"));
  whole->strides = Integers(options.Get("strides"));
  const auto floats = static_cast<std::size_t>(Number(options, "floats", 0));
  for (std::size_t i = 0; i < floats; ++i) whole->memory.push_back(static_cast<float>(i));
  auto& tensor = whole->managed;
  tensor.version = {static_cast<std::uint32_t>(Number(options, "major", DLPACK_MAJOR_VERSION)),
                    DLPACK_MINOR_VERSION};
  tensor.flags = Address(options.Get("flags")) |
                 (options.Get("readOnly").ToBoolean() ? DLPACK_FLAG_BITMASK_READ_ONLY : 0);
  tensor.manager_ctx = whole.get();
  auto& layout = tensor.dl_tensor;
  layout.data =
      floats > 0 ? whole->memory.data() : reinterpret_cast<void*>(Address(options.Get("data")));
  layout.byte_offset = static_cast<std::uint64_t>(Number(options, "byteOffset", 0));
  layout.device = {static_cast<DLDeviceType>(Number(options, "deviceType", kDLCPU)), 0};
  layout.ndim = static_cast<std::int32_t>(whole->shape.size());
  layout.dtype = {static_cast<std::uint8_t>(Number(options, "code", kDLFloat)),
                  static_cast<std::uint8_t>(Number(options, "bits", 32)),
                  static_cast<std::uint16_t>(Number(options, "lanes", 1))};
  layout.shape = whole->shape.data();
  layout.strides = whole->strides.empty() ? nullptr : whole->strides.data();
  // With another major version, readers cannot know the offsets of the fields. So they hold invalid
  // values here.
  if (tensor.version.major != DLPACK_MAJOR_VERSION) {
    layout.ndim = 3;
    layout.shape = layout.strides = reinterpret_cast<std::int64_t*>(8);
  }
  whole->abi = static_cast<std::uint32_t>(Number(options, "abi", AI_ABI));
  // A later minor version has more fields after those in this header.
  whole->size = static_cast<std::uint32_t>(sizeof(ai_array)) +
                static_cast<std::uint32_t>(Number(options, "more", 0));
  whole->release = FunctionOf(options, "release", Release);
  if (!options.Get("isWithoutTensor").ToBoolean()) {
    tensor.deleter = FunctionOf(options, "deleter", DeleteTensor);
    whole->tensor = &tensor;
  }
  whole->order_kind = static_cast<ai_order_kind>(Number(options, "kind", AI_READY));
  whole->order = reinterpret_cast<void*>(Address(options.Get("order")));
  whole->context = reinterpret_cast<void*>(Address(options.Get("context")));
  whole->consumed =
      FunctionOf(options, "consumed", options.Get("hears").ToBoolean() ? Consumed : nullptr);
  if (options.Get("typestr").IsString()) {
    whole->element = options.Get("typestr").As<Napi::String>();
    whole->typestr = whole->element.c_str();
  }
  napi_value capsule = nullptr;
  if (ai_wrap(info.Env(), whole.release(), &capsule) != napi_ok) {
    throw Napi::Error::New(info.Env());
  }
  return {info.Env(), capsule};
}

/// look(): what happened since the last call.
Napi::Value Look(const Napi::CallbackInfo& info) {
  Seen& seen = TheSeen();
  const std::lock_guard lock(seen.mutex);
  auto looked = Napi::Object::New(info.Env());
  looked["released"] = std::exchange(seen.released, 0);
  looked["deleted"] = std::exchange(seen.deleted, 0);
  looked["elsewhere"] = std::exchange(seen.elsewhere, 0);
  auto consumed = Napi::Array::New(info.Env());
  for (std::uint32_t i = 0; i < seen.consumed.size(); ++i) {
    auto one = Napi::Array::New(info.Env());
    one[0u] = static_cast<double>(seen.consumed[i].first);
    one[1u] = Napi::BigInt::New(info.Env(), seen.consumed[i].second);
    consumed[i] = one;
  }
  seen.consumed.clear();
  looked["consumed"] = consumed;
  return looked;
}

/// functions(): the addresses of the functions that this addon's arrays have.
Napi::Value Functions(const Napi::CallbackInfo& info) {
  auto functions = Napi::Object::New(info.Env());
  const auto set = [&](const char* name, auto* function) {
    functions[name] =
        Napi::BigInt::New(info.Env(), std::uint64_t{reinterpret_cast<std::uintptr_t>(function)});
  };
  set("release", Release);
  set("deleter", DeleteTensor);
  set("consumed", Consumed);
  return functions;
}

/// memory(byteLength): memory of this addon, and an External whose finalizer frees it.
Napi::Value Memory(const Napi::CallbackInfo& info) {
  const auto size = static_cast<std::size_t>(info[0].ToNumber().Int64Value());
  void* const data =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto made = Napi::Object::New(info.Env());
  made["pointer"] =
      Napi::BigInt::New(info.Env(), std::uint64_t{reinterpret_cast<std::uintptr_t>(data)});
  made["owner"] = Napi::External<void>::New(
      info.Env(), data, [size](Napi::Env, void* memory) { munmap(memory, size); });
  return made;
}

/// external(): an External without a tag.
Napi::Value External(const Napi::CallbackInfo& info) {
  static int thing = 0;
  return Napi::External<int>::New(info.Env(), &thing);
}

/// wrapped(): an object that this addon wrapped, without a tag.
Napi::Value Wrapped(const Napi::CallbackInfo& info) {
  static int thing = 0;
  const auto made = Napi::Object::New(info.Env());
  napi_wrap(info.Env(), made, &thing, nullptr, nullptr, nullptr);
  return made;
}

/// told(): how many bytes outside of its heap V8 was told of by addons, in this environment.
Napi::Value Told(const Napi::CallbackInfo& info) {
  std::int64_t total = 0;
  napi_adjust_external_memory(info.Env(), 0, &total);
  return Napi::Number::New(info.Env(), static_cast<double>(total));
}

Napi::Object Exports(Napi::Env env, Napi::Object exports) {
  exports["give"] = Napi::Function::New<Give>(env, "give");
  exports["look"] = Napi::Function::New<Look>(env, "look");
  exports["functions"] = Napi::Function::New<Functions>(env, "functions");
  exports["memory"] = Napi::Function::New<Memory>(env, "memory");
  exports["external"] = Napi::Function::New<External>(env, "external");
  exports["wrapped"] = Napi::Function::New<Wrapped>(env, "wrapped");
  exports["told"] = Napi::Function::New<Told>(env, "told");
  return exports;
}

NODE_API_MODULE(giver, Exports)

}  // namespace
