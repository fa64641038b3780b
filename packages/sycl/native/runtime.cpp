#include "runtime.hpp"

#include <cstdlib>
#include <mutex>
#include <utility>

#include "background.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kAllDevices = ((1 << 5) - 1) << 16 | ((1 << 6) - 1);

std::mutex opening;
Runtime* opened = nullptr;

[[noreturn]] void Unavailable(const std::string& message) {
  throw SyclError("ERR_BACKEND_UNAVAILABLE", "", message);
}

// The OpenCL loader reads these when the runtime first looks for devices. The driver that comes
// with pip registers itself under a path that does not exist, so it has to be named.
void NameOpenClDriver(const std::string& driver) {
  const bool chosen =
      getenv("OCL_ICD_FILENAMES") != nullptr || getenv("OCL_ICD_VENDORS") != nullptr;
  if (!driver.empty() && !chosen) setenv("OCL_ICD_FILENAMES", driver.c_str(), 0);
}

}  // namespace

Runtime& Runtime::Open(const std::string& path, const std::string& opencl) {
  std::lock_guard lock(opening);
  if (opened != nullptr) return *opened;
  NameOpenClDriver(opencl);
  std::vector<Attempt> attempts;
  auto library = Library::Open({path}, attempts);
  if (library == nullptr) Unavailable(attempts.back().error);
  StayLoaded();
  auto* runtime = new Runtime(std::move(library));
  if (runtime->devices_.empty()) {
    delete runtime;
    Unavailable("the runtime loads but has no device");
  }
  Background::Instance().CloseAtExit([runtime] { runtime->queues_.Wait(runtime->dpctl_); });
  opened = runtime;
  return *runtime;
}

Runtime& Runtime::Get() {
  std::lock_guard lock(opening);
  if (opened == nullptr) Unavailable("expected an opened SYCL runtime, got none; open one first");
  return *opened;
}

Runtime::Runtime(std::shared_ptr<const Library> library) : library_(std::move(library)) {
  const auto missing = dpctl_.Bind(*library_);
  if (!missing.empty()) {
    Unavailable("the library lacks " + missing.front() + "; dpctl 0.22 or later is needed");
  }
  const DeviceVectorReference list(dpctl_, dpctl_.DeviceMgr_GetDevices.Must(kAllDevices));
  const std::size_t count = dpctl_.DeviceVector_Size(list.get());
  for (std::size_t index = 0; index < count; ++index) {
    DeviceReference device(dpctl_, dpctl_.DeviceVector_GetAt.Must(list.get(), index));
    devices_.push_back(std::make_unique<Device>(dpctl_, index, std::move(device)));
  }
}

std::string Runtime::version() const { return dpctl_.TakeString(dpctl_.Service_GetDPCPPVersion()); }

Device& Runtime::device(std::size_t index) const {
  if (index < devices_.size()) return *devices_[index];
  throw SyclError("ERR_ARGUMENT", "device",
                  "expected a device from 0 to " + std::to_string(devices_.size() - 1) + ", got " +
                      std::to_string(index) + "; devices() lists them");
}

std::optional<std::size_t> Runtime::Select(const std::string& selector) const {
  const SelectorReference filter(dpctl_, dpctl_.FilterSelector_Create(selector.c_str()));
  if (!filter) return std::nullopt;
  const DeviceReference found(dpctl_, dpctl_.Device_CreateFromSelector(filter.get()));
  if (!found) return std::nullopt;
  for (const auto& device : devices_) {
    if (dpctl_.Device_AreEq(device->reference.get(), found.get())) return device->index;
  }
  return std::nullopt;
}

UsmType Runtime::TypeOf(const void* pointer, const Device& device) const {
  if (pointer == nullptr) return UsmType::kUnknown;
  const int type = dpctl_.USM_GetPointerType(const_cast<void*>(pointer), device.context.get());
  return type >= 1 && type <= 3 ? static_cast<UsmType>(type) : UsmType::kUnknown;
}

PointerFound Runtime::Find(const void* pointer) const {
  for (const auto& in : devices_) {
    const UsmType type = TypeOf(pointer, *in);
    if (type == UsmType::kUnknown) continue;
    const auto& device_of = dpctl_.USM_GetPointerDevice;
    const DeviceReference found(dpctl_,
                                device_of.Must(const_cast<void*>(pointer), in->context.get()));
    for (const auto& device : devices_) {
      if (dpctl_.Device_AreEq(device->reference.get(), found.get())) return {type, device->index};
    }
    return {type, std::nullopt};
  }
  return {UsmType::kUnknown, std::nullopt};
}

}  // namespace array_interface::sycl
