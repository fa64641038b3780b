#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bind.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "sycl_addon.hpp"
#include "uses.hpp"
#include "work/loaded_kernel.hpp"
#include "work/queue_use.hpp"

namespace array_interface::sycl {

namespace {

/// Core's code for local memory, the highest one.
constexpr int kLocal = 11;

std::shared_ptr<LoadedKernel> ReadKernel(const Napi::Value& value) {
  return Handle<LoadedKernel>::Unwrap(value, "kernel");
}

/// loadKernel(contextDevice, spirv, function, types): returns a kernel that another thread builds.
/// Reads the module before it returns.
Napi::Value LoadKernel(const Napi::CallbackInfo& info) {
  auto context_device = Handle<ContextDevice>::Unwrap(info[0], "context");
  const Bytes spirv = ReadBytes(info[1], "code.sycl.spirv");
  const Bytes types = ReadBytes(info[3], "parameters");
  if (!context_device->RunsKernels()) {
    throw SyclError("ERR_KERNEL", "code.sycl",
                    "expected a device that runs SPIR-V, got " + context_device->selector +
                        ", which does not; launch it on another");
  }
  LoadedKernel::Source source;
  source.spirv.assign(reinterpret_cast<const char*>(spirv.data), spirv.size);
  source.function = ReadString(info[2], "code.sycl.function");
  for (std::size_t index = 0; index < types.size; ++index) {
    source.types.push_back(std::to_integer<int>(types.data[index]));
    if (source.types.back() > kLocal) {
      throw std::invalid_argument("expected core's type codes, got another number");
    }
  }
  return Handle<LoadedKernel>::Wrap(
      info.Env(), LoadedKernel::Ask(std::move(context_device), std::move(source)));
}

/// kernelLoaded(kernel): returns a promise that settles once the kernel is built, and rejects with
/// ERR_KERNEL.
Napi::Value KernelLoaded(const Napi::CallbackInfo& info) {
  return SyclAddon::Of(info.Env()).settler().Wait(info.Env(), [kernel = ReadKernel(info[0])] {
    PollResult poll{kernel->has_ended(), std::nullopt};
    if (poll.done && !kernel->refusal().empty()) {
      poll.failure = Failure{"ERR_KERNEL", "code.sycl", kernel->refusal(), "", 0, ""};
    }
    return poll;
  });
}

/// kernelLimits(kernel): returns the most items of a group and the most bytes of its local memory.
/// The kernel must be built.
Napi::Value KernelLimits(const Napi::CallbackInfo& info) {
  const auto kernel = ReadKernel(info[0]);
  if (!kernel->has_ended() || !kernel->refusal().empty()) {
    throw std::invalid_argument("expected a kernel that is built, got one that is not");
  }
  const auto limits = Napi::Array::New(info.Env(), 2);
  const auto number = [&](std::size_t value) {
    return Napi::Number::New(info.Env(), static_cast<double>(value));
  };
  limits.Set(0u, number(kernel->most_items()));
  limits.Set(1u, number(kernel->most_local()));
  return limits;
}

/// Reads the items along each axis, then the items of a group along each axis, slowest axis first.
LoadedKernel::Shape ReadShape(const Napi::Value& value) {
  const Bytes given = ReadBytes(value, "shape");
  const std::size_t rank = given.size / (2 * sizeof(std::uint32_t));
  if (rank < 1 || rank > 3 || given.size % (2 * sizeof(std::uint32_t)) != 0) {
    throw std::invalid_argument(
        "expected the items and the group along 1 to 3 axes, got something else");
  }
  std::vector<std::uint32_t> numbers(2 * rank);
  std::copy_n(given.data, given.size, reinterpret_cast<std::byte*>(numbers.data()));
  LoadedKernel::Shape shape{{1, 1, 1}, {1, 1, 1}, rank};
  std::copy_n(numbers.begin(), rank, shape.items);
  std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(rank), rank, shape.group);
  return shape;
}

/// launch(queue, kernel, shape, values, written, read): enqueues a launch.
Napi::Value LaunchKernel(const Napi::CallbackInfo& info) {
  const auto queue = Handle<QueueUse>::Unwrap(info[0], "queue")->queue();
  const auto kernel = ReadKernel(info[1]);
  const LoadedKernel::Shape shape = ReadShape(info[2]);
  const Bytes values = ReadBytes(info[3], "values");
  const bool is_built = kernel->has_ended() && kernel->refusal().empty();
  if (!is_built || values.size != 8 * kernel->types().size()) {
    throw std::invalid_argument(
        "expected a kernel that is built and 8 bytes for each value, got something else");
  }
  ReadUses uses(*queue->context_device(), info[4], info[5]);
  Work(queue, uses.get(), [&] {
    queue->Submit([&](void* native) { return kernel->Launch(native, shape, values.data); });
  });
  return info.Env().Undefined();
}

/// beginExternalWork(queue, written, read): makes the queue wait for all earlier work on the
/// memories, before other code enqueues work there.
Napi::Value BeginExternalWork(const Napi::CallbackInfo& info) {
  const auto queue = Handle<QueueUse>::Unwrap(info[0], "queue")->queue();
  ReadUses uses(*queue->context_device(), info[1], info[2]);
  BeginExternalWork(queue, uses.get());
  return info.Env().Undefined();
}

/// endExternalWork(queue, written, read): records that other code enqueued work on the memories.
Napi::Value EndExternalWork(const Napi::CallbackInfo& info) {
  const auto queue = Handle<QueueUse>::Unwrap(info[0], "queue")->queue();
  ReadUses uses(*queue->context_device(), info[1], info[2]);
  EndExternalWork(queue, uses.get());
  return info.Env().Undefined();
}

}  // namespace

void BindKernel(Napi::Object exports) {
  AddExports(exports, {
                          {"loadKernel", kFunction<LoadKernel>},
                          {"kernelLoaded", kFunction<KernelLoaded>},
                          {"kernelLimits", kFunction<KernelLimits>},
                          {"launch", kFunction<LaunchKernel>},
                          {"beginExternalWork", kFunction<BeginExternalWork>},
                          {"endExternalWork", kFunction<EndExternalWork>},
                      });
}

}  // namespace array_interface::sycl
