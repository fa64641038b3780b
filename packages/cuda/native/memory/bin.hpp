#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "driver/driver_error.hpp"
#include "memory/block.hpp"
#include "memory/lease.hpp"
#include "work/event.hpp"

namespace array_interface::cuda {

/// Memory that was given back while work on it may be pending. A thread of its own looks whether
/// the work has ended, without waiting for it, and then frees the memory, which may wait for the
/// device. Staging is not freed but kept for the next that needs some, up to a limit.
class Bin {
 public:
  /// Bytes of staging that are kept.
  static constexpr std::size_t kKept = std::size_t{64} << 20;

  Bin() = default;
  Bin(const Bin&) = delete;
  Bin& operator=(const Bin&) = delete;
  /// Waits for all pending work, and frees everything but what other processes have open.
  ~Bin();

  /// Takes memory that nobody uses any more once `pending` is reached and its leases have ended.
  void Put(std::unique_ptr<Block> block, std::vector<std::shared_ptr<Event>> pending,
           std::vector<std::shared_ptr<Lease>> leases);
  /// Takes memory on which nobody knows what work is pending: waits for its context.
  void PutUnknown(std::unique_ptr<Block> block, std::vector<std::shared_ptr<Lease>> leases);

  /// Staging of at least `size` bytes, new or kept. Throws DriverError.
  std::unique_ptr<Block> Staging(const std::shared_ptr<Context>& context, std::size_t size);

  /// Somebody waited for work that has ended: looks soon.
  void Look();

  /// Waits for all pending work and frees everything that no other process has open, for who is out
  /// of memory. Blocks. False when there was nothing.
  bool Drain();

  /// What `allocate` gives; when the driver is out of memory, a drain later. Throws DriverError.
  template <class Allocate>
  auto Try(const Allocate& allocate) {
    try {
      return allocate();
    } catch (const DriverError& error) {
      if (error.result() != kOutOfMemory || !Drain()) throw;
    }
    return allocate();
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    std::unique_ptr<Block> block;
    std::vector<std::shared_ptr<Event>> pending;
    std::vector<std::shared_ptr<Lease>> leases;
    bool waits_for_context = false;
    int looks = 0;
    Clock::time_point next{};
  };

  void Add(Entry entry);
  void Start();
  void Run();
  std::vector<Entry> Due();
  static bool IsDone(Entry& entry, bool wait);
  bool IsQuiet() const;
  void Finish(Entry entry);
  static void KeepForGood(Entry entry);
  void ReleaseKept(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Entry> entries_;
  std::vector<std::unique_ptr<Block>> kept_;
  std::size_t kept_bytes_ = 0;
  bool busy_ = false;
  bool draining_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace array_interface::cuda
