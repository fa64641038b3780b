#include "bind.hpp"
#include "napi/argument.hpp"
#include "runtime.hpp"

namespace array_interface::sycl {

namespace {

/// An address; null when it lies in memory of ours that is about to be given back.
const void* ReadAddress(Runtime& runtime, const Napi::Value& value) {
  const std::uint64_t address = ReadPointer(value, "pointer");
  return runtime.blocks().IsEnding(address) ? nullptr : reinterpret_cast<const void*>(address);
}

/// open(library, openClDriver): loads the runtime, or answers the one that is loaded.
Napi::Value Open(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Open(ReadString(info[0], "library"), ReadString(info[1], "driver"));
  auto opened = Napi::Object::New(info.Env());
  opened["library"] = runtime.path();
  opened["version"] = runtime.version();
  return opened;
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
    entry["selector"] = device.selector;
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

/// find(pointer): {type, device} as the runtime has them, in any context.
Napi::Value Find(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  const PointerFound found = runtime.Find(ReadAddress(runtime, info[0]));
  auto answer = Napi::Object::New(info.Env());
  answer["type"] = static_cast<double>(found.type);
  answer["device"] = info.Env().Null();
  if (found.device) answer["device"] = static_cast<double>(*found.device);
  return answer;
}

/// typeOn(device, pointer): type of an address in the context of one device.
Napi::Value TypeOn(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  const Device& device = runtime.device(ReadSize(info[0], "device"));
  const UsmType type = runtime.TypeOf(ReadAddress(runtime, info[1]), device);
  return Napi::Number::New(info.Env(), static_cast<double>(type));
}

}  // namespace

void BindRuntime(Napi::Object exports) {
  Export<Open>(exports, "open");
  Export<Devices>(exports, "devices");
  Export<Select>(exports, "select");
  Export<Find>(exports, "find");
  Export<TypeOn>(exports, "typeOn");
}

}  // namespace array_interface::sycl
