#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "block_table.hpp"
#include "device.hpp"
#include "dpctl.hpp"
#include "queue_table.hpp"

namespace array_interface::sycl {

/// What the runtime says about an address.
struct PointerFound {
  UsmType type;
  std::optional<std::size_t> device;  ///< index, if it is one of ours
};

/// The SYCL runtime of the process, with its devices and all that we made on them. Shared by all
/// environments and never destroyed: the library's threads live as long as the process.
class Runtime {
 public:
  /// Loads the library at `path`; `opencl` names the OpenCL driver beside it, or is empty. When the
  /// process has a runtime already, answers that one. Throws SyclError ERR_BACKEND_UNAVAILABLE.
  static Runtime& Open(const std::string& path, const std::string& opencl);

  /// The opened runtime. Throws SyclError ERR_BACKEND_UNAVAILABLE.
  static Runtime& Get();

  const Dpctl& dpctl() const { return dpctl_; }
  const std::string& path() const { return library_->path(); }
  std::string version() const;

  std::size_t device_count() const { return devices_.size(); }
  /// Throws SyclError ERR_ARGUMENT.
  Device& device(std::size_t index) const;
  /// The device that a filter selector names; nullopt when it names none of ours.
  std::optional<std::size_t> Select(const std::string& selector) const;

  /// The type of an address in the context of one device.
  UsmType TypeOf(const void* pointer, const Device& device) const;
  /// Looks an address up in all contexts; type kUnknown if none has it.
  PointerFound Find(const void* pointer) const;

  QueueTable& queues() { return queues_; }
  BlockTable& blocks() { return blocks_; }

 private:
  explicit Runtime(std::shared_ptr<const Library> library);

  std::shared_ptr<const Library> library_;
  Dpctl dpctl_;
  std::vector<std::unique_ptr<Device>> devices_;
  QueueTable queues_;
  BlockTable blocks_;
};

}  // namespace array_interface::sycl
