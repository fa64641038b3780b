#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "driver/context.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// Memory of a device that is given and taken back in the order of streams: a pool of ours, or the
/// device's default one, which is only used.
class Pool {
 public:
  static constexpr napi_type_tag kTag{0x51a9d3f06e4c4b27, 0xa04be8c7263f9d15};

  /// A new pool that keeps up to `kept` bytes when the device is waited for; at most `maximum`
  /// bytes, 0: all there are. Throws DriverError.
  static std::shared_ptr<Pool> Create(int device, std::uint64_t kept, std::uint64_t maximum);
  /// The device's own. Throws DriverError.
  static std::shared_ptr<Pool> Default(int device);

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  /// Memory of it that is still held stays until it is freed.
  ~Pool() { Destroy(); }

  /// Ends a pool of ours, once. Does nothing to a device's own.
  void Destroy() noexcept;

  PoolHandle handle() const { return handle_; }
  const std::shared_ptr<Context>& context() const { return context_; }

  /// Lets work on another device reach the pool's memory; false where the devices cannot, or the
  /// driver refuses. Throws DriverError.
  bool ReachFrom(int device);
  /// Gives the device what is not in use, but for `kept` bytes. Throws DriverError.
  void Trim(std::uint64_t kept) const;
  /// Bytes that are in use or kept. Throws DriverError.
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
