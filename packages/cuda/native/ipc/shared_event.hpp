#pragma once

#include <memory>

#include "driver/context.hpp"
#include "work/waitable_event.hpp"

namespace array_interface::cuda {

/// An event that several processes know, and that each may move. Its present place counts. On any
/// thread.
class SharedEvent final : public WaitableEvent {
 public:
  /// Marks the event after everything given to `stream` so far. Throws DriverError.
  SharedEvent(std::shared_ptr<Context> context, StreamHandle stream);
  /// An event of another process. Throws DriverError.
  SharedEvent(std::shared_ptr<Context> context, const IpcHandle& handle);
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;
  ~SharedEvent() override;

  /// Moves the point to after all work that `stream` got so far. A wait that began before keeps the
  /// old place. Throws DriverError.
  void Move(StreamHandle stream) const;
  /// A handle for another process. Throws DriverError.
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
