#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "memory/block.hpp"

namespace array_interface {

/// Gives memory back that nobody holds any more: one for an addon, shared by all threads and never
/// destroyed. A thread looks at the points of pending work, in any order and without waiting. What
/// is free then is kept for the next one of its size, or released on a thread of its place: a
/// release may wait for strangers' work, so nothing else stands behind it.
class Reclaimer {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// Memory, or null and what the next try should know.
  struct Tried {
    std::unique_ptr<Allocation> allocation;
    /// For HasReturned: what had come back before the last try.
    std::uint64_t seen = 0;
    /// Bytes of the place that are on their way back.
    std::size_t on_their_way = 0;
  };

  Reclaimer() = default;
  Reclaimer(const Reclaimer&) = delete;
  Reclaimer& operator=(const Reclaimer&) = delete;
  ~Reclaimer() = delete;

  /// Takes a block that nobody holds any more.
  void Take(std::unique_ptr<Block> block) noexcept;
  /// Looks when the work on a block has ended, and then lets go of what is kept while it is
  /// pending.
  void Watch(std::weak_ptr<Block> block);

  /// Memory that was kept, or what `allocate` gives. Where that says there is none (null), what is
  /// kept of the place is released; then waits, at most for `patience`, for what is on its way.
  Tried Try(const void* place, int kind, std::size_t size, Milliseconds patience,
            const std::function<std::unique_ptr<Allocation>()>& allocate);
  /// Whether some memory came back since a try, or since `returned` was asked. Never waits.
  bool HasReturned(std::uint64_t seen);
  std::uint64_t returned();
  /// Somebody waits for memory without a thread, until what this gives goes: looks often.
  std::shared_ptr<void> Hasten();
  /// Bytes of a place that are on their way back, without those that other processes have open or
  /// somebody's capture keeps.
  std::size_t OnTheirWay(const void* place);

  /// Releases what is kept, of one place or, for null, of all. Does not wait.
  void ReleaseKept(const void* place = nullptr);
  /// How many allocations are kept, and how many are on their way back; of those, how many are
  /// being released.
  std::size_t kept();
  std::size_t ending();
  std::size_t releasing();

  /// Somebody saw work end: looks soon.
  void Hurry();

  /// An environment (the main thread or a worker) begins; each must Leave. The last one releases
  /// what is kept, and waits for all that is on its way, at most for `patience`.
  void Enter();
  void Leave(Milliseconds patience);

 private:
  using Clock = std::chrono::steady_clock;
  /// When a thing is looked at again.
  struct Looks {
    int count = 0;
    Clock::time_point next{};
  };
  struct Ended {
    std::unique_ptr<Block> block;
    Rest rest;
    Looks looks;
    bool comes = true;  ///< by itself: neither other processes nor a capture keep it
  };
  struct Watched {
    std::weak_ptr<Block> block;
    Looks looks;
  };
  /// What is to be released of one place, and whether a thread does so.
  struct Releases {
    std::deque<std::unique_ptr<Allocation>> waiting;
    std::size_t under_way = 0;  ///< bytes
    bool has_thread = false;
  };
  using Lock = std::unique_lock<std::mutex>;

  void StartLooking();
  void Look();
  template <class Thing, class IsDone>
  std::vector<Thing> LookAtDue(Lock& lock, std::vector<Thing>& things, const IsDone& is_done);
  static bool HasEnded(Ended& ended);
  static bool HasRested(Watched& watched);
  void Settle(Lock& lock, std::unique_ptr<Block> block);
  std::unique_ptr<Allocation> FindKept(const void* place, int kind, std::size_t size);
  void AskAgain(const void* place);
  void Release(Lock& lock, std::unique_ptr<Allocation> allocation);
  void ReleaseAll(const void* place);
  void StartReleasing(const void* place);
  std::size_t CountReleases() const;
  std::size_t BytesOnTheirWay(const void* place) const;
  bool IsIdle() const;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Ended> ended_;
  std::vector<Watched> watched_;
  std::deque<std::unique_ptr<Allocation>> kept_;  ///< the oldest first
  std::map<const void*, Releases> releases_;
  std::uint64_t returned_ = 0;  ///< how often memory came back
  std::size_t in_hand_ = 0;     ///< in none of the lists, as a thread is looking at it
  int impatient_ = 0;           ///< who waits for memory on its way
  int environments_ = 0;
  bool looks_ = false;  ///< whether there is a thread
};

}  // namespace array_interface
