#include "work/runtime.hpp"

#include "bind.hpp"
#include "describe.hpp"
#include "driver/background.hpp"
#include "driver/opencl_layer.hpp"
#include "napi/addon.hpp"
#include "napi/argument.hpp"
#include "work/loaded_module.hpp"
#include "work/sycl_event.hpp"

namespace array_interface::sycl {

namespace {

/// open(library, openClDriver, folder?, most?): loads the runtime, or gives the one that is loaded.
/// Compiled kernels are kept in the folder, `most` bytes of them.
Napi::Value Open(const Napi::CallbackInfo& info) {
  KeptKernels kept;
  if (info.Length() > 2) {
    kept = {ReadString(info[2], "folder"), info[3].ToNumber().Uint32Value()};
  }
  Runtime& runtime =
      Runtime::Open(ReadString(info[0], "library"), ReadString(info[1], "driver"), kept);
  auto opened = Napi::Object::New(info.Env());
  opened["library"] = runtime.path();
  opened["version"] = runtime.version();
  return opened;
}

/// endPreparing(): waits for a build of kernels under way. Call it before exit().
Napi::Value EndPreparing(const Napi::CallbackInfo& info) {
  Background::Instance().EndPreparing();
  return info.Env().Undefined();
}

/// whenKernelsReady(): a promise that settles when all kernels are built that were asked for so
/// far.
Napi::Value KernelsBuilt(const Napi::CallbackInfo& info) {
  Background& background = Background::Instance();
  const auto look = [&background, asked = background.preparations()] {
    return PollResult{background.HasPrepared(asked), std::nullopt};
  };
  return Addon::Of(info.Env()).settler().Wait(info.Env(), look);
}

/// builds(): of this process: whether kernels are kept, how many modules were compiled with that,
/// and how many were found.
Napi::Value Builds(const Napi::CallbackInfo& info) {
  const BuildCounts counts = CountBuilds();
  auto builds = Napi::Object::New(info.Env());
  builds["areKept"] = counts.has_layer;
  builds["compiled"] = static_cast<double>(counts.compiled);
  builds["found"] = static_cast<double>(counts.found);
  return builds;
}

/// devices(): list of their properties.
Napi::Value Devices(const Napi::CallbackInfo& info) {
  const Runtime& runtime = Runtime::Get();
  auto list = Napi::Array::New(info.Env(), runtime.device_count());
  for (std::size_t index = 0; index < runtime.device_count(); ++index) {
    const Device& device = runtime.device(index);
    auto entry = Napi::Object::New(info.Env());
    entry["index"] = static_cast<double>(index);
    entry["name"] = device.name;
    entry["type"] = device.type;
    entry["driverVersion"] = device.driver_version;
    entry["memory"] = static_cast<double>(device.memory_bytes);
    const auto reference = reinterpret_cast<std::uintptr_t>(device.context_device->reference.get());
    entry["handle"] = Napi::BigInt::New(info.Env(), static_cast<std::uint64_t>(reference));
    entry["selector"] = device.context_device->selector;
    entry["backend"] = device.backend;
    entry["computeUnits"] = device.compute_units;
    entry["limitation"] = info.Env().Null();
    if (!device.limitation.empty()) entry["limitation"] = device.limitation;
    auto aspects = Napi::Array::New(info.Env());
    for (const auto& aspect : device.aspects) aspects[aspects.Length()] = aspect;
    entry["aspects"] = aspects;
    list[static_cast<std::uint32_t>(index)] = entry;
  }
  return list;
}

/// select(selector): index of the device that a filter selector names, or null.
Napi::Value Select(const Napi::CallbackInfo& info) {
  const auto index = Runtime::Get().Select(ReadString(info[0], "syclobj"));
  if (!index) return info.Env().Null();
  return Napi::Number::New(info.Env(), static_cast<double>(*index));
}

/// find(pointer): {type, contextDevice, range}: the place that an address belongs to, in any
/// context, or null. The range is that of our memory.
Napi::Value Find(const Napi::CallbackInfo& info) {
  const PointerFound found = Runtime::Get().Find(ReadPointer(info[0], "pointer"));
  auto answer = Napi::Object::New(info.Env());
  answer["type"] = static_cast<double>(found.type);
  answer["contextDevice"] = info.Env().Null();
  if (found.context_device != nullptr)
    answer["contextDevice"] = DescribeContextDevice(info.Env(), found.context_device);
  answer["range"] = DescribeRange(info.Env(), found.block ? found.block->allocation() : nullptr);
  return answer;
}

/// place(device): a device in its default context.
Napi::Value GetPlace(const Napi::CallbackInfo& info) {
  return DescribeContextDevice(info.Env(),
                               Runtime::Get().device(ReadSize(info[0], "device")).context_device);
}

/// divide(device, computeUnits): parts of a device, each in a context of its own.
Napi::Value Divide(const Napi::CallbackInfo& info) {
  const auto parts =
      Runtime::Get().Divide(ReadSize(info[0], "device"), ReadSize(info[1], "computeUnits"));
  auto list = Napi::Array::New(info.Env());
  for (const auto& part : parts) list[list.Length()] = DescribeContextDevice(info.Env(), part);
  return list;
}

/// typeIn(place, pointer): type of an address in the context of a context and device, for code that
/// wants to borrow it.
Napi::Value TypeIn(const Napi::CallbackInfo& info) {
  const auto context_device = Handle<ContextDevice>::Unwrap(info[0], "context");
  const PointerFound found = Runtime::Get().FindIn(context_device, ReadPointer(info[1], "pointer"));
  const UsmType type = found.IsToBeHad() ? found.type : UsmType::kUnknown;
  return Napi::Number::New(info.Env(), static_cast<double>(type));
}

/// rangeOf(pointer): {pointer, byteLength} of our memory around an address, or null.
Napi::Value RangeOf(const Napi::CallbackInfo& info) {
  const auto block = Runtime::Get().blocks().Find(ReadPointer(info[0], "pointer"));
  return DescribeRange(info.Env(), block ? block->allocation() : nullptr);
}

/// contextReference(place): address of the native reference, valid while the place is held.
Napi::Value ContextReferenceOf(const Napi::CallbackInfo& info) {
  const auto context_device = Handle<ContextDevice>::Unwrap(info[0], "context");
  const auto reference = reinterpret_cast<std::uintptr_t>(context_device->context.get());
  return Napi::BigInt::New(info.Env(), static_cast<std::uint64_t>(reference));
}

/// releaseCached(): a promise for the release of all memory kept for the next allocations.
Napi::Value ReleaseCached(const Napi::CallbackInfo& info) {
  Background::Instance().allocator().ReleaseKept();
  const auto look = [] {
    return PollResult{Background::Instance().allocator().HasReleased(), std::nullopt};
  };
  return Addon::Of(info.Env()).settler().Wait(info.Env(), look);
}

/// liveCounts(): of this process: allocations that JavaScript or pending work holds, those kept for
/// the next ones, queues, those kept for the next ones, the runtime's events, and modules of
/// programs' own code.
Napi::Value LiveCounts(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  CachingAllocator& allocator = Background::Instance().allocator();
  const std::size_t all = runtime.blocks().count();
  const std::size_t kept = allocator.kept();
  const std::size_t unused = kept + allocator.releasing();
  auto counts = Napi::Object::New(info.Env());
  counts["allocations"] = static_cast<double>(all > unused ? all - unused : 0);
  counts["kept"] = static_cast<double>(kept);
  counts["queues"] = static_cast<double>(runtime.queues().count());
  counts["keptQueues"] = static_cast<double>(KeptQueues::count());
  counts["events"] = static_cast<double>(SyclEvent::count());
  counts["modules"] = static_cast<double>(LoadedModule::count());
  return counts;
}

}  // namespace

void BindRuntime(Napi::Object exports) {
  Export<Open>(exports, "open");
  Export<EndPreparing>(exports, "endPreparing");
  Export<KernelsBuilt>(exports, "whenKernelsReady");
  Export<Builds>(exports, "builds");
  Export<Devices>(exports, "devices");
  Export<Select>(exports, "select");
  Export<Find>(exports, "find");
  Export<GetPlace>(exports, "contextDevice");
  Export<Divide>(exports, "divide");
  Export<TypeIn>(exports, "typeIn");
  Export<RangeOf>(exports, "rangeOf");
  Export<ContextReferenceOf>(exports, "contextReference");
  Export<ReleaseCached>(exports, "releaseCached");
  Export<LiveCounts>(exports, "liveCounts");
}

}  // namespace array_interface::sycl
