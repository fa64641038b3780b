#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "memory/allocation.hpp"
#include "ordering/work_queue.hpp"

/// A device that only records. Each enqueued step stores the steps that it depends on. Nothing
/// runs, so a missing dependency is detected regardless of timing.
class Device {
 public:
  struct Step {
    std::vector<std::size_t> after;
  };

  std::size_t Add(std::vector<std::size_t> after) {
    steps_.push_back({std::move(after)});
    return steps_.size() - 1;
  }
  /// Whether one step is certain to end before another begins.
  bool IsBefore(std::size_t one, std::size_t other) const;

 private:
  std::vector<Step> steps_;
};

/// An event that a test completes.
class PaperEvent : public array_interface::Event {
 public:
  explicit PaperEvent(std::size_t step) : step(step) {}
  array_interface::Progress Poll() noexcept override {
    ++asked;
    if (is_unknown) return array_interface::Progress::kUnknown;
    return reached ? array_interface::Progress::kComplete : array_interface::Progress::kPending;
  }
  bool HasFailed() const noexcept override { return has_failed; }
  const std::size_t step;
  std::atomic<bool> has_failed{false};
  std::atomic<bool> reached{false};
  std::atomic<bool> is_unknown{false};  ///< the driver does not report the state
  std::atomic<int> asked{0};
};

/// A queue of the recording device: this library's, or a foreign one.
class PaperQueue : public array_interface::WorkQueue {
 public:
  PaperQueue(Device& device, bool is_kept) : device_(device), is_kept_(is_kept) {}

  bool IsSame(const WorkQueue& other) const noexcept override { return is_kept_ && this == &other; }
  std::shared_ptr<array_interface::Event> Record() override;
  void Wait(const array_interface::Event& event) override;
  void Synchronize() override;
  void AssertRuns() const override;
  bool Runs() const noexcept override { return !is_captured; }
  bool IsOver() const noexcept override { return is_over; }
  bool IsLost() const noexcept override { return is_lost; }

  /// Adds a step after everything enqueued so far. Returns its number.
  std::size_t Enqueue();

  /// Simulates that another library destroys the native queue, and that the next queue has its
  /// handle.
  void Replace() { tail_.clear(); }

  bool is_captured = false;
  std::atomic<bool> gives_no_event{false};
  std::atomic<bool> refuses_to_wait{false};
  std::atomic<bool> is_lost{false};
  bool is_over = false;       ///< it cannot be exported to consumers any more
  std::atomic<int> asked{0};  ///< how often it refused to record an event
  int synchronized = 0;
  int waits = 0;
  /// Events that were recorded here and are still referenced.
  std::vector<std::weak_ptr<PaperEvent>> events;

 private:
  Device& device_;
  bool is_kept_;
  std::vector<std::size_t> tail_;  ///< dependencies of the next step
};

/// Memory that counts how often its footprint was read and how often it was released. A release can
/// be slow. Footprints are whole multiples of a piece.
class PaperAllocation : public array_interface::Allocation {
 public:
  struct Counts {
    std::atomic<int> made{0};
    std::atomic<int> released{0};
    std::atomic<int> polls{0};
    std::size_t piece = 1;
    std::atomic<bool> has_left{false};  ///< its device was removed
    std::atomic<bool> is_slow{false};   ///< releases block while it is set
    std::atomic<int> releasing{0};
  };

  PaperAllocation(Counts& counts, const void* device, std::size_t size, std::size_t kept_at_most);
  void Release() noexcept override;
  std::size_t kept_at_most() const override { return counts_.has_left ? 0 : kept_at_most_; }
  std::size_t footprint() const override;

 private:
  Counts& counts_;
  std::size_t kept_at_most_;
};
