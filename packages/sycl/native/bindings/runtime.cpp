#include "work/runtime.hpp"

#include "bindings/bindings.hpp"
#include "bindings/describe.hpp"
#include "driver/opencl_layer.hpp"
#include "memory/process_allocator.hpp"

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
  return MakeObject(info.Env(), {
                                    {"library", runtime.path()},
                                    {"version", runtime.version()},
                                });
}

/// builds(): returns, for this process, whether kernels are cached, how many modules were compiled
/// with the cache, and how many were found in it.
Napi::Value Builds(const Napi::CallbackInfo& info) {
  const BuildCounts counts = CountBuilds();
  return MakeObject(info.Env(), {
                                    {"areKept", counts.has_layer},
                                    {"compiled", counts.compiled},
                                    {"found", counts.found},
                                });
}

/// devices(): returns a list of the devices' properties.
Napi::Value Devices(const Napi::CallbackInfo& info) {
  const Runtime& runtime = Runtime::Get();
  auto list = Napi::Array::New(info.Env(), runtime.device_count());
  for (std::size_t index = 0; index < runtime.device_count(); ++index) {
    const Device& device = runtime.device(index);
    const auto reference = reinterpret_cast<std::uintptr_t>(device.context_device->reference.get());
    auto aspects = Napi::Array::New(info.Env());
    for (const auto& aspect : device.aspects) aspects[aspects.Length()] = aspect;
    auto entry = MakeObject(
        info.Env(),
        {
            {"index", index},
            {"name", device.name},
            {"type", device.type},
            {"driverVersion", device.driver_version},
            {"memory", device.memory_bytes},
            {"handle", Napi::BigInt::New(info.Env(), static_cast<std::uint64_t>(reference))},
            {"selector", device.context_device->selector},
            {"backend", device.backend},
            {"computeUnits", device.compute_units},
            {"limitation", info.Env().Null()},
            {"aspects", aspects},
        });
    if (!device.limitation.empty()) entry["limitation"] = device.limitation;
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
  Napi::Value context_device = info.Env().Null();
  if (found.context_device != nullptr) {
    context_device = DescribeContextDevice(info.Env(), found.context_device);
  }
  return MakeObject(
      info.Env(),
      {
          {"type", found.type},
          {"contextDevice", context_device},
          {"range", DescribeRange(info.Env(), found.block ? found.block->allocation() : nullptr)},
      });
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
  const auto context_device = SyclBackend::ReadDevice(info[0]);
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
  const auto context_device = SyclBackend::ReadDevice(info[0]);
  const auto reference = reinterpret_cast<std::uintptr_t>(context_device->context.get());
  return Napi::BigInt::New(info.Env(), static_cast<std::uint64_t>(reference));
}

/// liveCounts(): returns the process's counts of allocations that JavaScript or pending work uses,
/// cached allocations, queues, cached queues, events of the runtime, and modules of user kernels.
Napi::Value LiveCounts(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  CachingAllocator& allocator = ProcessAllocator();
  const std::size_t all = runtime.blocks().count();
  const std::size_t kept = allocator.kept();
  const std::size_t unused = kept + allocator.releasing();
  return MakeObject(info.Env(), {
                                    {"allocations", all > unused ? all - unused : 0},
                                    {"cached", kept},
                                    {"queues", runtime.queues().count()},
                                    {"cachedQueues", CachedQueues::count()},
                                    {"events", SyclEvent::count()},
                                    {"modules", LoadedModule::count()},
                                });
}

}  // namespace

void BindRuntime(Napi::Object exports) {
  AddExports(exports, {
                          {"open", kFunction<Open>},
                          {"builds", kFunction<Builds>},
                          {"devices", kFunction<Devices>},
                          {"select", kFunction<Select>},
                          {"queryPointer", kFunction<QueryPointer>},
                          {"contextDevice", kFunction<GetContextDevice>},
                          {"divide", kFunction<Divide>},
                          {"typeIn", kFunction<TypeIn>},
                          {"rangeOf", kFunction<RangeOf>},
                          {"contextReference", kFunction<ContextReferenceOf>},
                          {"liveCounts", kFunction<LiveCounts>},
                      });
}

}  // namespace array_interface::sycl
