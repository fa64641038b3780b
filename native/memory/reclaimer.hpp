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

/// Gives back memory that nobody holds any more. There is one for an addon; all threads share it,
/// and it is never destroyed. A thread looks at the points of pending work, in any order and
/// without waiting. It keeps free memory for the next allocation of its size, or has it released on
/// a thread for its place. A release may wait for other libraries' work, so nothing else waits
/// behind it.
class Reclaimer {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// Memory, or null and what the next attempt needs to know.
  struct Tried {
    std::unique_ptr<Allocation> allocation;
    /// For HasReturned: how often memory had come back before the last attempt.
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
  /// Watches a block, and lets go of what it keeps while work is pending once that has ended.
  void Watch(std::weak_ptr<Block> block);

  /// Memory that was kept, or what `allocate` gives. Where that gives null, it releases all kept
  /// memory of the place, and then waits at most for `patience` for memory on its way.
  Tried Try(const void* place, int kind, std::size_t size, Milliseconds patience,
            const std::function<std::unique_ptr<Allocation>()>& allocate);
  /// Whether memory came back since a try, or since `returned` was read. Never waits.
  bool HasReturned(std::uint64_t seen);
  std::uint64_t returned();
  /// Looks often until the result goes, since somebody waits for memory without a thread.
  std::shared_ptr<void> Hasten();
  /// Bytes of a place that are on their way back, without memory that another process has open or
  /// that a capture keeps.
  std::size_t OnTheirWay(const void* place);

  /// Releases kept memory of one place, or of all places for null. Does not wait.
  void ReleaseKept(const void* place = nullptr);
  /// How many allocations are kept, how many are on their way back, and how many of the latter are
  /// being released.
  std::size_t kept();
  std::size_t ending();
  std::size_t releasing();

  /// Looks soon, since somebody saw work end.
  void Hurry();

  /// An environment (the main thread or a worker) begins; each must Leave. The last one releases
  /// all kept memory, and waits at most for `patience` for memory on its way.
  void Enter();
  void Leave(Milliseconds patience);

 private:
  using Clock = std::chrono::steady_clock;
  /// How often a thing was looked at, and when it is looked at again.
  struct Looks {
    int count = 0;
    Clock::time_point next{};
  };
  struct Ended {
    std::unique_ptr<Block> block;
    Rest rest;
    Looks looks;
    bool comes = true;  ///< whether nothing keeps it: another process, a capture, an unknown point
  };
  struct Watched {
    std::weak_ptr<Block> block;
    Looks looks;
  };
  /// Memory of one place to be released, and whether a thread does so.
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
