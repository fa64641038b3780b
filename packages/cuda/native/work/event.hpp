#pragma once

#include <memory>

#include "driver/context.hpp"
#include "napi/setup.hpp"
#include "work/live_counts.hpp"

namespace array_interface::cuda {

/// A point in a stream's work, without timing. May be queried and dropped on any thread.
class Event {
 public:
  static constexpr napi_type_tag kTag{0x6a1f6f0c7d2b4c11, 0x9a5b31d2e84f0c02};

  /// Marks the point after everything given to `stream` so far. Throws DriverError.
  Event(std::shared_ptr<Context> context, StreamHandle stream);
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event();

  EventHandle handle() const { return handle_; }

  /// Whether the point is reached. Throws DriverError when work before it failed.
  bool Query() const;

  /// Blocks until the point is reached. Throws DriverError when work before it failed.
  void Synchronize() const;

 private:
  std::shared_ptr<Context> context_;
  EventHandle handle_ = nullptr;
  LiveCount count_{LiveKind::kEvent};
};

}  // namespace array_interface::cuda
