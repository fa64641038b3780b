#include "queue.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "background.hpp"
#include "runtime.hpp"

namespace array_interface::sycl {

namespace {

// A point on an idle queue takes some microseconds.
constexpr std::chrono::microseconds kSpin{500};
constexpr int kSystemAllocations = 15;  // the aspect, as the C library counts

// One run of bytes on both sides, which memcpy moves several times faster than a kernel.
bool IsContiguous(const StridedCopy& copy) {
  if (copy.conversion) return false;
  if (copy.lengths.empty()) return true;
  return copy.lengths.size() == 1 && copy.destination_strides[0] == copy.unit &&
         copy.source_strides[0] == copy.unit;
}

}  // namespace

Queue::Queue(Runtime& runtime, std::shared_ptr<Place> place, QueueReference reference, bool foreign)
    : runtime_(runtime),
      place_(std::move(place)),
      in_order_(place_->dpctl.Queue_IsInOrder(reference.get())),
      reference_(std::make_shared<QueueReference>(std::move(reference))),
      handed_out_(foreign) {}

std::shared_ptr<Queue> Queue::Make(Runtime& runtime, std::shared_ptr<Place> place, int properties) {
  auto reference = place->MakeQueue(properties);
  std::shared_ptr<Queue> queue(new Queue(runtime, std::move(place), std::move(reference), false));
  runtime.queues().Add(queue->reference_, queue);
  queue->place_->kernels().Prepare(queue->place_);
  return queue;
}

std::shared_ptr<Queue> Queue::Adopt(Runtime& runtime, std::shared_ptr<Place> place,
                                    QueueReference reference) {
  std::shared_ptr<Queue> queue(new Queue(runtime, std::move(place), std::move(reference), true));
  runtime.queues().Add(queue->reference_, queue);
  queue->place_->kernels().Prepare(queue->place_);
  return queue;
}

void* Queue::get() const {
  if (reference_ != nullptr) return reference_->get();
  throw SyclError("ERR_DISPOSED", "queue", "expected a live queue, got one that was disposed");
}

std::shared_ptr<Event> RecordEvent(const Dpctl& dpctl, void* queue) {
  return std::make_shared<Event>(dpctl,
                                 EventReference(dpctl, dpctl.Queue_SubmitBarrier.Must(queue)));
}

void* Queue::HandOut() const {
  std::lock_guard lock(mutex_);
  void* reference = get();
  handed_out_ = true;
  return reference;
}

std::shared_ptr<Event> Queue::Record() const {
  std::lock_guard lock(mutex_);
  void* queue = get();
  // nothing came after it, and a barrier would cost a short copy more than the copy
  if (in_order_ && !handed_out_ && last_ != nullptr) return last_;
  auto event = RecordEvent(place_->dpctl, queue);
  if (last_ == nullptr) last_ = event;
  return event;
}

bool Queue::Query() const {
  get();
  std::shared_ptr<Event> last;
  bool handed_out = false;
  {
    std::lock_guard lock(mutex_);
    last = last_;
    handed_out = handed_out_;
  }
  if (last == nullptr) last = Record();
  if (!handed_out) return last->Query();
  return last->Query() && QueryNewPoint();
}

bool Queue::QueryNewPoint() const {
  const auto point = RecordEvent(place_->dpctl, get());
  const auto limit = std::chrono::steady_clock::now() + kSpin;
  while (!point->Query()) {
    if (std::chrono::steady_clock::now() >= limit) {
      std::lock_guard lock(mutex_);
      last_ = point;
      return false;
    }
    std::this_thread::yield();
  }
  return true;
}

void Queue::Wait(const Event& event) const {
  std::lock_guard lock(mutex_);
  last_ = nullptr;
  const auto& barrier = place_->dpctl.Queue_SubmitBarrierForEvents;
  void* awaited[] = {event.get()};
  const EventReference done(place_->dpctl, barrier.Must(get(), awaited, 1));
}

void Queue::Order() const {
  if (in_order_) return;
  const EventReference done(place_->dpctl, place_->dpctl.Queue_SubmitBarrier.Must(get()));
}

void Queue::Copy(const StridedCopy& copy, SystemSides system) const {
  validate(copy);
  void* queue = get();
  if (unit_count(copy) == 0) return;
  if (!system.destination || !ReachesSystem()) CheckReach(copy.destination, copy, false);
  if (!system.source || !ReachesSystem()) CheckReach(copy.source, copy, true);
  std::lock_guard lock(mutex_);
  last_ = nullptr;
  Order();
  if (!IsContiguous(copy)) return place_->kernels().Launch(place_, queue, copy);
  const std::size_t size = unit_count(copy) * copy.unit;
  const auto& memcpy = place_->dpctl.Queue_Memcpy;
  auto done = std::make_shared<Event>(
      place_->dpctl,
      EventReference(place_->dpctl, memcpy.Must(queue, copy.destination, copy.source, size)));
  if (in_order_) last_ = std::move(done);
}

bool Queue::ReachesSystem() const {
  return place_->dpctl.Device_HasAspect(place_->reference.get(), kSystemAllocations);
}

void Queue::CheckReach(const void* pointer, const StridedCopy& copy, bool source) const {
  const auto& strides = source ? copy.source_strides : copy.destination_strides;
  auto first = reinterpret_cast<std::uintptr_t>(pointer);
  std::uintptr_t last = first + (source ? copy.source_unit() : copy.unit) - 1;
  for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
    const std::int64_t reach = (copy.lengths[axis] - 1) * strides[axis];
    (reach < 0 ? first : last) += static_cast<std::uintptr_t>(reach);
  }
  for (const std::uintptr_t end : {first, last}) {
    if (place_->TypeOf(reinterpret_cast<void*>(end)) != UsmType::kUnknown) continue;
    throw SyclError("ERR_POINTER_UNKNOWN", source ? "source" : "destination",
                    "expected USM memory of the context of " + place_->selector +
                        ", got another address; copy through an array of this backend");
  }
}

bool Queue::IsSame(const Queue& other) const {
  return place_->dpctl.Queue_AreEq(get(), other.get());
}

void Queue::EndUse() {
  if (runtime_.queues().EndUse(*this)) Close();
}

void Queue::Close() {
  if (reference_ == nullptr) return;
  Background::Instance().Post([&runtime = runtime_, queue = std::move(reference_)] {
    runtime.queues().End(runtime.dpctl(), queue);
  });
  reference_ = nullptr;
}

}  // namespace array_interface::sycl
