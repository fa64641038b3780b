#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "kept_queues.hpp"
#include "kernels.hpp"
#include "napi/setup.hpp"
#include "reference.hpp"

namespace array_interface::sycl {

/// Properties of a native queue, by the C library's numbers.
enum QueueProperties : int { kProfiling = 1, kInOrder = 2 };

/// A device in a context. Memory, queues and kernels belong to one. Safe from any thread.
class ContextDevice {
 public:
  static constexpr napi_type_tag kTag{0x6d1f0b83c2e94a57u, 0x8e24a7d9016bf3c5u};

  /// `device`: index of the listed device that `reference` is, or is a part of.
  ContextDevice(const Dpctl& dpctl, std::size_t device, std::string selector,
                ContextReference context, DeviceReference reference);
  /// Has memory released that was kept for the next allocations here.
  ~ContextDevice();
  ContextDevice(const ContextDevice&) = delete;
  ContextDevice& operator=(const ContextDevice&) = delete;

  const Dpctl& dpctl;
  const std::size_t device;
  const std::string selector;  ///< of the listed device: opencl:cpu:0
  /// Lives as long as memory of this place, which may be longer than the place.
  const std::shared_ptr<const ContextReference> shared_context;
  const ContextReference& context;
  const DeviceReference reference;
  const std::uint64_t id;  ///< no two places of the process share it

  /// A number that no other native context has, among live contexts with their devices.
  std::uint64_t context_id() const { return context_id_; }

  /// What memory of this place says of where it comes from. No other place ever has the same.
  const void* name() const { return reinterpret_cast<const void*>(std::uintptr_t{id}); }

  /// The type of an address in this context; kUnknown for null.
  UsmType TypeOf(const void* pointer) const;
  /// Whether a native context and device are these.
  bool Is(void* other_context, void* other_device) const;
  bool HasContext(void* other_context) const;
  /// Whether both are in one context.
  bool SharesContext(const ContextDevice& other) const { return context_id_ == other.context_id_; }
  /// Whether the device runs our kernels, which are SPIR-V.
  bool RunsKernels() const;
  /// Whether the device reaches all memory of this process, no matter what allocated it.
  bool ReachesSystem() const;
  /// Bytes of a kind of memory that may be kept for the next allocations.
  std::size_t KeptAtMost(UsmType type) const;
  /// Bytes of the pieces in which this kind of memory is given.
  std::size_t PieceOf(UsmType type) const;
  /// A queue here that has no work: one that was kept, or a new one. Throws SyclError.
  QueueReference MakeQueue(int properties);
  KeptQueues& kept_queues() { return kept_queues_; }
  /// The queue for allocations. It is made at first use.
  void* allocation_queue();
  Kernels& kernels() { return kernels_; }

 private:
  friend class ContextDeviceTable;

  std::uint64_t context_id_ = 0;                  // written before others know of the place
  mutable std::atomic<std::uint64_t> memory_{0};  ///< bytes, once somebody asked
  std::mutex mutex_;
  QueueReference allocation_queue_;
  KeptQueues kept_queues_;
  Kernels kernels_;
};

}  // namespace array_interface::sycl
