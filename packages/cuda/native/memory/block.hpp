#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "driver/context.hpp"
#include "memory/registration.hpp"
#include "memory/tenancy.hpp"
#include "work/live_counts.hpp"

namespace array_interface::cuda {

enum class MemoryKind {
  kDevice,
  kManaged,
  kPinned,
  kStaging,     ///< pinned, and kept for the next one when it is given back
  kRegistered,  ///< this process's own memory, which the driver was told of
  kPool,        ///< from a pool, in the order of a stream
  kOpened,      ///< another process's
};

/// What the driver allocated or was told of, until Release gives it back.
class Block {
 public:
  /// Uninitialised bytes, at least one, of one of the first four kinds. Throws DriverError.
  Block(std::shared_ptr<Context> context, MemoryKind kind, std::size_t size);
  /// Memory of this process, which stays where it is until the registration ends. Throws
  /// DriverError.
  static std::unique_ptr<Block> Register(std::shared_ptr<Context> context, std::byte* host,
                                         std::size_t size,
                                         std::shared_ptr<Registration> registration);
  /// Uninitialised bytes of a pool, there for what `stream` is given from now on. Throws
  /// DriverError.
  static std::unique_ptr<Block> FromPool(std::shared_ptr<Context> context, PoolHandle pool,
                                         StreamHandle stream, std::size_t size);
  /// Memory of another process, whose tenancy ends with it. Throws DriverError.
  static std::unique_ptr<Block> Open(std::shared_ptr<Context> context, const IpcHandle& handle,
                                     std::size_t size, std::shared_ptr<Tenancy> tenancy);

  ~Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Gives the memory back; the driver may wait for the device. Never throws: after a failure of
  /// the context there is nothing left to give back. A registration that the driver did not end
  /// goes on: the device may still reach that memory.
  void Release() noexcept;

  /// Gives memory of a pool back to it after all that `stream` was given. Throws DriverError.
  void ReleaseOn(StreamHandle stream);

  /// Waits for all work of the context, and says whether it has ended; never throws. False while
  /// somebody captures a stream of the context.
  bool WaitForContext() const noexcept;

  /// Whether it counts among the live allocations.
  void Count(bool is_live);

  const std::shared_ptr<Context>& context() const { return context_; }
  MemoryKind kind() const { return kind_; }
  std::size_t size() const { return size_; }
  /// The first byte as kernels and copies of the context use it.
  DevicePointer pointer() const { return pointer_; }
  /// The first byte as this process uses it; null for device memory.
  std::byte* host() const { return static_cast<std::byte*>(host_); }

 private:
  struct Bare {};
  Block(Bare, std::shared_ptr<Context> context, MemoryKind kind, std::size_t size)
      : context_(std::move(context)), kind_(kind), size_(size) {}
  void Allocate();
  void MapPinned();
  /// Whether the driver took it.
  bool GiveBack() const;

  std::shared_ptr<Context> context_;
  MemoryKind kind_;
  std::size_t size_;
  DevicePointer pointer_ = 0;
  void* host_ = nullptr;
  std::shared_ptr<Tenancy> tenancy_;
  std::shared_ptr<Registration> registration_;
  std::optional<LiveCount> count_;
};

}  // namespace array_interface::cuda
