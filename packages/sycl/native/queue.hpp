#pragma once

#include <memory>
#include <mutex>

#include "event.hpp"
#include "kernels/strided_copy.hpp"
#include "place.hpp"
#include "queue_table.hpp"

namespace array_interface::sycl {

class Runtime;

/// Which sides of a copy are no USM but other memory of this process, by its backend's word.
struct SystemSides {
  bool destination;
  bool source;
};

/// A SYCL queue of ours. What is enqueued starts after everything enqueued before it, also when the
/// native queue is out of order.
class Queue {
 public:
  static constexpr napi_type_tag kTag{0x1c6be02f7a934d58u, 0xa3f05be7c8d4126eu};

  /// A new queue with one user. Throws SyclError.
  static std::shared_ptr<Queue> Make(Runtime& runtime, std::shared_ptr<Place> place,
                                     int properties);
  /// A copy of somebody else's queue, with one user. Throws SyclError.
  static std::shared_ptr<Queue> Adopt(Runtime& runtime, std::shared_ptr<Place> place,
                                      QueueReference reference);
  /// Not ended by hand: garbage collection.
  ~Queue() { Close(); }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// Marks a point after everything enqueued so far, by whomever.
  std::shared_ptr<Event> Record() const;
  /// Whether all that was enqueued here has ended. A new point is reached a little later even on an
  /// idle queue, so this looks at the first one after the last work. Where others may enqueue, only
  /// a new point knows: then it spins until that is reached, for less than a millisecond.
  bool Query() const;
  /// Makes everything enqueued from now on start after `event`.
  void Wait(const Event& event) const;
  /// Enqueues a copy between memories of this queue's context, or of the system where the device
  /// reaches that. Throws SyclError ERR_POINTER_UNKNOWN, before anything is enqueued, when an end
  /// of either side is neither.
  void Copy(const StridedCopy& copy, SystemSides system) const;
  bool IsSame(const Queue& other) const;

  const std::shared_ptr<Place>& place() const { return place_; }
  /// As the table of queues has it; null once the queue was ended.
  const QueueTable::Entry& entry() const { return reference_; }
  bool in_order() const { return in_order_; }
  /// The native reference. Throws SyclError ERR_DISPOSED.
  void* get() const;
  /// The native reference for others, who may enqueue from now on without our knowing.
  void* HandOut() const;

  /// Ends one use. With the last the queue ends once its work has, in the background; later calls
  /// are ERR_DISPOSED.
  void EndUse();

 private:
  friend class QueueTable;

  Queue(Runtime& runtime, std::shared_ptr<Place> place, QueueReference reference, bool foreign);
  void Close();
  bool QueryNewPoint() const;
  /// Starts what comes next after all that was enqueued, where the native queue does not do so.
  void Order() const;
  bool ReachesSystem() const;
  void CheckReach(const void* pointer, const StridedCopy& copy, bool source) const;

  Runtime& runtime_;
  const std::shared_ptr<Place> place_;
  const bool in_order_;
  QueueTable::Entry reference_;
  mutable std::mutex mutex_;  // held while work is enqueued, so that no point falls in between
  // First point after the last work of ours, null before it is made; others' work may come later.
  mutable std::shared_ptr<Event> last_;
  mutable bool handed_out_;
  int users_ = 1;  // guarded by the table's mutex
};

/// A point after everything enqueued so far on a native queue. Throws SyclError.
std::shared_ptr<Event> RecordEvent(const Dpctl& dpctl, void* queue);

}  // namespace array_interface::sycl
