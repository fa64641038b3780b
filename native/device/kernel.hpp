#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "device/device_kernel.hpp"
#include "device/guarded.hpp"
#include "device/queue.hpp"
#include "device/work.hpp"
#include "napi/addon.hpp"
#include "napi/argument.hpp"

namespace array_interface {

template <class Backend>
std::shared_ptr<typename Backend::Kernel> ReadKernel(const Napi::Value& value) {
  return Handle<typename Backend::Kernel>::Unwrap(value, "kernel");
}

/// Reads core's type codes of a kernel's values, a uint32 each.
inline std::vector<int> ReadTypes(const Napi::Value& value) {
  const Bytes bytes = ReadBytes(value, "parameters");
  std::vector<int> types(bytes.size / sizeof(std::uint32_t));
  if (!types.empty()) std::memcpy(types.data(), bytes.data, types.size() * sizeof(std::uint32_t));
  for (const int type : types) {
    const bool is_struct = CodeOf(type) == kStruct && StructBytes(type) > 0;
    const bool is_known = type >= 0 && (is_struct || type < kStruct);
    if (!is_known) throw std::invalid_argument("expected core's type codes, got another number");
  }
  return types;
}

/// loadKernel(device, code, function, types): a kernel that another thread builds. Reads the code
/// before it returns.
template <class Backend>
Napi::Value LoadKernel(const Napi::CallbackInfo& info) {
  using Kernel = typename Backend::Kernel;
  auto device = Backend::ReadDevice(info[0]);
  const Bytes code = ReadBytes(info[1], Backend::kCodePath);
  Backend::AssertRunsKernels(*device);
  typename Kernel::Source source;
  source.code.assign(reinterpret_cast<const char*>(code.data), code.size);
  source.function = ReadString(info[2], Backend::kFunctionPath);
  source.types = ReadTypes(info[3]);
  return Handle<Kernel>::Wrap(
      info.Env(), Kernel::Ask(Backend::Builder(), std::move(device), std::move(source)));
}

/// kernelLoaded(kernel): a promise that settles once it is built, and rejects with ERR_KERNEL.
template <class Backend>
Napi::Value KernelLoaded(const Napi::CallbackInfo& info) {
  const auto poll = [kernel = ReadKernel<Backend>(info[0])] {
    PollResult result{kernel->has_ended(), std::nullopt};
    if (result.done && !kernel->IsBuilt()) {
      result.failure = Backend::KernelFailureOf(kernel->error());
    }
    return result;
  };
  return Addon::Of(info.Env()).settler().Wait(info.Env(), poll);
}

/// kernelLimits(kernel): the limits of a built kernel, which the backend defines.
template <class Backend>
Napi::Value KernelLimits(const Napi::CallbackInfo& info) {
  const auto kernel = ReadKernel<Backend>(info[0]);
  if (!kernel->IsBuilt())
    throw std::invalid_argument("expected a kernel that is built, got one that is not");
  auto limits = Napi::Array::New(info.Env());
  for (const auto limit : kernel->limits()) limits[limits.Length()] = static_cast<double>(limit);
  return limits;
}

/// launch(queue, kernel, shape, values, written, read): enqueues a launch. The backend defines the
/// form of the shape. Returns what `Backend::Notify` returns.
template <class Backend>
Napi::Value LaunchKernel(const Napi::CallbackInfo& info) {
  const auto queue = LiveQueue<typename Backend::Queue>(info[0]);
  const auto kernel = ReadKernel<Backend>(info[1]);
  const auto shape = Backend::ReadShape(info[2]);
  const Bytes values = ReadBytes(info[3], "values");
  if (!kernel->IsBuilt() || values.size != SlotBytes(kernel->types())) {
    throw std::invalid_argument(
        "expected a kernel that is built and the bytes of its values, got something else");
  }
  ReadUses<Backend> uses(*queue, info[4], info[5]);
  [[maybe_unused]] const typename Backend::Scope scope(*queue);
  const Enqueued work = kernel->Launch(queue, shape, values.data, uses.get());
  return Backend::Notify(info.Env(), work, uses.get());
}

/// whenKernelsReady(): a promise that settles once all kernels requested so far are built.
template <class Backend>
Napi::Value WhenKernelsReady(const Napi::CallbackInfo& info) {
  auto& builder = Backend::Builder();
  return Addon::Of(info.Env()).settler().Wait(info.Env(), [&builder, asked = builder.posted()] {
    return PollResult{builder.HasBuilt(asked), std::nullopt};
  });
}

/// endBuilding(): stops building, and blocks until the current build has ended. Must be called
/// before the process exits.
template <class Backend>
Napi::Value EndBuilding(const Napi::CallbackInfo& info) {
  Backend::Builder().End();
  return info.Env().Undefined();
}

template <class Backend>
void BindDeviceKernel(Napi::Object exports) {
  AddExports(exports, {
                          {"loadKernel", kDeviceFunction<Backend, LoadKernel<Backend>>},
                          {"kernelLoaded", kDeviceFunction<Backend, KernelLoaded<Backend>>},
                          {"kernelLimits", kDeviceFunction<Backend, KernelLimits<Backend>>},
                          {"launch", kDeviceFunction<Backend, LaunchKernel<Backend>>},
                          {"whenKernelsReady", kDeviceFunction<Backend, WhenKernelsReady<Backend>>},
                          {"endBuilding", kDeviceFunction<Backend, EndBuilding<Backend>>},
                      });
}

}  // namespace array_interface
