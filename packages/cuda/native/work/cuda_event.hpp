#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "driver/context.hpp"
#include "napi/setup.hpp"
#include "work/waitable_event.hpp"

namespace array_interface::cuda {

/// How many of a stream's events are known to be complete. The stream and its events share it.
using CompletedCount = std::atomic<std::uint64_t>;

/// An event in a stream's work. The driver's event behind it goes back to the pool once somebody
/// saw that it is reached, or nobody holds it. On any thread.
class CudaEvent final : public WaitableEvent {
 public:
  static constexpr napi_type_tag kTag{0x6a1f6f0c7d2b4c11, 0x9a5b31d2e84f0c02};

  /// The number of the event among those of its stream: 1 is the first; 0 for an event in no such
  /// order. `is_in_order`: whether a later one that is reached tells about it.
  struct Position {
    std::shared_ptr<CompletedCount> reached;
    std::uint64_t number = 0;
    bool is_in_order = false;
  };

  /// Marks the event after everything given to `stream` so far, which comes after work in `others`.
  /// Throws DriverError.
  CudaEvent(std::shared_ptr<Context> context, StreamHandle stream, Dependencies others,
            Position position);
  /// Marks the event with an event outside of the pool: one with a time, or one in a graph.
  CudaEvent(std::shared_ptr<Context> context, StreamHandle stream, Dependencies others,
            bool timing);
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;
  ~CudaEvent() override;

  Progress Poll() noexcept override;
  bool HasFailed() const noexcept override;
  bool Query() override;
  Dependencies HoldUp(const Context& context, StreamHandle stream) const override;
  const void* queue() const noexcept override {
    return position_.is_in_order ? position_.reached.get() : nullptr;
  }

  /// Blocks until the event is complete. Throws DriverError when work before it failed.
  void Synchronize();

  /// Milliseconds from another point to this one. Both were made with timing and are reached.
  /// Throws DriverError.
  float Since(const CudaEvent& start) const;

 private:
  void Record(StreamHandle stream);
  /// Asks the driver, and about the work of others where it says that the event is complete.
  Answer AskDriver() const noexcept;
  /// Asks the driver where need be. Call with the lock.
  Progress Look(Answer& answer) noexcept;
  /// Notes the driver's answer about the event. Call with the lock.
  Progress Conclude(const Answer& answer) noexcept;
  void GiveBack() noexcept;

  std::shared_ptr<Context> context_;
  const Dependencies others_;
  Position position_;
  bool is_pooled_;
  mutable std::mutex mutex_;
  EventHandle handle_ = nullptr;  ///< null: given back
  int users_ = 0;                 ///< threads that use the handle without the lock
  bool is_complete_ = false;
  Answer failure_;  ///< kSuccess: none
};

}  // namespace array_interface::cuda
