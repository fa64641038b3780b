#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace array_interface {

/// Counts the memory whose release is pending, and who waits for it. Safe to use from any thread.
class ReleaseCounter {
 public:
  using Clock = std::chrono::steady_clock;

  /// Adds bytes of a device whose release is pending. A block of 0 bytes counts as well.
  void Expect(const void* device, std::size_t bytes);
  /// Subtracts bytes whose release is no longer pending: another process keeps them, or they were
  /// used again.
  void Drop(const void* device, std::size_t bytes) noexcept;
  /// Subtracts bytes that were released.
  void Return(const void* device, std::size_t bytes) noexcept;

  /// Until the result is released, something counts as pending, because the caller holds memory
  /// that nothing else counts.
  std::shared_ptr<void> Hold();
  /// Until the result is released, `has_waiters` is true.
  std::shared_ptr<void> AddWaiter();
  bool has_waiters() const { return waiters_ > 0; }

  /// How often memory was released.
  std::uint64_t returned() const { return returned_; }
  /// Bytes whose release is pending, of a device, or of all devices if null.
  std::size_t PendingBytes(const void* device) const;
  /// Whether no release is pending.
  bool IsIdle() const;
  /// Blocks until memory has been released since `seen`, or no release is pending for the device.
  /// Returns false if the time is up before.
  bool Wait(const void* device, std::uint64_t seen, Clock::time_point until);

 private:
  struct Sum {
    std::size_t count = 0;
    std::size_t bytes = 0;
  };

  void Subtract(const void* device, std::size_t bytes) noexcept;
  Sum SumOf(const void* device) const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<const void*, Sum> by_device_;
  Sum all_;
  std::size_t in_hand_ = 0;
  std::atomic<std::uint64_t> returned_{0};
  std::atomic<int> waiters_{0};
};

}  // namespace array_interface
