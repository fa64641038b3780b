#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "driver/context.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// Device memory that is allocated and freed in stream order: a pool that this library created, or
/// the device's default pool, which is only used.
class Pool {
 public:
  static constexpr napi_type_tag kTag{0x51a9d3f06e4c4b27, 0xa04be8c7263f9d15};

  /// Creates a pool that keeps up to `kept` unused bytes when the device is synchronized, and has
  /// at most `maximum` bytes, 0 for no limit. Throws DriverError.
  static std::shared_ptr<Pool> Create(int device, std::uint64_t kept, std::uint64_t maximum);
  /// Returns the device's default pool. Throws DriverError.
  static std::shared_ptr<Pool> Default(int device);

  /// Memory in use stays valid until it is freed.
  ~Pool() { Destroy(); }

  /// Destroys a pool that this library created, once. Does nothing to a device's default pool.
  void Destroy() noexcept;

  PoolHandle handle() const { return handle_; }
  const std::shared_ptr<Context>& context() const { return context_; }

  /// Enables work on another device to access the pool's memory. Returns false if the devices do
  /// not support it or the driver refuses. Throws DriverError.
  bool ReachFrom(int device);
  /// Returns all unused memory to the device, except for `kept` bytes. Throws DriverError.
  void Trim(std::uint64_t kept) const;
  /// Returns the bytes in use or the bytes reserved. Throws DriverError.
  std::uint64_t Ask(PoolAttribute attribute) const;

 private:
  Pool(std::shared_ptr<Context> context, PoolHandle handle, bool owned)
      : context_(std::move(context)), handle_(handle), owned_(owned) {}

  std::shared_ptr<Context> context_;
  PoolHandle handle_;
  bool owned_;
  std::mutex mutex_;
  bool is_destroyed_ = false;
  std::map<int, bool> reached_;
};

}  // namespace array_interface::cuda
