#pragma once

#include <memory>

#include "driver/context.hpp"
#include "work/waitable_event.hpp"

namespace array_interface::cuda {

/// An event that several processes share and that each may record again. Its latest record counts.
/// Safe to call from any thread.
class SharedEvent final : public WaitableEvent {
 public:
  /// Records the event after everything enqueued on `stream` so far. Throws DriverError.
  SharedEvent(std::shared_ptr<Context> context, StreamHandle stream);
  /// Opens another process's event. Throws DriverError.
  SharedEvent(std::shared_ptr<Context> context, const IpcHandle& handle);
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;
  ~SharedEvent() override;

  /// Records the event again, after all work enqueued on `stream` so far. A wait that was enqueued
  /// earlier still waits for the old record. Throws DriverError.
  void Move(StreamHandle stream) const;
  /// Returns a handle for another process. Throws DriverError.
  IpcHandle Share() const;

  Progress Poll() noexcept override;
  bool Query() override;
  Dependencies HoldUp(const Context& context, StreamHandle stream) const override;

 private:
  Result Status() const;

  std::shared_ptr<Context> context_;
  EventHandle handle_ = nullptr;
};

}  // namespace array_interface::cuda
