#include "device.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

using array_interface::Event;

bool Device::IsBefore(std::size_t one, std::size_t other) const {
  std::vector<std::size_t> open{other};
  std::vector<bool> seen(steps_.size());
  while (!open.empty()) {
    const std::size_t step = open.back();
    open.pop_back();
    for (const std::size_t earlier : steps_[step].after) {
      if (earlier == one) return true;
      if (seen[earlier]) continue;
      seen[earlier] = true;
      open.push_back(earlier);
    }
  }
  return false;
}

std::shared_ptr<Event> PaperQueue::Record() {
  AssertRuns();
  if (gives_no_event) {
    ++asked;
    throw std::invalid_argument("no point");
  }
  auto event = std::make_shared<PaperEvent>(Enqueue());
  events.push_back(event);
  return event;
}

void PaperQueue::Wait(const Event& event) {
  AssertRuns();
  ++waits;
  tail_.push_back(static_cast<const PaperEvent&>(event).step);
}

void PaperQueue::Synchronize() {
  if (refuses_to_wait) throw std::invalid_argument("no wait");
  ++synchronized;
}

void PaperQueue::AssertRuns() const {
  if (is_captured) throw std::invalid_argument("captured");
}

std::size_t PaperQueue::Enqueue() {
  const std::size_t step = device_.Add(std::exchange(tail_, {}));
  tail_ = {step};
  return step;
}

PaperAllocation::PaperAllocation(Counts& counts, const void* device, std::size_t size,
                                 std::size_t kept_at_most)
    : Allocation(device, 1, size), counts_(counts), kept_at_most_(kept_at_most) {
  static std::atomic<std::uint64_t> next{4096};
  set_pointer(next.fetch_add(size + 4096));
  ++counts_.made;
}

std::size_t PaperAllocation::footprint() const {
  ++counts_.polls;
  return InPieces(size(), counts_.piece);
}

void PaperAllocation::Release() noexcept {
  ++counts_.releasing;
  while (counts_.is_slow) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  --counts_.releasing;
  ++counts_.released;
}
