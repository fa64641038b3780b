#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "kernels.hpp"
#include "napi/setup.hpp"
#include "reference.hpp"

namespace array_interface::sycl {

/// Properties of a native queue, as the C library counts them.
enum QueueProperties : int { kProfiling = 1, kInOrder = 2 };

/// A device in a context: what memory, queues and kernels belong to. Safe from any thread.
class Place {
 public:
  static constexpr napi_type_tag kTag{0x6d1f0b83c2e94a57u, 0x8e24a7d9016bf3c5u};

  /// `device`: index of the listed device that `reference` is, or is a part of.
  Place(const Dpctl& dpctl, std::size_t device, std::string selector, ContextReference context,
        DeviceReference reference);

  const Dpctl& dpctl;
  const std::size_t device;
  const std::string selector;  ///< of the listed device: opencl:cpu:0
  const ContextReference context;
  const DeviceReference reference;
  const std::uint64_t id;  ///< no two places of the process share it

  /// The type of an address in this context; kUnknown for null.
  UsmType TypeOf(const void* pointer) const;
  /// Whether a native context and device are these.
  bool Is(void* other_context, void* other_device) const;
  /// Whether both are in one context, so that queues of one reach memory of the other.
  bool SharesContext(const Place& other) const;
  /// A new queue here. Throws SyclError.
  QueueReference MakeQueue(int properties) const;
  /// The queue that allocations are made with; created when first needed.
  void* allocation_queue();
  Kernels& kernels() { return kernels_; }

 private:
  std::mutex mutex_;
  QueueReference allocation_queue_;
  Kernels kernels_;
};

}  // namespace array_interface::sycl
