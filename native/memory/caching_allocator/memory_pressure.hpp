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

/// What memory is on its way back, and who waits for it. From any thread.
class MemoryPressure {
 public:
  using Clock = std::chrono::steady_clock;

  /// So many bytes of a device come back, sooner or later. What has no bytes counts as well.
  void Expect(const void* device, std::size_t bytes);
  /// They no longer do: somebody else keeps them, or has got them.
  void Drop(const void* device, std::size_t bytes) noexcept;
  /// They have come back.
  void Return(const void* device, std::size_t bytes) noexcept;

  /// Until the result goes nobody learns that nothing is on its way, since memory is in hand that
  /// nothing else counts.
  std::shared_ptr<void> Hold();
  /// Until the result goes somebody waits for memory.
  std::shared_ptr<void> PollEagerly();
  bool has_waiters() const { return waiters_ > 0; }

  /// How often memory came back.
  std::uint64_t returned() const { return returned_; }
  /// Bytes of a device, or of all devices for null, that are on their way.
  std::size_t PendingBytes(const void* device) const;
  /// Whether nothing at all is on its way.
  bool IsIdle() const;
  /// Waits until memory has come back since `seen`, or none of the device is on its way. False: it
  /// was time before.
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
