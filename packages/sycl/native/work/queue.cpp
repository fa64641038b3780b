#include "queue.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>
#include <utility>

#include "memory/process_allocator.hpp"
#include "runtime.hpp"
#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

namespace {

// An event on an idle queue takes some microseconds to complete. On a busy machine this thread gets
// to poll only a few times.
constexpr std::chrono::microseconds kSpin{500};
constexpr int kLooks = 32;

const void* NextName() {
  static std::atomic<std::uintptr_t> last{0};
  return reinterpret_cast<const void*>(++last);
}

/// Whether an event completes within less than a millisecond.
bool IsCompleteSoon(SyclEvent& event) {
  const auto limit = std::chrono::steady_clock::now() + kSpin;
  for (int looks = 1; !event.IsComplete(); ++looks) {
    if (looks >= kLooks && std::chrono::steady_clock::now() >= limit) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace

Queue::Queue(Runtime& runtime, std::shared_ptr<ContextDevice> context_device,
             QueueReference reference, bool foreign)
    : runtime_(runtime),
      context_device_(std::move(context_device)),
      reference_(std::move(reference)),
      in_order_(context_device_->dpctl.Queue_IsInOrder(reference_.get())),
      has_times_(context_device_->dpctl.Queue_HasEnableProfiling(reference_.get())),
      name_(NextName()),
      handed_out_(foreign) {
  if (!foreign && !has_times_) last_ = MakeEvent({});
}

Queue::Queue(Runtime& runtime, std::shared_ptr<ContextDevice> context_device, bool has_times)
    : runtime_(runtime),
      context_device_(std::move(context_device)),
      in_order_(false),
      has_times_(has_times),
      name_(NextName()),
      handed_out_(true),
      users_(0) {}

std::shared_ptr<Queue> Queue::Make(Runtime& runtime, std::shared_ptr<ContextDevice> context_device,
                                   int properties) {
  auto reference = context_device->MakeQueue(properties);
  return List(std::shared_ptr<Queue>(
      new Queue(runtime, std::move(context_device), std::move(reference), false)));
}

std::shared_ptr<Queue> Queue::Adopt(Runtime& runtime, std::shared_ptr<ContextDevice> context_device,
                                    QueueReference reference) {
  return List(std::shared_ptr<Queue>(
      new Queue(runtime, std::move(context_device), std::move(reference), true)));
}

std::shared_ptr<Queue> Queue::List(std::shared_ptr<Queue> queue) {
  queue->runtime_.queues().Add(queue);
  if (queue->context_device_->RunsKernels())
    queue->context_device_->kernels().Prepare(queue->context_device_);
  return queue;
}

Queue::~Queue() {
  if (!in_order_ && reference_) ExitGate::Instance().Pass([this] { PrepareRelease(); });
  if (reference_) runtime_.queues().Remove(get());
  if (in_order_ && reference_) ExitGate::Instance().Pass([this] { Recycle(); });
  ExitGate::Instance().Drop(std::move(last_));
  ExitGate::Instance().Drop(std::move(reference_));
  ExitGate::Instance().Drop(std::move(context_device_));
}

// Intel's runtime for CPUs deadlocks if the last reference to an out-of-order queue is released
// before or while one of its commands ends: the thread that ends the command destroys the queue,
// and there waits for itself. After a wait for the queue no command can be ending.
void Queue::PrepareRelease() noexcept {
  std::shared_ptr<Queue> heir;
  try {
    if (IsCompleteSoon(*RecordEvent())) return context_device_->dpctl.Queue_Wait(get());
    // Another library's work is still pending after this library's has ended. An heir keeps the
    // reference until that has ended, too.
    heir.reset(new Queue(runtime_, context_device_, has_times_));
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
  if (handed_out_ || last_ == nullptr || !last_->IsComplete() || last_->HasFailed()) return;
  try {
    context_device_->cached_queues().Put(kInOrder | (has_times_ ? kProfiling : 0), reference_);
  } catch (...) {
    // The queue is destroyed instead.
  }
}

bool Queue::IsSame(const WorkQueue& other) const noexcept {
  if (this == &other) return true;
  try {
    return context_device_->dpctl.Queue_AreEq(get(), static_cast<const Queue&>(other).get());
  } catch (...) {
    return false;
  }
}

void* Queue::HandOut() {
  const std::lock_guard lock(mutex_);
  handed_out_ = true;
  return get();
}

std::shared_ptr<SyclEvent> Queue::MakeEvent(EventReference reference) const {
  return std::make_shared<SyclEvent>(context_device_->dpctl, std::move(reference), has_times_,
                                     name_);
}

std::shared_ptr<SyclEvent> Queue::RecordEvent() {
  const std::lock_guard lock(mutex_);
  // Nothing was enqueued after that event, and a barrier would cost a short copy more than the copy
  // itself.
  if (!handed_out_ && last_ != nullptr) return last_;
  auto event = NewEvent();
  if (last_ == nullptr) last_ = event;
  return event;
}

// Also called by background threads.
std::shared_ptr<Event> Queue::Record() {
  std::shared_ptr<Event> event;
  if (ExitGate::Instance().Pass([&] { event = RecordEvent(); })) return event;
  throw SyclError("ERR_SYCL", "", "expected a SYCL runtime, got the end of the process");
}

void Queue::Synchronize() {
  std::shared_ptr<SyclEvent> event;
  try {
    event = RecordEvent();
  } catch (const SyclError&) {
    return context_device_->dpctl.Queue_Wait(get());  // needs no event
  }
  event->Synchronize();
}

bool Queue::Query() {
  std::shared_ptr<SyclEvent> last;
  bool handed_out = false;
  {
    const std::lock_guard lock(mutex_);
    last = last_;
    handed_out = handed_out_;
  }
  if (last == nullptr) last = RecordEvent();
  if (!handed_out) return last->Query();
  return last->Query() && QueryNewEvent();
}

bool Queue::QueryNewEvent() {
  const auto event = NewEvent();
  if (IsCompleteSoon(*event)) return event->Query();
  const std::lock_guard lock(mutex_);
  last_ = event;
  return false;
}

std::shared_ptr<SyclEvent> Queue::NewEvent() const {
  return MakeEvent(
      {context_device_->dpctl, context_device_->dpctl.Queue_SubmitBarrier.Must(get())});
}

void Queue::Wait(const Event& event) {
  const auto awaited = static_cast<const SyclEvent&>(event).native();
  if (awaited != nullptr) WaitFor(awaited->get());
}

void Queue::WaitFor(void* native) {
  const std::lock_guard lock(mutex_);
  last_ = nullptr;
  const auto& barrier = context_device_->dpctl.Queue_SubmitBarrierForEvents;
  const EventReference done(context_device_->dpctl, barrier.Must(get(), &native, 1));
}

void Queue::EnqueueBarrier() {
  if (in_order_) return;
  const EventReference done(context_device_->dpctl,
                            context_device_->dpctl.Queue_SubmitBarrier.Must(get()));
}

void Queue::Copy(const StridedCopy& copy, const Kernels::Chosen& kernels) {
  const std::size_t size = unit_count(copy) * copy.unit;
  if (size == 0) return;
  Submit([&](void* queue) -> EventReference {
    if (!is_one_run(copy)) return context_device_->kernels().Launch(queue, copy, kernels);
    const auto& memcpy = context_device_->dpctl.Queue_Memcpy;
    return {context_device_->dpctl, memcpy.Must(queue, copy.destination, copy.source, size)};
  });
}

void Queue::Submit(const std::function<EventReference(void* queue)>& submit) {
  const std::lock_guard lock(mutex_);
  last_ = nullptr;
  EnqueueBarrier();
  EventReference done = submit(get());
  if (in_order_) last_ = MakeEvent(std::move(done));
}

// If there is no memory for that, the queue ends now, as it does if its device failed.
void Queue::EndUse() noexcept {
  if (!runtime_.queues().EndUse(*this)) return;
  try {
    KeepUntilEnded();
  } catch (...) {
  }
}

// If the queue cannot record an event now, the block stays pending and another try follows.
void Queue::KeepUntilEnded() {
  const auto self = shared_from_this();
  const auto last = Block::Borrowed(ProcessAllocator(), self);
  const std::lock_guard lock(last->tracker().mutex());
  try {
    last->tracker().After(self, RecordEvent(), Access::kWrite);
  } catch (const SyclError&) {
    last->tracker().NoteUnknown(self, std::current_exception());
  }
}

}  // namespace array_interface::sycl
