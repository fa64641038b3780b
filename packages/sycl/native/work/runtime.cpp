#include "runtime.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "driver/async_error.hpp"
#include "driver/foreign_reference.hpp"
#include "memory/usm_allocation.hpp"
#include "queue.hpp"
#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kAllDevices = ((1 << 5) - 1) << 16 | ((1 << 6) - 1);

std::mutex opening;
Runtime* opened = nullptr;

[[noreturn]] void Unavailable(const std::string& message) {
  throw SyclError("ERR_BACKEND_UNAVAILABLE", "", message);
}

// The OpenCL loader reads these variables when the runtime first lists devices. pip's driver
// registers itself under a path that does not exist, so it must be named, and the loader takes a
// name from nowhere else. In a worker only setenv() reaches the environment of the process. That is
// safe while other threads call getenv() if glibc guarantees it (2.41). So it is done once, at
// first use.
void NameOpenClDriver(const std::string& driver) {
  const bool chosen =
      getenv("OCL_ICD_FILENAMES") != nullptr || getenv("OCL_ICD_VENDORS") != nullptr;
  if (!driver.empty() && !chosen) setenv("OCL_ICD_FILENAMES", driver.c_str(), 0);
}

}  // namespace

Runtime& Runtime::Open(const std::string& path, const std::string& opencl,
                       const KeptKernels& kept) {
  std::lock_guard lock(opening);
  if (opened != nullptr) return *opened;
  NameOpenClDriver(opencl);
  const NamedLayer layer(kept);
  std::vector<Attempt> attempts;
  auto library = Library::Open({path}, attempts);
  if (library == nullptr) Unavailable(attempts.back().error);
  StayLoaded();
  auto* runtime = new Runtime(std::move(library));
  if (runtime->devices_.empty()) {
    delete runtime;
    Unavailable("the runtime loads but has no device");
  }
  ExitGate::Instance().CloseAtExit(std::nullopt, [runtime] { runtime->queues_.Wait(); });
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
    context_devices_.Add(devices_.back()->context_device);
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
    if (dpctl_.Device_AreEq(device->context_device->reference.get(), found.get()))
      return device->index;
  }
  return std::nullopt;
}

PointerFound Runtime::Find(std::uint64_t pointer) {
  std::vector<std::uint64_t> asked;
  const auto context_devices = context_devices_.All();
  for (auto context_device = context_devices.rbegin(); context_device != context_devices.rend();
       ++context_device) {
    const std::uint64_t context = (*context_device)->context_id();
    if (std::find(asked.begin(), asked.end(), context) != asked.end()) continue;
    asked.push_back(context);
    PointerFound found = FindIn(*context_device, pointer);
    if (found.type != UsmType::kUnknown) return found;
  }
  return {};
}

PointerFound Runtime::FindIn(const std::shared_ptr<ContextDevice>& context_device,
                             std::uint64_t pointer) {
  if (auto block = blocks_.FindHeld(pointer)) {
    const auto& own = static_cast<const UsmAllocation&>(*block->allocation());
    auto home = own.home();
    if (home == nullptr || !home->SharesContext(*context_device)) return {};
    return {own.type(), std::move(home), std::move(block)};
  }
  if (blocks_.IsGivenUp(pointer)) return {};
  const auto* const address = reinterpret_cast<const void*>(pointer);
  const UsmType type = context_device->TypeOf(address);
  if (type == UsmType::kUnknown) return {};
  return {type, OwnerOf(context_device, address)};
}

std::shared_ptr<ContextDevice> Runtime::OwnerOf(
    const std::shared_ptr<ContextDevice>& context_device, const void* pointer) {
  try {
    const auto& ask = dpctl_.USM_GetPointerDevice;
    DeviceReference device(dpctl_,
                           ask.Must(const_cast<void*>(pointer), context_device->context.get()));
    return ContextDeviceOf({dpctl_, dpctl_.Context_Copy.Must(context_device->context.get())},
                           std::move(device));
  } catch (const SyclError&) {
    return context_device;  // the device is not listed
  }
}

