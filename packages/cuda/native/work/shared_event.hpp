#pragma once

#include <memory>

#include "driver/context.hpp"
#include "work/cuda_point.hpp"

namespace array_interface::cuda {

/// A point that several processes know, and each may move: where it is now counts. On any thread.
class SharedEvent final : public CudaPoint {
 public:
  /// Marks the point after everything given to `stream` so far. Throws DriverError.
  SharedEvent(std::shared_ptr<Context> context, StreamHandle stream);
  /// One of another process. Throws DriverError.
  SharedEvent(std::shared_ptr<Context> context, const IpcHandle& handle);
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;
  ~SharedEvent() override;

  /// Moves the point after everything given to `stream` so far; who waits already keeps the old
  /// one. Throws DriverError.
  void Move(StreamHandle stream) const;
  /// What another process opens. Throws DriverError.
  IpcHandle Share() const;

  bool IsReached() noexcept override;
  bool Query() override;
  void HoldUp(const Context& context, StreamHandle stream) const override;

 private:
  Result Ask() const;

  std::shared_ptr<Context> context_;
  EventHandle handle_ = nullptr;
};

}  // namespace array_interface::cuda
