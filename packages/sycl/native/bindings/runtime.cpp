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

/// open(library, openClDriver, folder?, most?): loads the runtime, or returns the one that is
/// loaded. Caches compiled kernels in the folder, at most `most` bytes of them.
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

/// endBuilding(): blocks until the current build of a kernel has ended. Must be called before
/// exit().
Napi::Value EndBuilding(const Napi::CallbackInfo& info) {
  Background::Instance().EndBuilding();
  return info.Env().Undefined();
}

/// whenKernelsReady(): returns a promise that settles once all kernels are built that were
/// requested so far.
Napi::Value WhenKernelsReady(const Napi::CallbackInfo& info) {
  Background& background = Background::Instance();
  const auto look = [&background, asked = background.preparations()] {
    return PollResult{background.HasPrepared(asked), std::nullopt};
  };
  return Addon::Of(info.Env()).settler().Wait(info.Env(), look);
}

/// builds(): returns, for this process, whether kernels are cached, how many modules were compiled
/// with the cache, and how many were found in it.
Napi::Value Builds(const Napi::CallbackInfo& info) {
  const BuildCounts counts = CountBuilds();
  auto builds = Napi::Object::New(info.Env());
  builds["areKept"] = counts.has_layer;
  builds["compiled"] = static_cast<double>(counts.compiled);
  builds["found"] = static_cast<double>(counts.found);
  return builds;
}

/// devices(): returns a list of the devices' properties.
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

/// select(selector): returns the index of the device that a filter selector names, or null.
Napi::Value Select(const Napi::CallbackInfo& info) {
  const auto index = Runtime::Get().Select(ReadString(info[0], "syclobj"));
  if (!index) return info.Env().Null();
  return Napi::Number::New(info.Env(), static_cast<double>(*index));
}

/// queryPointer(pointer): returns {type, contextDevice, range}. `contextDevice` is the device that
/// an address belongs to, in any context, or null. `range` is that of this library's memory.
Napi::Value QueryPointer(const Napi::CallbackInfo& info) {
  const PointerFound found = Runtime::Get().Find(ReadPointer(info[0], "pointer"));
  auto answer = Napi::Object::New(info.Env());
  answer["type"] = static_cast<double>(found.type);
  answer["contextDevice"] = info.Env().Null();
  if (found.context_device != nullptr)
    answer["contextDevice"] = DescribeContextDevice(info.Env(), found.context_device);
  answer["range"] = DescribeRange(info.Env(), found.block ? found.block->allocation() : nullptr);
  return answer;
}

/// contextDevice(device): returns a device in its default context.
Napi::Value GetContextDevice(const Napi::CallbackInfo& info) {
  return DescribeContextDevice(info.Env(),
                               Runtime::Get().device(ReadSize(info[0], "device")).context_device);
}

/// divide(device, computeUnits): returns parts of a device, each in a context of its own.
Napi::Value Divide(const Napi::CallbackInfo& info) {
  const auto parts =
      Runtime::Get().Divide(ReadSize(info[0], "device"), ReadSize(info[1], "computeUnits"));
  auto list = Napi::Array::New(info.Env());
  for (const auto& part : parts) list[list.Length()] = DescribeContextDevice(info.Env(), part);
  return list;
}

/// typeIn(contextDevice, pointer): returns the type of an address in a context, for code that wants
/// to borrow it.
Napi::Value TypeIn(const Napi::CallbackInfo& info) {
  const auto context_device = Handle<ContextDevice>::Unwrap(info[0], "context");
  const PointerFound found = Runtime::Get().FindIn(context_device, ReadPointer(info[1], "pointer"));
  const UsmType type = found.IsToBeHad() ? found.type : UsmType::kUnknown;
  return Napi::Number::New(info.Env(), static_cast<double>(type));
}

/// rangeOf(pointer): returns {pointer, byteLength} of this library's memory around an address, or
/// null.
Napi::Value RangeOf(const Napi::CallbackInfo& info) {
  const auto block = Runtime::Get().blocks().Find(ReadPointer(info[0], "pointer"));
  return DescribeRange(info.Env(), block ? block->allocation() : nullptr);
}

/// contextReference(contextDevice): returns the address of the native context reference, valid
/// while the handle is referenced.
Napi::Value ContextReferenceOf(const Napi::CallbackInfo& info) {
  const auto context_device = Handle<ContextDevice>::Unwrap(info[0], "context");
  const auto reference = reinterpret_cast<std::uintptr_t>(context_device->context.get());
  return Napi::BigInt::New(info.Env(), static_cast<std::uint64_t>(reference));
}

/// releaseCached(): returns a promise that settles once all memory in the cache is released.
Napi::Value ReleaseCached(const Napi::CallbackInfo& info) {
  Background::Instance().allocator().ReleaseCached();
  const auto look = [] {
    return PollResult{Background::Instance().allocator().HasReleased(), std::nullopt};
  };
  return Addon::Of(info.Env()).settler().Wait(info.Env(), look);
}

/// liveCounts(): returns the process's counts of allocations that JavaScript or pending work uses,
/// cached allocations, queues, cached queues, events of the runtime, and modules of user kernels.
Napi::Value LiveCounts(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  CachingAllocator& allocator = Background::Instance().allocator();
  const std::size_t all = runtime.blocks().count();
  const std::size_t kept = allocator.kept();
  const std::size_t unused = kept + allocator.releasing();
  auto counts = Napi::Object::New(info.Env());
  counts["allocations"] = static_cast<double>(all > unused ? all - unused : 0);
  counts["cached"] = static_cast<double>(kept);
  counts["queues"] = static_cast<double>(runtime.queues().count());
  counts["cachedQueues"] = static_cast<double>(CachedQueues::count());
  counts["events"] = static_cast<double>(SyclEvent::count());
  counts["modules"] = static_cast<double>(LoadedModule::count());
  return counts;
}

}  // namespace

void BindRuntime(Napi::Object exports) {
  Export<Open>(exports, "open");
  Export<EndBuilding>(exports, "endBuilding");
  Export<WhenKernelsReady>(exports, "whenKernelsReady");
  Export<Builds>(exports, "builds");
  Export<Devices>(exports, "devices");
  Export<Select>(exports, "select");
  Export<QueryPointer>(exports, "queryPointer");
  Export<GetContextDevice>(exports, "contextDevice");
  Export<Divide>(exports, "divide");
  Export<TypeIn>(exports, "typeIn");
  Export<RangeOf>(exports, "rangeOf");
  Export<ContextReferenceOf>(exports, "contextReference");
  Export<ReleaseCached>(exports, "releaseCached");
  Export<LiveCounts>(exports, "liveCounts");
}

}  // namespace array_interface::sycl