std::size_t Runtime::IndexOf(void* device) const {
  DeviceReference parent(dpctl_, dpctl_.Device_Copy.Must(device));
  while (parent) {
    for (const auto& listed : devices_) {
      if (dpctl_.Device_AreEq(listed->context_device->reference.get(), parent.get()))
        return listed->index;
    }
    parent = DeviceReference(dpctl_, dpctl_.Device_GetParentDevice(parent.get()));
  }
  throw SyclError("ERR_SYCLOBJ", "syclobj",
                  "expected a queue or context on one of the devices here, got another device's; "
                  "devices() lists them");
}

std::shared_ptr<ContextDevice> Runtime::ContextDeviceOf(ContextReference context,
                                                        DeviceReference device) {
  const std::size_t index = IndexOf(device.get());
  if (auto known = context_devices_.Find(context.get(), device.get())) return known;
  return context_devices_.Add(
      std::make_shared<ContextDevice>(dpctl_, index, devices_[index]->context_device->selector,
                                      std::move(context), std::move(device)));
}

std::vector<std::shared_ptr<ContextDevice>> Runtime::Divide(std::size_t index,
                                                            std::size_t compute_units) {
  void* whole = device(index).context_device->reference.get();
  const DeviceVectorReference parts(dpctl_,
                                    dpctl_.Device_CreateSubDevicesEqually(whole, compute_units));
  if (compute_units == 0 || !parts) {
    throw SyclError("ERR_ARGUMENT", "computeUnits",
                    "expected parts of 1 to " + std::to_string(device(index).compute_units) +
                        " compute units, got parts of " + std::to_string(compute_units) +
                        "; some devices cannot be divided");
  }
  std::vector<std::shared_ptr<ContextDevice>> context_devices;
  const std::size_t count = dpctl_.DeviceVector_Size(parts.get());
  for (std::size_t part = 0; part < count; ++part) {
    DeviceReference device(dpctl_, dpctl_.DeviceVector_GetAt.Must(parts.get(), part));
    ContextReference context(dpctl_, dpctl_.Context_Create.Must(device.get(), &NoteAsyncError, 0));
    context_devices.push_back(ContextDeviceOf(std::move(context), std::move(device)));
  }
  return context_devices;
}

std::shared_ptr<Queue> Runtime::AdoptQueue(void* reference) {
  if (auto own = queues_.Find(reference)) return own;
  if (queues_.Has(reference)) return nullptr;  // the queue is ending
  if (!IsAliveLike(reference, devices_.front()->context_device->allocation_queue())) return nullptr;
  QueueReference copy(dpctl_, dpctl_.Queue_Copy.Must(reference));
  auto context_device = ContextDeviceOf({dpctl_, dpctl_.Queue_GetContext.Must(copy.get())},
                                        {dpctl_, dpctl_.Queue_GetDevice.Must(copy.get())});
  return Queue::Adopt(*this, std::move(context_device), std::move(copy));
}

std::shared_ptr<Queue> Runtime::AdoptContext(void* reference, void* pointer) {
  if (!IsAliveLike(reference, devices_.front()->context_device->context.get())) return nullptr;
  ContextReference context(dpctl_, dpctl_.Context_Copy.Must(reference));
  DeviceReference device;
  if (pointer == nullptr) {
    const DeviceVectorReference all(dpctl_, dpctl_.Context_GetDevices.Must(context.get()));
    device = {dpctl_, dpctl_.DeviceVector_GetAt.Must(all.get(), 0)};
  } else {
    if (dpctl_.USM_GetPointerType(pointer, context.get()) == 0) {
      throw SyclError("ERR_POINTER_UNKNOWN", "data[0]",
                      "expected USM memory of the context in syclobj, got a pointer that it does "
                      "not know; copy the array into USM memory with array()");
    }
    device = {dpctl_, dpctl_.USM_GetPointerDevice.Must(pointer, context.get())};
  }
  return Queue::Make(*this, ContextDeviceOf(std::move(context), std::move(device)), kInOrder);
}

}  // namespace array_interface::sycl
