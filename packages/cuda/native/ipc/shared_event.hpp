#pragma once

#include <memory>

#include "driver/context.hpp"
#include "work/cuda_point.hpp"

namespace array_interface::cuda {

/// A point that several processes know, and that each may move. Its present place counts. On any
/// thread.
class SharedEvent final : public CudaPoint {
 public:
  /// Marks the point after everything given to `stream` so far. Throws DriverError.
  SharedEvent(std::shared_ptr<Context> context, StreamHandle stream);
  /// A point of another process. Throws DriverError.
  SharedEvent(std::shared_ptr<Context> context, const IpcHandle& handle);
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;
  ~SharedEvent() override;

  /// Moves the point to after all work that `stream` got so far. A wait that began before keeps the
  /// old place. Throws DriverError.
  void Move(StreamHandle stream) const;
  /// A handle for another process. Throws DriverError.
  IpcHandle Share() const;

  Progress Ask() noexcept override;
  bool Query() override;
  Dependencies HoldUp(const Context& context, StreamHandle stream) const override;

 private:
  Result Status() const;

  std::shared_ptr<Context> context_;
  EventHandle handle_ = nullptr;
};

}  // namespace array_interface::cuda
