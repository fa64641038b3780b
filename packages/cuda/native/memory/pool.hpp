#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "driver/context.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// Memory of a device that is allocated and freed in the order of streams: a pool of ours, or the
/// device's default pool, which is only used.
class Pool {
 public:
  static constexpr napi_type_tag kTag{0x51a9d3f06e4c4b27, 0xa04be8c7263f9d15};

  /// A new pool that keeps up to `kept` bytes when the device is waited for, and has at most
  /// `maximum` bytes, 0 for no limit. Throws DriverError.
  static std::shared_ptr<Pool> Create(int device, std::uint64_t kept, std::uint64_t maximum);
  /// The device's own pool. Throws DriverError.
  static std::shared_ptr<Pool> Default(int device);

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  /// Memory that is still held stays until it is freed.
  ~Pool() { Destroy(); }

  /// Ends a pool of ours, once. Does nothing to a device's own pool.
  void Destroy() noexcept;

  PoolHandle handle() const { return handle_; }
  const std::shared_ptr<Context>& context() const { return context_; }

  /// Lets work on another device reach the pool's memory. False: the devices cannot, or the driver
  /// refuses. Throws DriverError.
  bool ReachFrom(int device);
  /// Gives the device all memory that is not in use, but for `kept` bytes. Throws DriverError.
  void Trim(std::uint64_t kept) const;
  /// Bytes in use, or bytes kept. Throws DriverError.
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
