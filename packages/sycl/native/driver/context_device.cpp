#include "context_device.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "async_error.hpp"
#include "memory/process_allocator.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kSystemAllocations = 15;  // the aspect's number in the C library
constexpr std::size_t kLeastKept = std::size_t{64} << 20;
constexpr std::size_t kKeptPart = 8;
/// The host's page. Intel's runtime for CPUs was seen to use one for the smallest memory.
constexpr std::size_t kPage = 4096;
/// The smallest page of Intel's GPUs.
constexpr std::size_t kDevicePage = std::size_t{64} << 10;

std::uint64_t NextId() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

ContextDevice::ContextDevice(const Dpctl& table, std::size_t listed, std::string name,
                             ContextReference in, DeviceReference of)
    : dpctl(table),
      device(listed),
      selector(std::move(name)),
      shared_context(std::make_shared<const ContextReference>(std::move(in))),
      context(*shared_context),
      reference(std::move(of)),
      id(NextId()),
      kernels_(table) {}

ContextDevice::~ContextDevice() {
  try {
    ProcessAllocator().Forget(name());
  } catch (...) {
    // Memory that is cached here stays until releaseCached().
  }
}

UsmType ContextDevice::TypeOf(const void* pointer) const {
  if (pointer == nullptr) return UsmType::kUnknown;
  const int type = dpctl.USM_GetPointerType(const_cast<void*>(pointer), context.get());
  return type >= 1 && type <= 3 ? static_cast<UsmType>(type) : UsmType::kUnknown;
}

bool ContextDevice::Is(void* other_context, void* other_device) const {
  return HasContext(other_context) && dpctl.Device_AreEq(reference.get(), other_device);
}

bool ContextDevice::HasContext(void* other_context) const {
  return dpctl.Context_AreEq(context.get(), other_context);
}

bool ContextDevice::RunsKernels() const {
  return selector.rfind("cuda:", 0) != 0 && selector.rfind("hip:", 0) != 0;
}

bool ContextDevice::ReachesSystem() const {
  return dpctl.Device_HasAspect(reference.get(), kSystemAllocations);
}

std::size_t ContextDevice::KeptAtMost(UsmType type) const {
  if (type != UsmType::kDevice) return kLeastKept;
  if (memory_ == 0) memory_ = dpctl.Device_GetGlobalMemSize(reference.get());
  return std::max<std::size_t>(kLeastKept, memory_ / kKeptPart);
}

std::size_t ContextDevice::PieceOf(UsmType type) const {
  const bool is_cpu = selector.find(":cpu:") != std::string::npos;
  return type == UsmType::kHost || is_cpu ? kPage : kDevicePage;
}

QueueReference ContextDevice::MakeQueue(int properties) {
  if (auto kept = cached_queues_.Take(properties)) return kept;
  const auto& create = dpctl.Queue_Create;
  return {dpctl, create.Must(context.get(), reference.get(), &NoteAsyncError, properties)};
}

void* ContextDevice::allocation_queue() {
  std::lock_guard lock(mutex_);
  if (!allocation_queue_) allocation_queue_ = MakeQueue(kInOrder);
  return allocation_queue_.get();
}

}  // namespace array_interface::sycl
