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

/// A SYCL queue: this library's, or a copy of another library's. Keeps the native queue. Work
/// starts after all work that was enqueued earlier, even if the native queue is out of order. Safe
/// to use from any thread.
class Queue final : public WorkQueue, public std::enable_shared_from_this<Queue> {
 public:
  static constexpr napi_type_tag kTag{0x1c6be02f7a934d58u, 0xa3f05be7c8d4126eu};
  static constexpr const char* kNoun = "queue";

  /// Creates a queue of this library, with one use. Throws SyclError.
  static std::shared_ptr<Queue> Make(Runtime& runtime,
                                     std::shared_ptr<ContextDevice> context_device, int properties);
  /// Copies another library's queue, with one use. Throws SyclError.
  static std::shared_ptr<Queue> Adopt(Runtime& runtime,
                                      std::shared_ptr<ContextDevice> context_device,
                                      QueueReference reference);
  ~Queue() override;

  bool IsSame(const WorkQueue& other) const noexcept override;
  bool IsOver() const noexcept override { return users_ == 0; }
  std::shared_ptr<Event> Record() override;
  /// Makes work that is enqueued from now on start after an event, unless the event is complete.
  void Wait(const Event& event) override;
  /// The same for a native event, which may be another library's.
  void WaitFor(void* native);
  /// Throws SyclError if the work failed.
  void Synchronize() override;

  /// Records an event after all work so far, by any library. Returns the last event if nothing was
  /// enqueued after it.
  std::shared_ptr<SyclEvent> RecordEvent();
  /// Whether all work that was enqueued here has ended. Polls the first event after the last work,
  /// since a new event completes a little later even on an idle queue. If other code may enqueue
  /// work, only a new event tells. Then this spins for less than a millisecond until that
  /// completes.
  bool Query();
  /// Enqueues a copy that passed CheckCopy, with the kernels that were chosen for it.
  void Copy(const StridedCopy& copy, const Kernels::Chosen& kernels);
  /// Calls `submit` to enqueue work on the native queue, after all earlier work. `submit` returns
  /// the event of its last command.
  void Submit(const std::function<EventReference(void* queue)>& submit);

  const std::shared_ptr<ContextDevice>& context_device() const { return context_device_; }
  bool in_order() const { return in_order_; }
  void* get() const { return reference_.get(); }
  /// The native reference for other code, which may from now on enqueue work that this object does
  /// not see.
  void* HandOut();

  /// Ends one use. After the last, nothing finds the queue any more. It is kept until its work is
  /// known to have ended.
  void EndUse() noexcept;

 private:
  friend class QueueTable;

  Queue(Runtime& runtime, std::shared_ptr<ContextDevice> context_device, QueueReference reference,
        bool foreign);
  /// An heir of an out-of-order queue, which nothing finds. It gets the reference afterwards.
  Queue(Runtime& runtime, std::shared_ptr<ContextDevice> context_device, bool has_times);
  static std::shared_ptr<Queue> List(std::shared_ptr<Queue> queue);
  std::shared_ptr<SyclEvent> MakeEvent(EventReference reference) const;
  bool QueryNewEvent();
  /// An event after all work that the native queue has now.
  std::shared_ptr<SyclEvent> NewEvent() const;
  /// Keeps this object until all its work is known to have ended.
  void KeepUntilEnded();
  /// Prepares an out-of-order queue for release. An heir keeps it while other work is pending.
  void PrepareRelease() noexcept;
  /// Caches an in-order queue for reuse, if no other code knows it and its work has ended.
  void Recycle() noexcept;
  /// Makes the next work start after all earlier work, if the native queue does not.
  void EnqueueBarrier();

  Runtime& runtime_;
  std::shared_ptr<ContextDevice> context_device_;
  QueueReference reference_;
  const bool in_order_;
  const bool has_times_;
  const void* const name_;  ///< unique among all queues of the process, at all times
  std::mutex mutex_;        // held while work is enqueued, so that no event comes in between
  // The first event after this library's last work, or null before it is recorded. Other code's
  // work may follow. For a queue without any work it is complete, and no command was submitted for
  // it.
  std::shared_ptr<SyclEvent> last_;
  bool handed_out_;
  std::atomic<int> users_{1};  // changed with the table's mutex held
};

}  // namespace array_interface::sycl
