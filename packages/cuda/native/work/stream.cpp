#include "work/stream.hpp"

#include <algorithm>
#include <utility>

#include "driver/driver.hpp"
#include "driver/live_counts.hpp"
#include "work/captured_stream.hpp"
#include "work/event_pool.hpp"
#include "work/stream_table.hpp"

namespace array_interface::cuda {

namespace {

/// With this many outstanding events or more, the stream polls the oldest ones.
constexpr std::size_t kFewPoints = 8;
constexpr std::size_t kSweepAt = 64;

// NOLINTNEXTLINE(bugprone-exception-escape): there is a driver, so Cuda() does not throw
void Destroy(const Context& context, StreamHandle stream) noexcept {
  try {
    const ContextScope scope(context);
    Cuda().cuStreamDestroy.Try(stream);
  } catch (const DriverError&) {
    // The context is gone, and the stream with it.
  }
}

}  // namespace

std::shared_ptr<Stream> Stream::Create(int device, bool non_blocking, int priority) {
  auto context = Context::Primary(device);
  StreamHandle handle = nullptr;
  {
    const ContextScope scope(*context);
    Cuda().cuStreamCreateWithPriority(&handle, non_blocking ? kStreamNonBlocking : 0, priority);
  }
  ++LiveCount::Of(LiveKind::kStream);
  std::shared_ptr<Stream> stream(new Stream(std::move(context), handle, Kind::kOurs));
  StreamTable::Get().Add({handle}, stream);
  return stream;
}

std::shared_ptr<Stream> Stream::Named(std::uint64_t number, int device) {
  auto& table = StreamTable::Get();
  const auto handle = reinterpret_cast<StreamHandle>(number);
  if (number != kLegacyStream && number != kPerThreadStream) {
    if (auto ours = table.Find({handle})) return ours;
    ContextHandle own = nullptr;
    {
      const ContextScope scope(*Context::Primary(device));
      Cuda().cuStreamGetCtx(handle, &own);
    }
    return std::shared_ptr<Stream>(new Stream(Context::Of(own), handle, Kind::kForeign));
  }
  auto context = Context::Primary(device);
  const bool is_of_thread = number == kPerThreadStream;
  const StreamTable::Key key{handle, context->handle(),
                             is_of_thread ? StreamTable::ThreadNumber() : 0};
  // Two threads could both miss a stream and create one each, so creation is serialised.
  static auto& making = *new std::mutex;
  const std::lock_guard lock(making);
  if (auto known = table.Find(key)) return known;
  std::shared_ptr<Stream> stream(new Stream(std::move(context), handle, Kind::kDefault));
  table.Add(key, stream);
  return stream;
}

// Leaves the table first: once the handle is released, the driver may reuse it for another stream.
Stream::~Stream() {
  if (kind_ == Kind::kForeign) return;
  StreamTable::Get().Sweep();
  if (kind_ == Kind::kDefault) return;
  Destroy(*context_, handle_);
  --LiveCount::Of(LiveKind::kStream);
}

bool Stream::IsSame(const WorkQueue& other) const noexcept { return &other == this && is_kept(); }

void Stream::WaitFor(void* event) const {
  const ContextScope scope(*context_);
  Cuda().cuStreamWaitEvent(handle_, static_cast<EventHandle>(event), 0);
}

std::shared_ptr<CudaEvent> Stream::Mark() {
  std::unique_lock lock(mutex_);
  ForgetOld(lock);
  if (!context_->is_primary()) return MarkByRelay();
  // A foreign handle may belong to another stream by now, so its later events imply nothing about
  // earlier ones.
  const CudaEvent::Position position{reached_, ++marked_, is_kept()};
  auto event = std::make_shared<CudaEvent>(context_, handle_, Others(), position);
  outstanding_.push_back(event);
  last_event_->Move(event);
  return event;
}

std::shared_ptr<CudaEvent> Stream::MarkUntracked(bool timing) {
  const std::lock_guard lock(mutex_);
  return std::make_shared<CudaEvent>(context_, handle_, Others(), timing);
}

// If the work that a stream waited for is lost, the stream's work is lost too: none of its events
// completes successfully.
Dependencies Stream::Others() {
  Dependencies contexts;
  for (auto one = others_.begin(); one != others_.end();) {
    const auto& [context, first] = *one;
    if (first > reached_->load()) {
      contexts.push_back(context);
      ++one;
    } else {
      one = others_.erase(one);
    }
  }
  return contexts;
}

/// Another library may destroy its context, with all events in it, after this library's loan has
/// ended and while its work is pending. So the event is recorded on a stream of this library that
/// waits for the foreign one, and nothing in that context outlives this call. Only this stream
/// records events there.
std::shared_ptr<CudaEvent> Stream::MarkByRelay() {
  if (relay_ == nullptr) {
    relay_ = Create(context_->device(), true, 0);
    reached_ = relay_->reached_;
  }
  relay_->Wait(CudaEvent(context_, handle_, Others(), CudaEvent::Position{}));
  auto event = relay_->Mark();
  marked_ = relay_->marked_;
  last_event_->Move(event);
  return event;
}

/// Polls old events, so that events that nobody queries return their driver events too. Polls
/// without the lock, since another device that an event depends on may take long.
void Stream::ForgetOld(std::unique_lock<std::mutex>& lock) {
  while (outstanding_.size() >= kFewPoints) {
    const auto oldest = outstanding_.front().lock();
    if (oldest != nullptr) {
      lock.unlock();
      const bool is_complete = oldest->IsComplete();
      lock.lock();
      if (!is_complete) return;
    }
    // Another thread may have forgotten it meanwhile.
    if (!outstanding_.empty() && outstanding_.front().lock() == oldest) outstanding_.pop_front();
  }
  if (outstanding_.size() < sweep_at_) return;
  const auto is_gone = [](const std::weak_ptr<CudaEvent>& event) { return event.expired(); };
  outstanding_.erase(std::remove_if(outstanding_.begin(), outstanding_.end(), is_gone),
                     outstanding_.end());
  sweep_at_ = std::max(kSweepAt, 2 * outstanding_.size());
}

// A driver does not report to the stream of another device that the work it waited for was lost.
void Stream::Wait(const Event& event) {
  const auto& awaited = static_cast<const WaitableEvent&>(event);
  const std::lock_guard lock(mutex_);
  for (const Context* other : awaited.HoldUp(*context_, handle_)) others_[other] = marked_ + 1;
}

void Stream::Synchronize() {
  {
    const ContextScope scope(*context_);
    Cuda().cuStreamSynchronize(handle_);
  }
  AssertOthers();
}

void Stream::Prepare() {
  const ContextScope scope(*context_);
  EventPool::Get().Prepare(*context_);
}

bool Stream::Query() {
  {
    const ContextScope scope(*context_);
    const auto& query = Cuda().cuStreamQuery;
    const Result result = query.Try(handle_);
    if (result == kNotReady) return false;
    CallResult{result, query.name}.AssertSuccess();
  }
  AssertOthers();
  return true;
}

// Queries without the mutex, since another device may take long.
void Stream::AssertOthers() {
  Dependencies others;
  {
    const std::lock_guard lock(mutex_);
    others = Others();
  }
  Ask(others).AssertSuccess();
}

bool Stream::IsCapturing() const {
  const ContextScope scope(*context_);
  CaptureStatus status = kCaptureNone;
  const auto& ask = Cuda().cuStreamIsCapturing;
  const Result result = ask.Try(handle_, &status);
  if (result == kCaptureImplicit) return true;  // the legacy stream, while another one is captured
  if (result != kSuccess) throw DriverError(result, ask.name);
  return status != kCaptureNone;
}

void Stream::AssertRuns() const {
  if (IsCapturing()) throw CapturedStream(handle_);
}

// Returns true if the stream cannot be queried.
bool Stream::Runs() const noexcept {
  try {
    return !IsCapturing();
  } catch (...) {
    return true;
  }
}

// Uses a query that is allowed on a captured stream too.
bool Stream::IsLost() const noexcept {
  try {
    IsCapturing();
    return false;
  } catch (const DriverError& error) {
    return EndsWork(error.result());
  }
}

unsigned Stream::Flags() const {
  const ContextScope scope(*context_);
  unsigned flags = 0;
  Cuda().cuStreamGetFlags(handle_, &flags);
  return flags;
}

int Stream::Priority() const {
  const ContextScope scope(*context_);
  int priority = 0;
  Cuda().cuStreamGetPriority(handle_, &priority);
  return priority;
}

}  // namespace array_interface::cuda
