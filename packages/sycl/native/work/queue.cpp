#include "queue.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>
#include <utility>

#include "driver/background.hpp"
#include "memory/check_copy.hpp"
#include "runtime.hpp"
#include "threads/gate.hpp"

namespace array_interface::sycl {

namespace {

// A point on an idle queue takes some microseconds to be reached; on a busy machine this thread
// gets few looks.
constexpr std::chrono::microseconds kSpin{500};
constexpr int kLooks = 32;

const void* NextName() {
  static std::atomic<std::uintptr_t> last{0};
  return reinterpret_cast<const void*>(++last);
}

/// Whether an event is reached within less than a millisecond.
bool IsReachedSoon(Event& event) {
  const auto limit = std::chrono::steady_clock::now() + kSpin;
  for (int looks = 1; !event.IsReached(); ++looks) {
    if (looks >= kLooks && std::chrono::steady_clock::now() >= limit) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace

Queue::Queue(Runtime& runtime, std::shared_ptr<Place> place, QueueReference reference, bool foreign)
    : runtime_(runtime),
      place_(std::move(place)),
      reference_(std::move(reference)),
      in_order_(place_->dpctl.Queue_IsInOrder(reference_.get())),
      has_times_(place_->dpctl.Queue_HasEnableProfiling(reference_.get())),
      name_(NextName()),
      handed_out_(foreign) {
  if (!foreign && !has_times_) last_ = MakeEvent({});
}

Queue::Queue(Runtime& runtime, std::shared_ptr<Place> place, bool has_times)
    : runtime_(runtime),
      place_(std::move(place)),
      in_order_(false),
      has_times_(has_times),
      name_(NextName()),
      handed_out_(true),
      users_(0) {}

std::shared_ptr<Queue> Queue::Make(Runtime& runtime, std::shared_ptr<Place> place, int properties) {
  auto reference = place->MakeQueue(properties);
  return List(
      std::shared_ptr<Queue>(new Queue(runtime, std::move(place), std::move(reference), false)));
}

std::shared_ptr<Queue> Queue::Adopt(Runtime& runtime, std::shared_ptr<Place> place,
                                    QueueReference reference) {
  return List(
      std::shared_ptr<Queue>(new Queue(runtime, std::move(place), std::move(reference), true)));
}

std::shared_ptr<Queue> Queue::List(std::shared_ptr<Queue> queue) {
  queue->runtime_.queues().Add(queue);
  if (queue->place_->RunsKernels()) queue->place_->kernels().Prepare(queue->place_);
  return queue;
}

Queue::~Queue() {
  if (!in_order_ && reference_) Gate::Instance().Pass([this] { Rest(); });
  if (reference_) runtime_.queues().Remove(get());
  if (in_order_ && reference_) Gate::Instance().Pass([this] { Recycle(); });
  Gate::Instance().Drop(std::move(last_));
  Gate::Instance().Drop(std::move(reference_));
  Gate::Instance().Drop(std::move(place_));
}

// Intel's runtime for CPUs hangs for good when the last reference to an out-of-order queue goes
// before or while one of its commands ends: the thread that ends the command frees the queue, and
// there waits for itself. After a wait for the queue no command can be ending.
void Queue::Rest() noexcept {
  std::shared_ptr<Queue> heir;
  try {
    if (IsReachedSoon(*RecordEvent())) return place_->dpctl.Queue_Wait(get());
    // Others' work came after ours had ended. An heir keeps the reference until that has ended,
    // too.
    heir.reset(new Queue(runtime_, place_, has_times_));
    heir->reference_ = std::move(reference_);
    runtime_.queues().Add(heir);
    heir->KeepUntilEnded();
  } catch (...) {
    auto& left = reference_ ? reference_ : heir->reference_;
    runtime_.queues().Remove(left.get());
    left.Leak();
  }
}

void Queue::Recycle() noexcept {
  if (handed_out_ || last_ == nullptr || !last_->IsReached() || last_->HasFailed()) return;
  try {
    place_->kept_queues().Put(kInOrder | (has_times_ ? kProfiling : 0), reference_);
  } catch (...) {
    // It ends.
  }
}

bool Queue::IsSame(const WorkQueue& other) const noexcept {
  if (this == &other) return true;
  try {
    return place_->dpctl.Queue_AreEq(get(), static_cast<const Queue&>(other).get());
  } catch (...) {
    return false;
  }
}

void* Queue::HandOut() {
  const std::lock_guard lock(mutex_);
  handed_out_ = true;
  return get();
}

std::shared_ptr<Event> Queue::MakeEvent(EventReference reference) const {
  return std::make_shared<Event>(place_->dpctl, std::move(reference), has_times_, name_);
}

std::shared_ptr<Event> Queue::RecordEvent() {
  const std::lock_guard lock(mutex_);
  // Nothing came after that point, and a barrier would cost a short copy more than the copy.
  if (!handed_out_ && last_ != nullptr) return last_;
  auto event = NewPoint();
  if (last_ == nullptr) last_ = event;
  return event;
}

// Background threads come here, too.
std::shared_ptr<Point> Queue::Record() {
  std::shared_ptr<Point> point;
  if (Gate::Instance().Pass([&] { point = RecordEvent(); })) return point;
  throw SyclError("ERR_SYCL", "", "expected a runtime, got the end of the process");
}

void Queue::Synchronize() {
  std::shared_ptr<Event> point;
  try {
    point = RecordEvent();
  } catch (const SyclError&) {
    return place_->dpctl.Queue_Wait(get());  // needs no point
  }
  point->Wait();
}

bool Queue::Query() {
  std::shared_ptr<Event> last;
  bool handed_out = false;
  {
    const std::lock_guard lock(mutex_);
    last = last_;
    handed_out = handed_out_;
  }
  if (last == nullptr) last = RecordEvent();
  if (!handed_out) return last->Query();
  return last->Query() && QueryNewPoint();
}

bool Queue::QueryNewPoint() {
  const auto point = NewPoint();
  if (IsReachedSoon(*point)) return point->Query();
  const std::lock_guard lock(mutex_);
  last_ = point;
  return false;
}

std::shared_ptr<Event> Queue::NewPoint() const {
  return MakeEvent({place_->dpctl, place_->dpctl.Queue_SubmitBarrier.Must(get())});
}

void Queue::Wait(const Point& event) {
  const auto awaited = static_cast<const Event&>(event).native();
  if (awaited != nullptr) WaitFor(awaited->get());
}

void Queue::WaitFor(void* native) {
  const std::lock_guard lock(mutex_);
  last_ = nullptr;
  const auto& barrier = place_->dpctl.Queue_SubmitBarrierForEvents;
  const EventReference done(place_->dpctl, barrier.Must(get(), &native, 1));
}

void Queue::Order() {
  if (in_order_) return;
  const EventReference done(place_->dpctl, place_->dpctl.Queue_SubmitBarrier.Must(get()));
}

void Queue::Copy(const StridedCopy& copy, const Kernels::Chosen& kernels) {
  const std::size_t size = unit_count(copy) * copy.unit;
  if (size == 0) return;
  Submit([&](void* queue) -> EventReference {
    if (!IsOneRun(copy)) return place_->kernels().Launch(queue, copy, kernels);
    const auto& memcpy = place_->dpctl.Queue_Memcpy;
    return {place_->dpctl, memcpy.Must(queue, copy.destination, copy.source, size)};
  });
}

void Queue::Submit(const std::function<EventReference(void* queue)>& submit) {
  const std::lock_guard lock(mutex_);
  last_ = nullptr;
  Order();
  EventReference done = submit(get());
  if (in_order_) last_ = MakeEvent(std::move(done));
}

// Without memory for that the queue ends now, as it does where its device failed.
void Queue::EndUse() noexcept {
  if (!runtime_.queues().EndUse(*this)) return;
  try {
    KeepUntilEnded();
  } catch (...) {
  }
}

// Where it gives no point now, it is asked again for one.
void Queue::KeepUntilEnded() {
  const auto self = shared_from_this();
  const auto last = Block::Borrowed(Background::Instance().reclaimer(), self);
  const std::lock_guard lock(last->order().mutex());
  try {
    last->order().After(self, RecordEvent(), Access::kWrite);
  } catch (const SyclError&) {
    last->order().NoteUnknown(self, std::current_exception());
  }
}

}  // namespace array_interface::sycl
