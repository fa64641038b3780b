#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "cached_queues.hpp"
#include "kernels.hpp"
#include "napi/setup.hpp"
#include "reference.hpp"

namespace array_interface::sycl {

/// Properties of a native queue, with the C library's values.
enum QueueProperties : int { kProfiling = 1, kInOrder = 2 };

/// A device in a context. Memory, queues and kernels belong to one. Safe to use from any thread.
class ContextDevice {
 public:
  static constexpr napi_type_tag kTag{0x6d1f0b83c2e94a57u, 0x8e24a7d9016bf3c5u};

  /// `device`: index of the listed device that `reference` is, or is a part of.
  ContextDevice(const Dpctl& dpctl, std::size_t device, std::string selector,
                ContextReference context, DeviceReference reference);
  /// Requests the release of the memory that is cached for this context and device.
  ~ContextDevice();

  const Dpctl& dpctl;
  const std::size_t device;
  const std::string selector;  ///< of the listed device: opencl:cpu:0
  /// Lives as long as memory in this context, which may be longer than this object.
  const std::shared_ptr<const ContextReference> shared_context;
  const ContextReference& context;
  const DeviceReference reference;
  const std::uint64_t id;  ///< unique in the process

  /// Identifies the native context. Live objects of one native context share it, and no other
  /// context has it.
  std::uint64_t context_id() const { return context_id_; }

  /// Identifies this object in its memory's allocations. Never used again for another object.
  const void* name() const { return reinterpret_cast<const void*>(std::uintptr_t{id}); }

  /// The type of an address in this context; kUnknown for null.
  UsmType TypeOf(const void* pointer) const;
  /// Whether a native context and device equal this object's.
  bool Is(void* other_context, void* other_device) const;
  bool HasContext(void* other_context) const;
  /// Whether both are in one context.
  bool SharesContext(const ContextDevice& other) const { return context_id_ == other.context_id_; }
  /// Whether the device can run this library's kernels, which are SPIR-V.
  bool RunsKernels() const;
  /// Whether the device can access all memory of this process, whatever allocated it.
  bool ReachesSystem() const;
  /// The most bytes of a kind of memory that may be cached for later allocations.
  std::size_t KeptAtMost(UsmType type) const;
  /// The granularity, in bytes, in which the runtime allocates this kind of memory.
  std::size_t PieceOf(UsmType type) const;
  /// Returns a queue here without pending work: a cached one, or a new one. Throws SyclError.
  QueueReference MakeQueue(int properties);
  CachedQueues& cached_queues() { return cached_queues_; }
  /// The queue for allocations. Created on first use.
  void* allocation_queue();
  Kernels& kernels() { return kernels_; }

 private:
  friend class ContextDeviceTable;

  std::uint64_t context_id_ = 0;                  // written before the object is shared
  mutable std::atomic<std::uint64_t> memory_{0};  ///< bytes; 0 before it is queried
  std::mutex mutex_;
  QueueReference allocation_queue_;
  CachedQueues cached_queues_;
  Kernels kernels_;
};

}  // namespace array_interface::sycl
