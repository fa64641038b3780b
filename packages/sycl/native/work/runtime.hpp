#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/context_device_table.hpp"
#include "driver/device.hpp"
#include "driver/dpctl.hpp"
#include "driver/opencl_layer.hpp"
#include "memory/block_table.hpp"
#include "queue_table.hpp"

namespace array_interface::sycl {

/// What is known of an address.
struct PointerFound {
  UsmType type = UsmType::kUnknown;
  std::shared_ptr<ContextDevice>
      context_device;  ///< the context that has it and the device it belongs to, or null
  std::shared_ptr<Block> block{};  ///< of ours, or null

  /// Whether it may be borrowed. Our memory may not once its owner has ended.
  bool IsToBeHad() const {
    return type != UsmType::kUnknown && (block == nullptr || !block->given_up());
  }
};

class Queue;

/// The SYCL runtime of the process, with its devices and all that we made on them. All environments
/// share it. It is never destroyed, since the library's threads live as long as the process.
class Runtime {
 public:
  /// Loads the library at `path`. `opencl` names the OpenCL driver beside it, or is empty; `kept`
  /// where compiled kernels are kept. Gives the process's runtime if there is one already. Throws
  /// SyclError ERR_BACKEND_UNAVAILABLE.
  static Runtime& Open(const std::string& path, const std::string& opencl, const KeptKernels& kept);

  /// The opened runtime. Throws SyclError ERR_BACKEND_UNAVAILABLE.
  static Runtime& Get();

  const Dpctl& dpctl() const { return dpctl_; }
  const std::string& path() const { return library_->path(); }
  std::string version() const;

  std::size_t device_count() const { return devices_.size(); }
  /// Throws SyclError ERR_ARGUMENT.
  Device& device(std::size_t index) const;
  /// The device that a filter selector names. nullopt: it names none of ours.
  std::optional<std::size_t> Select(const std::string& selector) const;

  /// Looks for an address in our memory and in all known contexts. The type is kUnknown where none
  /// has it, or where it is memory of ours that nobody holds any more.
  PointerFound Find(std::uint64_t pointer);
  /// Looks for an address in the context of one context and device alone.
  PointerFound FindIn(const std::shared_ptr<ContextDevice>& context_device, std::uint64_t pointer);
  /// The place of a native context and device. Throws SyclError for a device that is none of ours.
  std::shared_ptr<ContextDevice> PlaceOf(ContextReference context, DeviceReference device);
  /// Parts of a device with so many compute units each, every part in a context of its own. Throws
  /// SyclError ERR_ARGUMENT where the device cannot be divided so.
  std::vector<std::shared_ptr<ContextDevice>> Divide(std::size_t device, std::size_t compute_units);

  /// The queue at an address: ours, with one more user, or a copy of another library's. Null: no
  /// live queue of this runtime is there.
  std::shared_ptr<Queue> AdoptQueue(void* reference);
  /// A new queue in the context at an address, on the device that `pointer` belongs to there, or on
  /// its first device for null. Null: no live context of this runtime is there. Throws SyclError
  /// ERR_POINTER_UNKNOWN.
  std::shared_ptr<Queue> AdoptContext(void* reference, void* pointer);

  QueueTable& queues() { return queues_; }
  BlockTable& blocks() { return blocks_; }

 private:
  std::size_t IndexOf(void* device) const;
  /// The place that an address belongs to, in the context of another place.
  std::shared_ptr<ContextDevice> OwnerOf(const std::shared_ptr<ContextDevice>& context_device,
                                         const void* pointer);
  explicit Runtime(std::shared_ptr<const Library> library);

  std::shared_ptr<const Library> library_;
  Dpctl dpctl_;
  std::vector<std::unique_ptr<Device>> devices_;
  QueueTable queues_;
  BlockTable blocks_;
  ContextDeviceTable context_devices_;
};

}  // namespace array_interface::sycl
