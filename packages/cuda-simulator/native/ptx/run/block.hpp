#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "launch.hpp"
#include "thread.hpp"

namespace array_interface::cuda_simulator::ptx {

/// The threads that have met at an instruction, by lane of their warp or by number in the block.
class Meeting {
 public:
  explicit Meeting(std::vector<Thread*> threads) : threads_(std::move(threads)) {}

  /// Sorted by lane or number.
  const std::vector<Thread*>& threads() const { return threads_; }
  /// Returns one bit for each lane that arrived.
  std::uint32_t lanes() const;

 private:
  std::vector<Thread*> threads_;
};

/// Which threads meet. Instruction::mode contains it for an instruction at which threads wait.
enum class Gathering : std::uint32_t {
  block,      ///< a barrier: unended threads of the block, or as many as it says
  warp,       ///< those of the mask that have not ended
  converged,  ///< those of the warp that got here when none of it can continue
  grid,       ///< unended threads of all blocks of a cooperative launch
};

// Slots of an instruction at which threads wait. They specify which threads must meet.
inline constexpr std::size_t barrier_slot = 1;  ///< Gathering::block: number of the barrier
inline constexpr std::size_t count_slot = 2;    ///< Gathering::block: how many threads, or nowhere
inline constexpr std::size_t mask_slot = 2;     ///< Gathering::warp: mask of the lanes

/// Returns the number of the barrier that an instruction of the thread names.
std::size_t barrier_of(const Thread& thread, const Instruction& instruction);

/// One block of threads. Threads take turns: each runs until it waits, ends, or has used up its
/// slice.
class Block {
 public:
  Block(const Launch& launch, GlobalMemory& memory);

  /// Puts all threads of the block with this index at the start of the kernel.
  void start(const Dimensions& index);

  /// Gives each thread that is ready a turn, and releases those that have met. Returns false if
  /// nothing could continue. Throws Fault.
  bool advance(std::uint64_t& steps_left);

  bool has_ended() const;

  /// Whether all threads that have not ended wait for the whole grid.
  bool waits_for_grid() const;

  /// Lets the threads that wait for the grid continue. Returns false if there are none.
  bool release_grid();

  /// Throws the Fault of threads that wait for one another: on a device, forever.
  [[noreturn]] void fail_deadlocked() const;

  const Launch& launch() const { return launch_; }
  GlobalMemory& memory() { return memory_; }
  const Dimensions& index() const { return index_; }
  /// Counts the blocks of the grid in the order in which they start.
  std::uint64_t number() const {
    return index_.x + launch_.grid.x * (index_.y + std::uint64_t{launch_.grid.y} * index_.z);
  }
  std::vector<std::byte>& shared() { return shared_; }
  /// Counts a thread that executed bar.arrive at the barrier. The thread continues.
  void arrive(unsigned barrier) { ++arrived_[barrier % arrived_.size()]; }

 private:
  bool run_ready(std::uint64_t& steps_left);
  bool release();
  bool release_barriers();
  bool release_warp(std::size_t first);
  bool release_masked(const std::vector<Thread*>& warp);
  bool release_converged(const std::vector<Thread*>& warp);

  const Launch& launch_;
  GlobalMemory& memory_;
  Dimensions index_;
  std::vector<std::byte> shared_;
  std::vector<Thread> threads_;
  std::array<std::size_t, 16> arrived_{};
};

}  // namespace array_interface::cuda_simulator::ptx
