#include "ordering/dependency_tracker.hpp"

#include <algorithm>
#include <utility>

namespace array_interface {

namespace {

/// If there are at least this many reads, or events of consumers, those that have ended are
/// dropped.
constexpr std::size_t kMany = 4;

/// Replaces a foreign queue whose handle may belong to another queue by the time it is used.
/// Records no event, and throws the stored error instead.
class UnknownQueue final : public WorkQueue {
 public:
  explicit UnknownQueue(std::exception_ptr error) : error_(std::move(error)) {}

  bool IsSame(const WorkQueue&) const noexcept override { return false; }
  std::shared_ptr<Event> Record() override { std::rethrow_exception(error_); }
  void Wait(const Event&) override { std::rethrow_exception(error_); }
  void Synchronize() override { std::rethrow_exception(error_); }
  void AssertRuns() const override { std::rethrow_exception(error_); }

 private:
  std::exception_ptr error_;
};

/// Adds an event after all of the queue's work. Returns false if the queue cannot record one now.
/// If the queue is lost, no event is needed.
bool AddEvent(Events& events, WorkQueue& queue) noexcept {
  try {
    queue.AssertRuns();
    events.push_back(queue.Record());
    return true;
  } catch (...) {
    return queue.IsLost();
  }
}

}  // namespace

Progress PendingWork::Poll() noexcept {
  const auto is_marked = [this](const auto& queue) { return AddEvent(events, *queue); };
  unmarked.erase(std::remove_if(unmarked.begin(), unmarked.end(), is_marked), unmarked.end());
  const Progress progress = DropComplete(events);
  return unmarked.empty() ? progress : Progress::kUnknown;
}

void DependencyTracker::AssertRuns(const WorkQueue* asked) const {
  for (const auto& queue : exported_) {
    if (queue.get() != asked) queue->AssertRuns();
  }
}

// If two objects are the same queue without IsSame reporting it, the queue waits for its own event,
// which costs next to nothing.
void DependencyTracker::WaitFor(const Submissions& submissions, WorkQueue& queue) {
  for (const auto& submission : submissions) {
    if (submission.queue == nullptr || !submission.queue->IsSame(queue))
      queue.Wait(*submission.event);
  }
}

void DependencyTracker::WaitForConsumers(WorkQueue& queue) const {
  WaitFor(consumed_, queue);
  for (const auto& exported : exported_) {
    if (!exported->IsSame(queue)) queue.Wait(*exported->Record());
  }
}

bool DependencyTracker::HasEnded(const Submission& submission) {
  return submission.event->IsComplete() && !submission.event->HasFailed();
}

void DependencyTracker::Before(WorkQueue& queue, Access access) {
  WaitFor(writes_, queue);
  if (access == Access::kWrite) {
    WaitFor(reads_, queue);
  } else {
    // So the event of this read also covers the last read on the same foreign queue.
    for (const auto& submission : reads_) {
      if (submission.queue.get() == &queue && !submission.queue->IsSame(queue))
        queue.Wait(*submission.event);
    }
  }
  WaitForConsumers(queue);
}

void DependencyTracker::After(const std::shared_ptr<WorkQueue>& queue,
                              const std::shared_ptr<Event>& event, Access access) {
  if (access == Access::kWrite) {
    reads_.clear();
    consumed_.clear();
    writes_.assign(1, {queue, event});
    return;
  }
  for (auto& submission : reads_) {
    if (submission.queue != queue && !submission.queue->IsSame(*queue)) continue;
    submission.event = event;
    return;
  }
  if (reads_.size() >= kMany) {
    reads_.erase(std::remove_if(reads_.begin(), reads_.end(), HasEnded), reads_.end());
  }
  reads_.push_back({queue, event});
}

void DependencyTracker::Gather(WorkQueue& queue) const {
  WaitFor(writes_, queue);
  WaitFor(reads_, queue);
  WaitForConsumers(queue);
}

void DependencyTracker::Export(const std::shared_ptr<WorkQueue>& queue) {
  Gather(*queue);
  for (const auto& exported : exported_) {
    if (exported == queue || exported->IsSame(*queue)) return;
  }
  exported_.push_back(queue);
}

void DependencyTracker::ReplaceOver(std::vector<std::shared_ptr<void>>& gone) {
  if (exported_.empty() && consumed_.size() < kMany) return;  // the usual case
  const auto is_replaced = [&](std::shared_ptr<WorkQueue>& queue) {
    Events events;
    if (!queue->IsOver() || !AddEvent(events, *queue)) return false;
    for (auto& event : events) consumed_.push_back({nullptr, std::move(event)});
    gone.push_back(std::move(queue));
    return true;
  };
  exported_.erase(std::remove_if(exported_.begin(), exported_.end(), is_replaced), exported_.end());
  if (consumed_.size() >= kMany) TakeEnded(consumed_, gone);
}

void DependencyTracker::NoteUnknown(const std::shared_ptr<WorkQueue>& queue,
                                    std::exception_ptr error) {
  if (queue->IsSame(*queue)) {
    exported_.push_back(queue);
  } else {
    exported_.push_back(std::make_shared<UnknownQueue>(std::move(error)));
  }
}

void DependencyTracker::Copy(const DependencyTracker& other) {
  writes_ = other.writes_;
  reads_ = other.reads_;
  consumed_ = other.consumed_;
  exported_ = other.exported_;
}

bool DependencyTracker::IsAtRest() const {
  const auto have_ended = [](const Submissions& submissions) {
    return std::all_of(submissions.begin(), submissions.end(), HasEnded);
  };
  return exported_.empty() && have_ended(writes_) && have_ended(reads_) && have_ended(consumed_);
}

Events DependencyTracker::Pending() const {
  Events events = Last();
  DropComplete(events);
  return events;
}

std::vector<std::shared_ptr<void>> DependencyTracker::TakeEnded() {
  std::vector<std::shared_ptr<void>> taken;
  for (auto* submissions : {&writes_, &reads_, &consumed_}) TakeEnded(*submissions, taken);
  return taken;
}

void DependencyTracker::TakeEnded(Submissions& submissions,
                                  std::vector<std::shared_ptr<void>>& taken) {
  const auto ended =
      std::partition(submissions.begin(), submissions.end(),
                     [](const Submission& submission) { return !HasEnded(submission); });
  for (auto submission = ended; submission != submissions.end(); ++submission) {
    taken.push_back(std::move(submission->queue));
    taken.push_back(std::move(submission->event));
  }
  submissions.erase(ended, submissions.end());
}

Events DependencyTracker::Last() const {
  Events events;
  for (const auto* submissions : {&writes_, &reads_}) {
    for (const auto& submission : *submissions) events.push_back(submission.event);
  }
  return events;
}

PendingWork DependencyTracker::End() {
  PendingWork rest{Last(), {}};
  for (auto& submission : consumed_) rest.events.push_back(std::move(submission.event));
  DropComplete(rest.events);
  for (auto* submissions : {&writes_, &reads_, &consumed_}) submissions->clear();
  for (auto& queue : exported_) {
    if (!AddEvent(rest.events, *queue)) rest.unmarked.push_back(std::move(queue));
  }
  exported_.clear();
  return rest;
}

}  // namespace array_interface
