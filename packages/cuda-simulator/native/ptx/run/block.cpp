#include "block.hpp"

#include <algorithm>

namespace array_interface::cuda_simulator::ptx {
namespace {

constexpr std::uint64_t slice = 1 << 16;  // instructions a turn: threads may spin on one another
constexpr std::byte poison{0xCB};
constexpr std::size_t barriers = 16;

Gathering gathering_of(const Thread& thread) {
  return static_cast<Gathering>(thread.waiting_at->mode);
}

bool is_waiting(const Thread& thread, Gathering gathering) {
  return thread.state == Thread::State::waiting && gathering_of(thread) == gathering;
}

/// Returns how many threads must arrive: as many as the instruction specifies, or all that have not
/// ended.
std::size_t barrier_size(const Thread& thread, std::size_t living) {
  const Slot count = thread.waiting_at->slots[count_slot];
  return count == nowhere ? living : thread.get<std::uint32_t>(count);
}

/// Returns the lanes that a thread at a warp instruction waits for.
std::uint32_t mask_of(const Thread& thread) {
  return thread.get<std::uint32_t>(thread.waiting_at->slots[mask_slot]);
}

/// Performs the instruction at which the threads have met, and resumes them.
void meet(std::vector<Thread*> threads) {
  const Instruction& instruction = *threads.front()->waiting_at;
  Meeting meeting(std::move(threads));
  if (instruction.meet != nullptr) instruction.meet(meeting);
  for (Thread* thread : meeting.threads()) thread->resume();
}

}  // namespace

std::size_t barrier_of(const Thread& thread, const Instruction& instruction) {
  return thread.get<std::uint32_t>(instruction.slots[barrier_slot]) % barriers;
}

std::uint32_t Meeting::lanes() const {
  std::uint32_t lanes = 0;
  for (const Thread* thread : threads_) lanes |= std::uint32_t{1} << thread->position().lane();
  return lanes;
}

Block::Block(const Launch& launch, GlobalMemory& memory)
    : launch_(launch), memory_(memory), threads_(launch.block.count()) {}

void Block::start(const Dimensions& index) {
  index_ = index;
  arrived_.fill(0);
  shared_.assign(launch_.program->shared_bytes(*launch_.kernel, launch_.dynamic_shared), poison);
  const Dimensions& size = launch_.block;
  for (unsigned linear = 0; linear < threads_.size(); ++linear) {
    const Dimensions thread{linear % size.x, linear / size.x % size.y, linear / size.x / size.y};
    threads_[linear].start(*this, {thread, linear});
  }
}

bool Block::advance(std::uint64_t& steps_left) {
  const bool ran = run_ready(steps_left);
  const bool released = release();
  return ran || released;
}

bool Block::has_ended() const {
  return std::all_of(threads_.begin(), threads_.end(),
                     [](const Thread& thread) { return thread.state == Thread::State::ended; });
}

bool Block::waits_for_grid() const {
  return std::all_of(threads_.begin(), threads_.end(), [](const Thread& thread) {
    return thread.state == Thread::State::ended || is_waiting(thread, Gathering::grid);
  });
}

bool Block::release_grid() {
  bool released = false;
  for (Thread& thread : threads_) {
    if (thread.state != Thread::State::waiting) continue;
    thread.resume();
    released = true;
  }
  return released;
}

void Block::fail_deadlocked() const {
  const Fault fault{CUDA_ERROR_LAUNCH_TIMEOUT, "waits for threads that never come"};
  const auto waiting = std::find_if(threads_.begin(), threads_.end(), [](const Thread& thread) {
    return thread.state == Thread::State::waiting;
  });
  throw waiting == threads_.end() ? Fault(fault) : waiting->located(fault);
}

bool Block::run_ready(std::uint64_t& steps_left) {
  bool ran = false;
  for (Thread& thread : threads_) {
    if (thread.state != Thread::State::ready) continue;
    steps_left -= thread.run(std::min(slice, steps_left));
    if (steps_left == 0) {
      throw thread.located(
          {CUDA_ERROR_LAUNCH_TIMEOUT,
           "still runs after as many instructions as CUDA_SIMULATOR_KERNEL_STEPS allows"});
    }
    ran = true;
  }
  return ran;
}

bool Block::release() {
  bool released = release_barriers();
  for (std::size_t first = 0; first < threads_.size(); first += 32) {
    if (release_warp(first)) released = true;
  }
  return released;
}

bool Block::release_barriers() {
  std::array<std::vector<Thread*>, 16> waiting;
  std::size_t living = 0;
  for (Thread& thread : threads_) {
    if (thread.state != Thread::State::ended) ++living;
    if (is_waiting(thread, Gathering::block))
      waiting[barrier_of(thread, *thread.waiting_at)].push_back(&thread);
  }
  bool released = false;
  for (std::size_t barrier = 0; barrier < waiting.size(); ++barrier) {
    if (waiting[barrier].empty()) continue;
    const std::size_t wanted = barrier_size(*waiting[barrier].front(), living);
    if (waiting[barrier].size() + arrived_[barrier] < wanted) continue;
    arrived_[barrier] = 0;
    meet(std::move(waiting[barrier]));
    released = true;
  }
  return released;
}

bool Block::release_warp(std::size_t first) {
  std::vector<Thread*> warp;
  const std::size_t last = std::min(first + 32, threads_.size());
  for (std::size_t number = first; number < last; ++number) {
    if (threads_[number].state != Thread::State::ended) warp.push_back(&threads_[number]);
  }
  return release_masked(warp) || release_converged(warp);
}

bool Block::release_masked(const std::vector<Thread*>& warp) {
  bool released = false;
  for (Thread* first : warp) {
    if (!is_waiting(*first, Gathering::warp)) continue;
    const std::uint32_t mask = mask_of(*first);
    std::vector<Thread*> group;
    bool complete = true;
    for (Thread* other : warp) {
      if ((mask >> other->position().lane() & 1) == 0) continue;
      complete = complete && is_waiting(*other, Gathering::warp) && mask_of(*other) == mask &&
                 other->waiting_at->meet == first->waiting_at->meet;
      group.push_back(other);
    }
    if (!complete || group.empty()) continue;
    meet(std::move(group));
    released = true;
  }
  return released;
}

bool Block::release_converged(const std::vector<Thread*>& warp) {
  const auto ready = [](const Thread* thread) { return thread->state == Thread::State::ready; };
  if (std::any_of(warp.begin(), warp.end(), ready)) return false;
  for (Thread* first : warp) {
    if (!is_waiting(*first, Gathering::converged)) continue;
    std::vector<Thread*> group;
    for (Thread* other : warp) {
      if (other->state == Thread::State::waiting && other->waiting_at == first->waiting_at) {
        group.push_back(other);
      }
    }
    meet(std::move(group));
    return true;
  }
  return false;
}

}  // namespace array_interface::cuda_simulator::ptx
