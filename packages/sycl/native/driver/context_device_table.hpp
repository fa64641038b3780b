#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "context_device.hpp"

namespace array_interface::sycl {

/// All live context-device pairs. There is one object for each pair, so that kernels are built once
/// and equal pairs are recognised.
class ContextDeviceTable {
 public:
  /// Returns the object of a native context and device; null if none is known.
  std::shared_ptr<ContextDevice> Find(void* context, void* device) const;
  /// Adds an object, unless another thread has added an equal one. Returns the one in the table.
  std::shared_ptr<ContextDevice> Add(std::shared_ptr<ContextDevice> context_device);
  std::vector<std::shared_ptr<ContextDevice>> All() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<ContextDevice>> context_devices_;
};

}  // namespace array_interface::sycl
