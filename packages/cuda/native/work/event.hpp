#pragma once

#include <memory>

#include "driver/context.hpp"
#include "napi/setup.hpp"
#include "work/live_counts.hpp"

namespace array_interface::cuda {

/// A point in a stream's work. May be queried and dropped on any thread.
class Event {
 public:
  static constexpr napi_type_tag kTag{0x6a1f6f0c7d2b4c11, 0x9a5b31d2e84f0c02};

  /// What an event is made for: order alone, measuring time, or order between processes.
  enum class Purpose { kOrder, kTiming, kInterprocess };

  /// Marks the point after everything given to `stream` so far. Throws DriverError.
  Event(std::shared_ptr<Context> context, StreamHandle stream, Purpose purpose = Purpose::kOrder);
  /// An event of another process, by its handle. Throws DriverError.
  Event(std::shared_ptr<Context> context, const IpcHandle& handle);
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event();

  EventHandle handle() const { return handle_; }

  /// Moves the point after everything given to `stream` so far; who waits already keeps the old
  /// point. Throws DriverError.
  void Move(StreamHandle stream) const;

  /// Whether the point is reached. Throws DriverError when work before it failed.
  bool Query() const;

  /// Blocks until the point is reached. Throws DriverError when work before it failed.
  void Synchronize() const;

  /// Milliseconds from another point to this one; both made for timing and reached. Throws
  /// DriverError.
  float Since(const Event& start) const;

  /// What another process opens; made for it. Throws DriverError.
  IpcHandle Share() const;

 private:
  std::shared_ptr<Context> context_;
  EventHandle handle_ = nullptr;
  LiveCount count_{LiveKind::kEvent};
};

}  // namespace array_interface::cuda
