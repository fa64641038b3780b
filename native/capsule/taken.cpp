#include "capsule/taken.hpp"

#include <array>
#include <cstdint>
#include <string>

#include "napi/failure.hpp"
#include "napi/handle.hpp"

namespace array_interface {

namespace {

/// More axes than any reader takes. What says so is no array.
constexpr std::int32_t kMostAxes = 1024;
constexpr std::int64_t kSafe = (std::int64_t{1} << 53) - 1;
/// Bits that no version of DLPack has named yet say nothing.
constexpr std::uint64_t kKnownFlags = DLPACK_FLAG_BITMASK_READ_ONLY |
                                      DLPACK_FLAG_BITMASK_IS_COPIED |
                                      DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;

Napi::Value Integer(Napi::Env env, std::int64_t integer) {
  if (integer > kSafe || integer < -kSafe) return Napi::BigInt::New(env, integer);
  return Napi::Number::New(env, static_cast<double>(integer));
}

Napi::Value Address(Napi::Env env, const void* pointer) {
  return Napi::BigInt::New(env, std::uint64_t{reinterpret_cast<std::uintptr_t>(pointer)});
}

/// Null for null.
Napi::Value Integers(Napi::Env env, const std::int64_t* integers, std::int32_t count) {
  if (integers == nullptr && count > 0) return env.Null();
  auto list = Napi::Array::New(env, static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < count; ++i)
    list[static_cast<std::uint32_t>(i)] = Integer(env, integers[i]);
  return list;
}

/// Throws for what cannot be described.
void Check(Napi::Env env, const ai_array& array) {
  if (array.abi != AI_ABI) {
    Throw(env, {"ERR_VERSION", "producer",
                "expected an array of version " + std::to_string(AI_ABI) +
                    " of array_interface.h, got version " + std::to_string(array.abi) +
                    "; build its addon with the header of @array-interface/abi",
                "", 0, ""});
  }
  const auto* const tensor = array.tensor;
  const bool is_whole = tensor != nullptr && tensor->dl_tensor.ndim >= 0 &&
                        tensor->dl_tensor.ndim <= kMostAxes &&
                        (tensor->dl_tensor.ndim == 0 || tensor->dl_tensor.shape != nullptr);
  if (is_whole) return;
  Throw(env, {"ERR_TYPE", "producer",
              "expected an array with its tensor and a shape, got one without; its addon has to "
              "fill them in",
              "", 0, ""});
}

/// What `contents` makes of core's `CapsuleParts`, in its order. Arguments, since to put as many
/// values into a list takes five times as long.
Napi::Value Describe(Napi::Env env, const ai_array& array, const Napi::Value& handle,
                     const Napi::Function& contents) {
  const DLManagedTensorVersioned& managed = *array.tensor;
  const DLTensor& tensor = managed.dl_tensor;
  const auto number = [&](double value) -> napi_value { return Napi::Number::New(env, value); };
  const std::array<napi_value, 17> parts{
      number(managed.version.major),
      number(managed.version.minor),
      number(static_cast<double>(managed.flags & kKnownFlags)),
      Address(env, tensor.data),
      Napi::BigInt::New(env, tensor.byte_offset),
      number(tensor.device.device_type),
      number(tensor.device.device_id),
      number(tensor.dtype.code),
      number(tensor.dtype.bits),
      number(tensor.dtype.lanes),
      Integers(env, tensor.shape, tensor.ndim),
      Integers(env, tensor.strides, tensor.ndim),
      array.typestr == nullptr ? env.Null() : Napi::String::New(env, array.typestr),
      number(array.order_kind),
      Address(env, array.order),
      Address(env, array.context),
      handle,
  };
  return contents.Call(parts.size(), parts.data());
}

[[noreturn]] void RefuseEnded(Napi::Env env) {
  Throw(env, {"ERR_DISPOSED", "producer",
              "expected an array that was not given back, got one that was; ask its maker for "
              "another",
              "", 0, ""});
}

/// Takes an array over, which is released also where there is no room for this.
std::shared_ptr<Taken> TakeOver(ai_array* array) try {
  return std::make_shared<Taken>(array);
} catch (...) {
  array->release(array);
  throw;
}

}  // namespace

Napi::Value Take(const Napi::Value& capsule, const Napi::Value& contents) {
  const Napi::Env env = capsule.Env();
  if (!ai_is_capsule(env, capsule)) return env.Null();
  ai_array* const array = ai_unwrap(env, capsule);
  if (array == nullptr) {
    Throw(env,
          {"ERR_DISPOSED", "producer",
           "expected a capsule that nobody has used, got a used one; ask its maker for another", "",
           0, ""});
  }
  auto taken = TakeOver(array);
  Check(env, *array);
  const auto handle =
      Handle<TakenHandle>::Wrap(env, std::make_shared<TakenHandle>(std::move(taken)));
  return Describe(env, *array, handle, contents.As<Napi::Function>());
}

void* EventOf(const Napi::Value& handle) {
  const auto taken = Handle<TakenHandle>::Unwrap(handle, "producer")->Look();
  void* const event = taken == nullptr ? nullptr : taken->event();
  if (event == nullptr) RefuseEnded(handle.Env());
  return event;
}

std::shared_ptr<Taken> TakenFrom(const Napi::Value& producer) {
  if (!producer.IsExternal()) return nullptr;
  auto taken = Handle<TakenHandle>::Unwrap(producer, "producer")->Take();
  if (taken == nullptr) RefuseEnded(producer.Env());
  return taken;
}

}  // namespace array_interface
