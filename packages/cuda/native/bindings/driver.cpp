#include "driver/driver.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "driver/hex.hpp"
#include "driver/live_counts.hpp"
#include "memory/process_memory.hpp"
#include "napi/argument.hpp"
#include "work/loaded_module.hpp"

namespace array_interface::cuda {

namespace {

/// load(...candidates): { path, version, deviceCount }, or the list of what was tried.
Napi::Value Load(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::vector<std::string> candidates;
  candidates.reserve(info.Length());
  for (std::size_t i = 0; i < info.Length(); i++) candidates.push_back(ReadString(info[i], "path"));
  std::vector<Attempt> attempts;
  const Driver* driver = Driver::Load(candidates, attempts);
  if (driver != nullptr) {
    return MakeObject(env, {
                               {"path", driver->path()},
                               {"version", driver->version()},
                               {"deviceCount", driver->device_count()},
                           });
  }
  auto tried = Napi::Array::New(env);
  for (const auto& attempt : attempts) {
    tried[tried.Length()] = MakeObject(env, {{"path", attempt.path}, {"error", attempt.error}});
  }
  return tried;
}

/// devices(): the name, the bytes of memory and the UUID of each.
Napi::Value Devices(const Napi::CallbackInfo& info) {
  auto devices = Napi::Array::New(info.Env());
  int count = 0;
  Cuda().cuDeviceGetCount(&count);
  for (int ordinal = 0; ordinal < count; ordinal++) {
    DeviceNumber number = 0;
    std::array<char, 256> name{};
    std::size_t memory = 0;
    Cuda().cuDeviceGet(&number, ordinal);
    Cuda().cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, number);
    Cuda().cuDeviceTotalMem(&memory, number);
    Uuid uuid{};
    Cuda().cuDeviceGetUuid(&uuid, number);
    devices[devices.Length()] =
        MakeObject(info.Env(), {
                                   {"name", name.data()},
                                   {"memory", memory},
                                   {"uuid", ToHex(info.Env(), uuid.bytes, sizeof(uuid.bytes))},
                               });
  }
  return devices;
}

/// sharesManaged(device): whether the host may access managed memory while the device works.
Napi::Value SharesManaged(const Napi::CallbackInfo& info) {
  int shares = 0;
  const auto device = static_cast<DeviceNumber>(ReadSize(info[0], "device"));
  Cuda().cuDeviceGetAttribute(&shares, kDeviceConcurrentManagedAccess, device);
  return Napi::Boolean::New(info.Env(), shares != 0);
}

/// liveCounts(): the numbers of this process's driver objects. src/addon.ts describes each.
Napi::Value LiveCounts(const Napi::CallbackInfo& info) {
  const auto count = [](LiveKind kind) { return static_cast<double>(LiveCount::Of(kind).load()); };
  const auto kept = static_cast<double>(ProcessAllocator().kept());
  const auto free = static_cast<double>(EventPool::Get().free());
  return MakeObject(info.Env(), {
                                    {"allocations", count(LiveKind::kAllocation) - kept},
                                    {"releasing", ProcessAllocator().releasing()},
                                    {"cached", kept},
                                    {"streams", count(LiveKind::kStream)},
                                    {"events", count(LiveKind::kEvent) - free},
                                    {"freeEvents", free},
                                    {"modules", LoadedModule::count()},
                                });
}

}  // namespace

void BindDriver(Napi::Object exports) {
  AddExports(exports, {
                          {"load", kFunction<Load>},
                          {"devices", kFunction<Devices>},
                          {"sharesManaged", kFunction<SharesManaged>},
                          {"liveCounts", kFunction<LiveCounts>},
                      });
}

}  // namespace array_interface::cuda
