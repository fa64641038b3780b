#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "cuda_event.hpp"
#include "driver/context.hpp"
#include "napi/setup.hpp"
#include "ordering/work_queue.hpp"
#include "work/last_event.hpp"

namespace array_interface::cuda {

/// A CUDA stream: one that this library created, which is destroyed with its last reference, a
/// default stream, or a foreign handle. Only Synchronize waits for the device. Safe to use from any
/// thread, except the per-thread default stream, which belongs to its thread.
class Stream final : public WorkQueue {
 public:
  static constexpr napi_type_tag kTag{0x0d5e3c1b9f8a4e67, 0xb1c2f3047a6d5e03};
  static constexpr const char* kNoun = "stream";

  /// Creates a stream of the device's primary context. Throws DriverError.
  static std::shared_ptr<Stream> Create(int device, bool non_blocking, int priority);
  /// Returns the stream of a handle. 1 is the legacy default stream, 2 the calling thread's default
  /// stream, both of the device's primary context. Any other handle is a stream that this library
  /// created, or a foreign one, which has its own device. A kept stream is the same object each
  /// time, a foreign one a new object. Throws DriverError.
  static std::shared_ptr<Stream> Named(std::uint64_t handle, int device);

  ~Stream() override;

  const std::shared_ptr<Context>& context() const { return context_; }
  StreamHandle handle() const { return handle_; }
  /// The handle for other code, which may enqueue work there.
  void* HandOut() const { return handle_; }
  /// Its last event, which outlives the stream.
  const std::shared_ptr<LastEvent>& last_event() const { return last_event_; }
  /// Whether its native stream lives as long as this object: a stream that this library created, or
  /// a default stream.
  bool is_kept() const { return kind_ != Kind::kForeign; }

  bool IsSame(const WorkQueue& other) const noexcept override;
  bool IsOver() const noexcept override { return users_ == 0; }
  /// Counts a use (QueueUse), which may name the stream to consumers, and returns the stream.
  static std::shared_ptr<Stream> Use(std::shared_ptr<Stream> stream) {
    if (stream != nullptr) ++stream->users_;
    return stream;
  }
  void EndUse() noexcept { --users_; }
  std::shared_ptr<Event> Record() override { return Mark(); }
  void Wait(const Event& event) override;
  /// Makes it wait for another library's event. Throws DriverError.
  void WaitFor(void* event) const;
  void Synchronize() override;
  void Prepare() override;
  void AssertRuns() const override;
  bool Runs() const noexcept override;
  bool IsLost() const noexcept override;

  /// Records an event after all its work so far, in a primary context. Throws DriverError.
  std::shared_ptr<CudaEvent> Mark();
  /// Records an event with timing, or one in a graph. The stream does not track it as its last
  /// event.
  std::shared_ptr<CudaEvent> MarkUntracked(bool timing);
  /// Whether all its work so far has ended. Throws DriverError if work failed.
  bool Query();
  /// Whether work enqueued now is captured into a graph instead of running. Throws DriverError.
  bool IsCapturing() const;
  unsigned Flags() const;
  int Priority() const;

 private:
  enum class Kind { kOurs, kDefault, kForeign };

  Stream(std::shared_ptr<Context> context, StreamHandle handle, Kind kind)
      : context_(std::move(context)), handle_(handle), kind_(kind) {}
  std::shared_ptr<CudaEvent> MarkByRelay();
  void ForgetOld(std::unique_lock<std::mutex>& lock);
  /// Returns the contexts whose work it has waited for, and whose completion has not been observed.
  Dependencies Others();
  /// Throws DriverError if one of them is lost.
  void AssertOthers();

  std::shared_ptr<Context> context_;
  StreamHandle handle_;
  Kind kind_;
  std::shared_ptr<LastEvent> last_event_ = std::make_shared<LastEvent>();
  std::atomic<int> users_{0};

  std::mutex mutex_;
  std::shared_ptr<Stream> relay_;  ///< records events for a foreign context
  std::shared_ptr<CompletedCount> reached_ = std::make_shared<CompletedCount>(0);
  std::uint64_t marked_ = 0;
  std::deque<std::weak_ptr<CudaEvent>> outstanding_;  ///< the oldest first
  std::size_t sweep_at_ = 64;
  /// Contexts, with the number of the first event that is ordered after their work.
  std::map<const Context*, std::uint64_t> others_;
};

}  // namespace array_interface::cuda
