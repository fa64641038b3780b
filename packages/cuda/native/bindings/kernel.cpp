#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/addon.hpp"
#include "bindings/bindings.hpp"
#include "driver/driver.hpp"
#include "ipc/notify.hpp"
#include "memory/uses.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "work/held_stream.hpp"
#include "work/loaded_kernel.hpp"

namespace array_interface::cuda {

namespace {

/// Bytes of a value's slot.
constexpr std::size_t kPlace = 8;
/// Core's type code of local memory, for which the driver takes no value.
constexpr std::uint8_t kLocal = 11;

/// Driver errors for code that it rejects: an image of another kind or version, invalid PTX, no
/// function of that name.
constexpr int kRefusals[] = {200, 209, 218, 222, 300, 301, 302, 303, 500};

Failure ToKernelFailure(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const DriverError& refused) {
    Failure failure = ToFailure(refused);
    const auto* const last = std::end(kRefusals);
    if (std::find(std::begin(kRefusals), last, refused.result()) != last) {
      failure.code = "ERR_KERNEL";
      failure.path = "code.cuda";
    }
    return failure;
  } catch (const std::exception& other) {
    return {"ERR_KERNEL", "code.cuda", other.what(), "", 0, ""};
  }
}

std::shared_ptr<LoadedKernel> ReadKernel(const Napi::Value& value) {
  return Handle<LoadedKernel>::Unwrap(value, "kernel");
}

/// loadKernel(device, image, function, types): a kernel that is being built. Reads the image before
/// it returns.
Napi::Value LoadKernel(const Napi::CallbackInfo& info) {
  auto context = Context::Primary(static_cast<int>(ReadSize(info[0], "device")));
  const Bytes image = ReadBytes(info[1], "code.cuda");
  const Bytes types = ReadBytes(info[3], "parameters");
  LoadedKernel::Source source;
  source.image.assign(reinterpret_cast<const char*>(image.data), image.size);
  source.function = ReadString(info[2], "code.cuda.function");
  for (std::size_t index = 0; index < types.size; ++index) {
    source.types.push_back(std::to_integer<std::uint8_t>(types.data[index]));
    if (source.types.back() > kLocal) {
      throw std::invalid_argument("expected core's type codes, got another number");
    }
  }
  return Handle<LoadedKernel>::Wrap(info.Env(),
                                    LoadedKernel::Ask(std::move(context), std::move(source)));
}

/// kernelLoaded(kernel): a promise that settles once it is built, and rejects with ERR_KERNEL.
Napi::Value KernelLoaded(const Napi::CallbackInfo& info) {
  return CudaAddon::Of(info.Env()).settler().Wait(info.Env(), [kernel = ReadKernel(info[0])] {
    PollResult poll{kernel->has_ended(), std::nullopt};
    if (poll.done && kernel->error() != nullptr) poll.failure = ToKernelFailure(kernel->error());
    return poll;
  });
}

/// kernelLimits(kernel): the limits of a built kernel: the items of a group, in total and along x,
/// y and z, and the bytes of dynamic shared memory.
Napi::Value KernelLimits(const Napi::CallbackInfo& info) {
  const auto kernel = ReadKernel(info[0]);
  if (!kernel->has_ended() || kernel->error() != nullptr) {
    throw std::invalid_argument("expected a kernel that is built, got one that is not");
  }
  const auto& [items, x, y, z, shared] = kernel->limits();
  const auto limits = Napi::Array::New(info.Env(), 5);
  std::uint32_t index = 0;
  for (const int limit : {items, x, y, z, shared}) {
    limits.Set(index++, Napi::Number::New(info.Env(), limit));
  }
  return limits;
}

/// Returns pointers to the values, one for each parameter of the function.
std::vector<void*> PointersTo(const LoadedKernel& kernel, const Bytes& values) {
  const auto& types = kernel.types();
  if (values.size != types.size() * kPlace) {
    throw std::invalid_argument("expected 8 bytes for each value of the kernel, got another size");
  }
  std::vector<void*> pointers;
  pointers.reserve(types.size());
  for (std::size_t index = 0; index < types.size(); ++index) {
    if (types[index] != kLocal) pointers.push_back(values.data + index * kPlace);
  }
  return pointers;
}

/// launch(stream, kernel, shape, values, written, read): `shape` is a Uint32Array of groups, then
/// items of a group, along x, y and z, then the bytes of dynamic shared memory. Returns what ToldOf
/// returns.
Napi::Value LaunchKernel(const Napi::CallbackInfo& info) {
  const auto stream = LiveStream(info[0]);
  const auto kernel = ReadKernel(info[1]);
  std::array<std::uint32_t, 7> shape{};
  const Bytes given = ReadBytes(info[2], "shape");
  if (given.size != sizeof shape || !kernel->has_ended() || kernel->error() != nullptr) {
    throw std::invalid_argument(
        "expected seven numbers and a kernel that is built, got something else");
  }
  std::copy_n(given.data, given.size, reinterpret_cast<std::byte*>(shape.data()));
  std::vector<void*> pointers = PointersTo(*kernel, ReadBytes(info[3], "values"));
  ReadUses uses(info[4], info[5]);
  const ContextScope scope(*stream->context());  // so that nested scopes make no driver call
  kernel->module().NeedShared(kernel->function(), shape[6]);
  const Enqueued work = Work(stream, uses.get(), [&] {
    Cuda().cuLaunchKernel(kernel->function(), shape[0], shape[1], shape[2], shape[3], shape[4],
                          shape[5], shape[6], stream->handle(), pointers.data(), nullptr);
  });
  kernel->module().NoteLaunch(stream, work.event);
  return ToldOf(info.Env(), work, uses.get());
}

}  // namespace

void BindKernel(Napi::Object exports) {
  AddExports(exports, {
                          {"loadKernel", kFunction<LoadKernel>},
                          {"kernelLoaded", kFunction<KernelLoaded>},
                          {"kernelLimits", kFunction<KernelLimits>},
                          {"launch", kFunction<LaunchKernel>},
                      });
}

}  // namespace array_interface::cuda
