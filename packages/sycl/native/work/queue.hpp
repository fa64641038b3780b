#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "driver/context_device.hpp"
#include "kernels/layout/strided_copy.hpp"
#include "ordering/work_queue.hpp"
#include "sycl_event.hpp"

namespace array_interface::sycl {

class Runtime;

/// A SYCL queue, ours or a copy of another library's; the native queue lives as long as this. Work
/// starts after all work enqueued before it, also when the native queue is out of order. Safe from
/// any thread.
class Queue final : public WorkQueue, public std::enable_shared_from_this<Queue> {
 public:
  /// A queue of ours with one user. Throws SyclError.
  static std::shared_ptr<Queue> Make(Runtime& runtime,
                                     std::shared_ptr<ContextDevice> context_device, int properties);
  /// A copy of another library's queue, with one user. Throws SyclError.
  static std::shared_ptr<Queue> Adopt(Runtime& runtime,
                                      std::shared_ptr<ContextDevice> context_device,
                                      QueueReference reference);
  ~Queue() override;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  bool IsSame(const WorkQueue& other) const noexcept override;
  bool IsOver() const noexcept override { return users_ == 0; }
  std::shared_ptr<Event> Record() override;
  /// Makes work enqueued from now on start after an event, unless that has ended.
  void Wait(const Event& event) override;
  /// The same for a native event, another library's perhaps.
  void WaitFor(void* native);
  /// Throws SyclError where the work failed.
  void Synchronize() override;

  /// Marks an event after all work so far, by any library. Gives the last event where nothing came
  /// after it.
  std::shared_ptr<SyclEvent> RecordEvent();
  /// Whether all work enqueued here has ended. A new event is complete a little later even on an
  /// idle queue, so this looks at the first event after the last work. Where others may enqueue,
  /// only a new event knows; then this spins until it is reached, for less than a millisecond.
  bool Query();
  /// Enqueues a copy that was checked and has its kernels; see `check_copy.hpp`.
  void Copy(const StridedCopy& copy, const Kernels::Chosen& kernels);
  /// Enqueues what `submit` gives the native queue, after all earlier work. It gives the event of
  /// its last command.
  void Submit(const std::function<EventReference(void* queue)>& submit);

  const std::shared_ptr<ContextDevice>& context_device() const { return context_device_; }
  bool in_order() const { return in_order_; }
  void* get() const { return reference_.get(); }
  /// The native reference for others, who may enqueue there from now on without our knowing.
  void* HandOut();

  /// Ends one use. After the last, nobody new finds the queue, which is kept until its work is
  /// known to have ended.
  void EndUse() noexcept;

 private:
  friend class QueueTable;

  Queue(Runtime& runtime, std::shared_ptr<ContextDevice> context_device, QueueReference reference,
        bool foreign);
  /// An heir of an out-of-order queue, which nobody finds. It gets the reference once it is there.
  Queue(Runtime& runtime, std::shared_ptr<ContextDevice> context_device, bool has_times);
  static std::shared_ptr<Queue> List(std::shared_ptr<Queue> queue);
  std::shared_ptr<SyclEvent> MakeEvent(EventReference reference) const;
  bool QueryNewPoint();
  /// An event after all work that the native queue has now.
  std::shared_ptr<SyclEvent> NewEvent() const;
  /// Keeps this object until all its work is known to have ended.
  void KeepUntilEnded();
  /// Makes an out-of-order queue ready to end. An heir keeps it while others' work is pending.
  void PendingWork() noexcept;
  /// Leaves an in-order queue to the next one that is made, where only we know it and its work has
  /// ended.
  void Recycle() noexcept;
  /// Makes the next work start after all earlier work, where the native queue does not.
  void DependencyTracker();

  Runtime& runtime_;
  std::shared_ptr<ContextDevice> context_device_;
  QueueReference reference_;
  const bool in_order_;
  const bool has_times_;
  const void* const name_;  ///< of no other queue of the process, at any time
  std::mutex mutex_;        // held while work is enqueued, so that no event falls in between
  // First event after the last work of ours, null before it is made; others' work may come later.
  // Of a queue that got none, it is reached, and no command makes it.
  std::shared_ptr<SyclEvent> last_;
  bool handed_out_;
  std::atomic<int> users_{1};  // changed with the table's mutex held
};

}  // namespace array_interface::sycl
