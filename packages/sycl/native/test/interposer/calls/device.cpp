// Devices, contexts and kernels: how they are listed, and how many references to them are live.

#include <string>

#include "calls.hpp"
#include "world/functions.hpp"
#include "world/world.hpp"

namespace array_interface::sycl::interposer {

namespace {

Mark MarkOf(Kind kind, void* reference) { return Visit()->references.MarkOf(kind, reference); }

void* Give(Kind kind, void* reference, Mark mark = kFirst) {
  return Visit()->Give(kind, reference, mark);
}

/// Deletes a reference, unless it was deleted before.
template <class Delete, class Reference>
void Take(Kind kind, Reference reference, Delete delete_it) {
  if (Visit()->references.Remove(kind, reference)) delete_it(reference);
}

/// A filter that names the second device, changed to name the device that exists; empty for any
/// other.
std::string FirstInsteadOfSecond(const std::string& filter) {
  const std::size_t colon = filter.find_last_of(':');
  const std::size_t start = colon == std::string::npos ? 0 : colon + 1;
  return filter.substr(start) == "1" ? filter.substr(0, start) + "0" : "";
}

}  // namespace

void Calls::CString_Delete(const char* text) { Take(Kind::kText, text, real().CString_Delete); }

void* Calls::DeviceMgr_GetDevices(int mask) {
  void* vector = real().DeviceMgr_GetDevices(mask);
  Visit visit;
  return visit->Give(Kind::kVector, vector, visit->settings.two_devices ? kBoth : kFirst);
}

std::int64_t Calls::DeviceMgr_GetRelativeId(void* device) {
  const std::int64_t id = real().DeviceMgr_GetRelativeId(device);
  return id < 0 ? id : id + MarkOf(Kind::kDevice, device);
}

void* Calls::DeviceMgr_GetCachedContext(void* device) {
  return Give(Kind::kContext, real().DeviceMgr_GetCachedContext(device));
}

std::size_t Calls::DeviceVector_Size(void* vector) {
  const std::size_t size = real().DeviceVector_Size(vector);
  return MarkOf(Kind::kVector, vector) == kBoth ? 2 * size : size;
}

void* Calls::DeviceVector_GetAt(void* vector, std::size_t index) {
  const std::size_t size = real().DeviceVector_Size(vector);
  Mark mark = MarkOf(Kind::kVector, vector);
  if (mark == kBoth) mark = index < size ? kFirst : kSecond;
  const std::size_t place = mark == kSecond && index >= size ? index - size : index;
  return Give(Kind::kDevice, real().DeviceVector_GetAt(vector, place), mark);
}

void Calls::DeviceVector_Delete(void* vector) {
  Take(Kind::kVector, vector, real().DeviceVector_Delete);
}

bool Calls::Device_AreEq(void* one, void* other) {
  if (!real().Device_AreEq(one, other)) return false;
  return MarkOf(Kind::kDevice, one) == MarkOf(Kind::kDevice, other);
}

std::size_t Calls::Device_Hash(void* device) {
  return more().Device_Hash(device) ^ static_cast<std::size_t>(MarkOf(Kind::kDevice, device));
}

void* Calls::Device_CreateFromSelector(void* selector) {
  const Mark mark = MarkOf(Kind::kSelector, selector);
  return Give(Kind::kDevice, real().Device_CreateFromSelector(selector), mark);
}

void Calls::Device_Delete(void* device) { Take(Kind::kDevice, device, real().Device_Delete); }

void* Calls::FilterSelector_Create(const char* text) {
  std::string other;
  if (text != nullptr && Visit()->settings.two_devices) other = FirstInsteadOfSecond(text);
  if (other.empty()) return Give(Kind::kSelector, real().FilterSelector_Create(text));
  return Give(Kind::kSelector, real().FilterSelector_Create(other.c_str()), kSecond);
}

void Calls::DeviceSelector_Delete(void* selector) {
  Take(Kind::kSelector, selector, real().DeviceSelector_Delete);
}

void* Calls::Device_Copy(void* device) {
  return Give(Kind::kDevice, real().Device_Copy(device), MarkOf(Kind::kDevice, device));
}

void* Calls::Device_GetParentDevice(void* device) {
  return Give(Kind::kDevice, real().Device_GetParentDevice(device), MarkOf(Kind::kDevice, device));
}

void* Calls::Device_CreateSubDevicesEqually(void* device, std::size_t units) {
  void* parts = real().Device_CreateSubDevicesEqually(device, units);
  return Give(Kind::kVector, parts, MarkOf(Kind::kDevice, device));
}

bool Calls::Device_CanAccessPeer(void* device, void* peer, int kind) {
  const bool can = more().Device_CanAccessPeer(device, peer, kind);
  Visit visit;
  const auto& references = visit->references;
  const bool is_other =
      references.MarkOf(Kind::kDevice, device) != references.MarkOf(Kind::kDevice, peer);
  return is_other ? visit->settings.are_peers : can;
}

void Calls::Device_EnablePeerAccess(void* device, void* peer) {
  Visit visit;
  const auto& references = visit->references;
  const Mark mark = references.MarkOf(Kind::kDevice, device);
  if (mark == references.MarkOf(Kind::kDevice, peer) || !visit->settings.are_peers) return;
  visit->reaches[mark] = true;
}

void Calls::Device_DisablePeerAccess(void* device, void* peer) {
  Visit visit;
  const auto& references = visit->references;
  const Mark mark = references.MarkOf(Kind::kDevice, device);
  if (mark != references.MarkOf(Kind::kDevice, peer)) visit->reaches[mark] = false;
}

void* Calls::Context_Create(void* device, void (*handler)(int), int properties) {
  void* context = real().Context_Create(device, handler, properties);
  if (context == nullptr) return nullptr;
  const std::size_t hash = more().Context_Hash(context);
  Visit visit;
  visit->context_devices[hash] = visit->references.MarkOf(Kind::kDevice, device);
  return visit->Give(Kind::kContext, context);
}

void* Calls::Context_Copy(void* context) {
  return Give(Kind::kContext, real().Context_Copy(context));
}

void* Calls::Context_GetDevices(void* context) {
  void* devices = real().Context_GetDevices(context);
  const std::size_t hash = more().Context_Hash(context);
  Visit visit;
  const auto& known = visit->context_devices;
  const auto found = known.find(hash);
  const Mark otherwise = visit->settings.two_devices ? kBoth : kFirst;
  return visit->Give(Kind::kVector, devices, found == known.end() ? otherwise : found->second);
}

void Calls::Context_Delete(void* context) { Take(Kind::kContext, context, real().Context_Delete); }

void* Calls::KernelBundle_CreateFromSpirv(void* context, void* device, const void* module,
                                          std::size_t size, const char* options) {
  ++Visit()->builds;
  return Give(Kind::kBundle,
              real().KernelBundle_CreateFromSpirv(context, device, module, size, options));
}

void* Calls::KernelBundle_CreateFromOCLSource(void* context, void* device, const char* source,
                                              const char* options) {
  return Give(Kind::kBundle,
              more().KernelBundle_CreateFromOCLSource(context, device, source, options));
}

void* Calls::KernelBundle_GetKernel(void* bundle, const char* name) {
  return Give(Kind::kKernel, real().KernelBundle_GetKernel(bundle, name));
}

void Calls::KernelBundle_Delete(void* bundle) {
  Take(Kind::kBundle, bundle, real().KernelBundle_Delete);
}

void* Calls::Kernel_Copy(void* kernel) { return Give(Kind::kKernel, more().Kernel_Copy(kernel)); }

void Calls::Kernel_Delete(void* kernel) { Take(Kind::kKernel, kernel, real().Kernel_Delete); }

}  // namespace array_interface::sycl::interposer
