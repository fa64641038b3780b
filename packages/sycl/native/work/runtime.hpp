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

/// The result of a search for an address.
struct PointerFound {
  UsmType type = UsmType::kUnknown;
  std::shared_ptr<ContextDevice>
      context_device;  ///< the device that it belongs to, in the context that has it, or null
  std::shared_ptr<Block> block{};  ///< this library's, or null

  /// Whether it may be borrowed. This library's memory may not once its owner has ended.
  bool IsToBeHad() const {
    return type != UsmType::kUnknown && (block == nullptr || !block->given_up());
  }
};

class Queue;

/// The SYCL runtime of the process, with its devices and all objects that this addon created on
/// them. All environments share it. It is never destroyed, since the library's threads live as long
/// as the process.
class Runtime {
 public:
  /// Loads the library at `path`. `opencl` names the OpenCL driver beside it, or is empty. `kept`
  /// is the kernel cache. Returns the process's runtime if there is one already. Throws SyclError
  /// ERR_BACKEND_UNAVAILABLE.
  static Runtime& Open(const std::string& path, const std::string& opencl, const KeptKernels& kept);

  /// The opened runtime. Throws SyclError ERR_BACKEND_UNAVAILABLE.
  static Runtime& Get();

  const Dpctl& dpctl() const { return dpctl_; }
  const std::string& path() const { return library_->path(); }
  std::string version() const;

  std::size_t device_count() const { return devices_.size(); }
  /// Throws SyclError ERR_ARGUMENT.
  Device& device(std::size_t index) const;
  /// Returns the listed device that a filter selector names. nullopt if it names none.
  std::optional<std::size_t> Select(const std::string& selector) const;

  /// Searches this library's memory and all known contexts for an address. The type is kUnknown if
  /// none has it, or if it is memory of this library without any reference.
  PointerFound Find(std::uint64_t pointer);
  /// Searches only the context of `context_device` for an address.
  PointerFound FindIn(const std::shared_ptr<ContextDevice>& context_device, std::uint64_t pointer);
  /// Returns the object of a native context and device. Throws SyclError for a device that is not
  /// listed.
  std::shared_ptr<ContextDevice> ContextDeviceOf(ContextReference context, DeviceReference device);
  /// Returns parts of a device with so many compute units each, every part in a context of its own.
  /// Throws SyclError ERR_ARGUMENT if the device cannot be divided so.
  std::vector<std::shared_ptr<ContextDevice>> Divide(std::size_t device, std::size_t compute_units);

  /// Returns the queue at an address: this library's, with one more use, or a copy of another
  /// library's. Null if there is no live queue of this runtime.
  std::shared_ptr<Queue> AdoptQueue(void* reference);
  /// Creates a queue in the context at an address, on the device that `pointer` belongs to there,
  /// or on its first device for null. Returns null if there is no live context of this runtime.
  /// Throws SyclError ERR_POINTER_UNKNOWN.
  std::shared_ptr<Queue> AdoptContext(void* reference, void* pointer);

  QueueTable& queues() { return queues_; }
  BlockTable& blocks() { return blocks_; }

 private:
  std::size_t IndexOf(void* device) const;
  /// Returns the device that an address belongs to, in the same context as `context_device`.
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
