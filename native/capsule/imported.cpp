#include "capsule/imported.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "library/library.hpp"
#include "napi/failure.hpp"
#include "napi/handle.hpp"

namespace array_interface {

namespace {

/// More axes than any reader accepts. A tensor with more is rejected as garbage.
constexpr std::int32_t kMostAxes = 1024;
constexpr std::size_t kPartsBesideAxes = 16;
constexpr std::int64_t kSafe = (std::int64_t{1} << 53) - 1;
/// Flags that this version of DLPack does not define are masked out.
constexpr std::uint64_t kKnownFlags = DLPACK_FLAG_BITMASK_READ_ONLY |
                                      DLPACK_FLAG_BITMASK_IS_COPIED |
                                      DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;

Napi::Value Integer(Napi::Env env, std::int64_t integer) {
  if (integer > kSafe || integer < -kSafe) return Napi::BigInt::New(env, integer);
  return Napi::Number::New(env, static_cast<double>(integer));
}

std::uint64_t AddressOf(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// Throws for an array that cannot be described.
void Check(Napi::Env env, const ai_array& array) {
  if (array.abi != AI_ABI) {
    Throw(env, {"ERR_VERSION", "producer",
                "expected an array of version " + std::to_string(AI_ABI) +
                    " of array_interface.h, got version " + std::to_string(array.abi) +
                    "; build its addon with the header of @array-interface/abi",
                "", 0, ""});
  }
  const auto* const tensor = array.tensor;
  if (tensor != nullptr && tensor->version.major != DLPACK_MAJOR_VERSION) {
    Throw(env, {"ERR_VERSION", "version.major",
                "expected a tensor of DLPack " + std::to_string(DLPACK_MAJOR_VERSION) +
                    ", got one of version " + std::to_string(tensor->version.major) + "." +
                    std::to_string(tensor->version.minor) +
                    ", whose other fields may be anything; get one of version 1 from its producer",
                "", 0, ""});
  }
  const bool is_whole = tensor != nullptr && tensor->dl_tensor.ndim >= 0 &&
                        tensor->dl_tensor.ndim <= kMostAxes &&
                        (tensor->dl_tensor.ndim == 0 || tensor->dl_tensor.shape != nullptr);
  if (is_whole) return;
  Throw(env, {"ERR_TYPE", "producer",
              "expected an array with its tensor and a shape, got one without; its addon must "
              "set them",
              "", 0, ""});
}

/// Calls `contents` with the fields of core's `CapsuleParts`, in order, and returns the result.
/// They are passed as arguments, because putting as many values into lists takes five times as
/// long.
Napi::Value Describe(Napi::Env env, const ai_array& array, const Napi::Value& handle,
                     const Napi::Function& contents) {
  const DLManagedTensorVersioned& managed = *array.tensor;
  const DLTensor& tensor = managed.dl_tensor;
  const auto number = [&](double value) -> napi_value { return Napi::Number::New(env, value); };
  // Most addresses are 0, and creating a BigInt takes as long as creating three numbers.
  const Napi::Value zero = Napi::BigInt::New(env, std::uint64_t{0});
  const auto address = [&](std::uint64_t value) -> napi_value {
    return value == 0 ? zero : Napi::BigInt::New(env, value);
  };
  std::vector<napi_value> parts;
  parts.reserve(kPartsBesideAxes + 2 * static_cast<std::size_t>(tensor.ndim));
  parts = {
      number(managed.version.major),
      number(managed.version.minor),
      number(static_cast<double>(managed.flags & kKnownFlags)),
      address(AddressOf(tensor.data)),
      address(tensor.byte_offset),
      number(tensor.device.device_type),
      number(tensor.device.device_id),
      number(tensor.dtype.code),
      number(tensor.dtype.bits),
      number(tensor.dtype.lanes),
      array.typestr == nullptr ? env.Null() : Napi::String::New(env, array.typestr),
      number(array.order_kind),
      address(AddressOf(array.order)),
      address(AddressOf(array.context)),
      handle,
      number(tensor.ndim),
  };
  for (const std::int64_t* const axes : {tensor.shape, tensor.strides}) {
    for (std::int32_t i = 0; axes != nullptr && i < tensor.ndim; ++i)
      parts.push_back(Integer(env, axes[i]));
  }
  return contents.Call(parts.size(), parts.data());
}

/// Keeps the libraries of the array's functions loaded. The functions may be called on any thread,
/// even after the last worker that loaded their addon has ended.
void KeepFunctions(const ai_array& array) {
  KeepLoaded(reinterpret_cast<const void*>(array.release));
  if (array.abi != AI_ABI) return;  // the other fields may be anything
  if (array.consumed != nullptr) KeepLoaded(reinterpret_cast<const void*>(array.consumed));
  if (array.tensor == nullptr || array.tensor->deleter == nullptr) return;
  KeepLoaded(reinterpret_cast<const void*>(array.tensor->deleter));
}

/// Takes ownership of an array. Releases it even if the allocation fails.
std::shared_ptr<ImportedArray> TakeOver(ai_array* array) try {
  KeepFunctions(*array);
  return std::make_shared<ImportedArray>(array);
} catch (...) {
  array->release(array);
  throw;
}

}  // namespace

void RefuseEnded(Napi::Env env) {
  Throw(env, {"ERR_DISPOSED", "producer",
              "expected a live array, got one that was released; get another from its "
              "producer",
              "", 0, ""});
}

Napi::Value HoldUntilBorrowed(Napi::Env env, std::shared_ptr<ImportedArray> imported) {
  return Handle<ImportedHandle>::Wrap(env, std::make_shared<ImportedHandle>(std::move(imported)));
}

Napi::Value Take(const Napi::Value& capsule, const Napi::Value& contents, MakeHold make_hold) {
  const Napi::Env env = capsule.Env();
  ai_array* const array = ai_unwrap(env, capsule);
  if (array == nullptr) {
    if (!ai_is_capsule(env, capsule)) return env.Null();
    Throw(env,
          {"ERR_DISPOSED", "producer",
           "expected an unused capsule, got a used one; get another from its producer", "", 0, ""});
  }
  auto imported = TakeOver(array);
  Check(env, *array);
  return Describe(env, *array, make_hold(env, std::move(imported)), contents.As<Napi::Function>());
}

void* EventOf(const Napi::Value& handle) {
  const auto imported = Handle<ImportedHandle>::Unwrap(handle, "producer")->Peek();
  void* const event = imported == nullptr ? nullptr : imported->event();
  if (event == nullptr) RefuseEnded(handle.Env());
  return event;
}

std::shared_ptr<ImportedArray> ImportedFrom(const Napi::Value& producer) {
  if (!producer.IsExternal()) return nullptr;
  auto imported = Handle<ImportedHandle>::Unwrap(producer, "producer")->Take();
  if (imported == nullptr) RefuseEnded(producer.Env());
  return imported;
}

}  // namespace array_interface
