#include "device.hpp"

#include <utility>

namespace array_interface::sycl {

namespace {

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

// The C library's numbers of aspects, by SYCL's names.
constexpr std::pair<int, const char*> kAspects[] = {
    {1, "cpu"},
    {2, "gpu"},
    {3, "accelerator"},
    {4, "custom"},
    {5, "fp16"},
    {6, "fp64"},
    {7, "atomic64"},
    {11, "queue_profiling"},
    {12, "usm_device_allocations"},
    {13, "usm_host_allocations"},
    {14, "usm_shared_allocations"},
    {15, "usm_system_allocations"},
};

std::vector<std::string> AspectsOf(const Dpctl& dpctl, void* device) {
  std::vector<std::string> aspects;
  for (const auto& [number, name] : kAspects) {
    if (dpctl.Device_HasAspect(device, number)) aspects.emplace_back(name);
  }
  return aspects;
}

std::string LimitationOf(const std::string& backend) {
  if (backend != "cuda" && backend != "hip") return "";
  return "kernels are SPIR-V, which devices of the backend " + backend +
         " do not run: only contiguous copies of equal dtypes";
}

std::shared_ptr<ContextDevice> DefaultContextDevice(const Dpctl& dpctl, std::size_t index,
                                                    void* device) {
  std::string selector = BackendName(dpctl.Device_GetBackend(device)) + ":" +
                         TypeName(dpctl.Device_GetDeviceType(device)) + ":" +
                         std::to_string(dpctl.DeviceMgr_GetRelativeId(device));
  return std::make_shared<ContextDevice>(
      dpctl, index, std::move(selector),
      ContextReference(dpctl, dpctl.DeviceMgr_GetCachedContext.Must(device)),
      DeviceReference(dpctl, dpctl.Device_Copy.Must(device)));
}

}  // namespace

Device::Device(const Dpctl& dpctl, std::size_t number, DeviceReference reference)
    : index(number),
      name(dpctl.TakeString(dpctl.Device_GetName(reference.get()))),
      backend(BackendName(dpctl.Device_GetBackend(reference.get()))),
      type(TypeName(dpctl.Device_GetDeviceType(reference.get()))),
      driver_version(dpctl.TakeString(dpctl.Device_GetDriverVersion(reference.get()))),
      memory_bytes(dpctl.Device_GetGlobalMemSize(reference.get())),
      compute_units(dpctl.Device_GetMaxComputeUnits(reference.get())),
      aspects(AspectsOf(dpctl, reference.get())),
      limitation(LimitationOf(backend)),
      context_device(DefaultContextDevice(dpctl, number, reference.get())) {}

}  // namespace array_interface::sycl
