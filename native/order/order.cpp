#include "order/order.hpp"

#include <algorithm>
#include <utility>

namespace array_interface {

namespace {

/// With more reads than this, or points of consumers, it looks which of them have ended.
constexpr std::size_t kMany = 4;

/// In place of a queue that may be another one by the time it is asked. It never gives a point.
class UnknownQueue final : public WorkQueue {
 public:
  explicit UnknownQueue(std::exception_ptr error) : error_(std::move(error)) {}

  bool IsSame(const WorkQueue&) const noexcept override { return false; }
  std::shared_ptr<Point> Record() override { std::rethrow_exception(error_); }
  void Wait(const Point&) override { std::rethrow_exception(error_); }
  void Synchronize() override { std::rethrow_exception(error_); }
  void AssertRuns() const override { std::rethrow_exception(error_); }

 private:
  std::exception_ptr error_;
};

/// Adds a point after all of the queue's work. False: the queue gives none now. Where nothing runs
/// any more there is no need of one.
bool AddPoint(Points& points, WorkQueue& queue) noexcept {
  try {
    queue.AssertRuns();
    points.push_back(queue.Record());
    return true;
  } catch (...) {
    return queue.IsLost();
  }
}

}  // namespace

Progress Rest::Ask() noexcept {
  const auto is_marked = [this](const auto& queue) { return AddPoint(points, *queue); };
  unmarked.erase(std::remove_if(unmarked.begin(), unmarked.end(), is_marked), unmarked.end());
  const Progress progress = DropReached(points);
  return unmarked.empty() ? progress : Progress::kUnknown;
}

void Order::AssertRuns(const WorkQueue* asked) const {
  for (const auto& queue : exported_) {
    if (queue.get() != asked) queue->AssertRuns();
  }
}

// A queue that is the same without our knowing waits for its own point, which costs next to
// nothing.
void Order::WaitFor(const Uses& uses, WorkQueue& queue) {
  for (const auto& use : uses) {
    if (use.queue == nullptr || !use.queue->IsSame(queue)) queue.Wait(*use.point);
  }
}

void Order::WaitForConsumers(WorkQueue& queue) const {
  WaitFor(consumed_, queue);
  for (const auto& exported : exported_) {
    if (!exported->IsSame(queue)) queue.Wait(*exported->Record());
  }
}

bool Order::HasEnded(const Use& use) { return use.point->IsReached() && !use.point->HasFailed(); }

void Order::Before(WorkQueue& queue, Access access) {
  WaitFor(writes_, queue);
  if (access == Access::kWrite) {
    WaitFor(reads_, queue);
  } else {
    // So that the point of this read also stands for the last read on the same foreign queue.
    for (const auto& use : reads_) {
      if (use.queue.get() == &queue && !use.queue->IsSame(queue)) queue.Wait(*use.point);
    }
  }
  WaitForConsumers(queue);
}

void Order::After(const std::shared_ptr<WorkQueue>& queue, const std::shared_ptr<Point>& point,
                  Access access) {
  if (access == Access::kWrite) {
    reads_.clear();
    consumed_.clear();
    writes_.assign(1, {queue, point});
    return;
  }
  for (auto& use : reads_) {
    if (use.queue != queue && !use.queue->IsSame(*queue)) continue;
    use.point = point;
    return;
  }
  if (reads_.size() >= kMany) {
    reads_.erase(std::remove_if(reads_.begin(), reads_.end(), HasEnded), reads_.end());
  }
  reads_.push_back({queue, point});
}

void Order::Gather(WorkQueue& queue) const {
  WaitFor(writes_, queue);
  WaitFor(reads_, queue);
  WaitForConsumers(queue);
}

void Order::Export(const std::shared_ptr<WorkQueue>& queue) {
  Gather(*queue);
  for (const auto& exported : exported_) {
    if (exported == queue || exported->IsSame(*queue)) return;
  }
  exported_.push_back(queue);
}

void Order::ReplaceOver(std::vector<std::shared_ptr<void>>& gone) {
  if (exported_.empty() && consumed_.size() < kMany) return;  // as mostly
  const auto is_replaced = [&](std::shared_ptr<WorkQueue>& queue) {
    Points points;
    if (!queue->IsOver() || !AddPoint(points, *queue)) return false;
    for (auto& point : points) consumed_.push_back({nullptr, std::move(point)});
    gone.push_back(std::move(queue));
    return true;
  };
  exported_.erase(std::remove_if(exported_.begin(), exported_.end(), is_replaced), exported_.end());
  if (consumed_.size() >= kMany) TakeEnded(consumed_, gone);
}

void Order::NoteUnknown(const std::shared_ptr<WorkQueue>& queue, std::exception_ptr error) {
  if (queue->IsSame(*queue)) {
    exported_.push_back(queue);
  } else {
    exported_.push_back(std::make_shared<UnknownQueue>(std::move(error)));
  }
}

void Order::Copy(const Order& other) {
  writes_ = other.writes_;
  reads_ = other.reads_;
  consumed_ = other.consumed_;
  exported_ = other.exported_;
}

Points Order::Pending() const {
  Points points = Last();
  DropReached(points);
  return points;
}

std::vector<std::shared_ptr<void>> Order::TakeEnded() {
  std::vector<std::shared_ptr<void>> taken;
  for (auto* uses : {&writes_, &reads_, &consumed_}) TakeEnded(*uses, taken);
  return taken;
}

void Order::TakeEnded(Uses& uses, std::vector<std::shared_ptr<void>>& taken) {
  const auto ended =
      std::partition(uses.begin(), uses.end(), [](const Use& use) { return !HasEnded(use); });
  for (auto use = ended; use != uses.end(); ++use) {
    taken.push_back(std::move(use->queue));
    taken.push_back(std::move(use->point));
  }
  uses.erase(ended, uses.end());
}

Points Order::Last() const {
  Points points;
  for (const auto* uses : {&writes_, &reads_}) {
    for (const auto& use : *uses) points.push_back(use.point);
  }
  return points;
}

Rest Order::End() {
  Rest rest{Last(), {}};
  for (auto& use : consumed_) rest.points.push_back(std::move(use.point));
  DropReached(rest.points);
  for (auto* uses : {&writes_, &reads_, &consumed_}) uses->clear();
  for (auto& queue : exported_) {
    if (!AddPoint(rest.points, *queue)) rest.unmarked.push_back(std::move(queue));
  }
  exported_.clear();
  return rest;
}

}  // namespace array_interface
