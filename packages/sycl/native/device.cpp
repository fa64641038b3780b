#include "device.hpp"

#include <utility>

#include "async_error.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kInOrder = 2;

std::string TypeName(int type) {
  switch (type) {
    case 1 << 0:
      return "accelerator";
    case 1 << 2:
      return "cpu";
    case 1 << 4:
      return "gpu";
    default:
      return "custom";
  }
}

std::string BackendName(int backend) {
  switch (backend) {
    case 1 << 16:
      return "cuda";
    case 1 << 17:
      return "level_zero";
    case 1 << 18:
      return "opencl";
    case 1 << 19:
      return "hip";
    default:
      return "unknown";
  }
}

std::string Selector(const Dpctl& dpctl, void* device) {
  return BackendName(dpctl.Device_GetBackend(device)) + ":" +
         TypeName(dpctl.Device_GetDeviceType(device)) + ":" +
         std::to_string(dpctl.DeviceMgr_GetRelativeId(device));
}

}  // namespace

Device::Device(const Dpctl& table, std::size_t place, DeviceReference owned)
    : dpctl(table),
      index(place),
      reference(std::move(owned)),
      context(dpctl, dpctl.DeviceMgr_GetCachedContext.Must(reference.get())),
      name(dpctl.TakeString(dpctl.Device_GetName(reference.get()))),
      type(TypeName(dpctl.Device_GetDeviceType(reference.get()))),
      driver_version(dpctl.TakeString(dpctl.Device_GetDriverVersion(reference.get()))),
      selector(Selector(dpctl, reference.get())),
      memory_bytes(dpctl.Device_GetGlobalMemSize(reference.get())),
      kernels_(dpctl) {}

void* Device::allocation_queue() {
  std::lock_guard lock(mutex_);
  if (!allocation_queue_) allocation_queue_ = MakeQueue(*this, true);
  return allocation_queue_.get();
}

QueueReference MakeQueue(const Device& device, bool in_order) {
  const auto& create = device.dpctl.Queue_CreateForDevice;
  void* device_reference = device.reference.get();
  return {device.dpctl, create.Must(device_reference, &NoteAsyncError, in_order ? kInOrder : 0)};
}

}  // namespace array_interface::sycl
