#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "driver/context.hpp"
#include "napi/setup.hpp"
#include "work/cuda_point.hpp"

namespace array_interface::cuda {

/// How many of a stream's points are known to be reached. The stream and its points share it.
using ReachedCount = std::atomic<std::uint64_t>;

/// A point in a stream's work. The driver's event behind it goes back to the pool once somebody saw
/// that it is reached, or nobody holds it. On any thread.
class Event final : public CudaPoint {
 public:
  static constexpr napi_type_tag kTag{0x6a1f6f0c7d2b4c11, 0x9a5b31d2e84f0c02};

  /// The number of the point among those of its stream: 1 is the first; 0 for a point in no such
  /// order. `is_in_order`: whether a later one that is reached tells about it.
  struct Place {
    std::shared_ptr<ReachedCount> reached;
    std::uint64_t number = 0;
    bool is_in_order = false;
  };

  /// Marks the point after everything given to `stream` so far, which comes after work in `others`.
  /// Throws DriverError.
  Event(std::shared_ptr<Context> context, StreamHandle stream, Dependencies others, Place place);
  /// Marks the point with an event outside of the pool: one with a time, or one in a graph.
  Event(std::shared_ptr<Context> context, StreamHandle stream, Dependencies others, bool timing);
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() override;

  Progress Ask() noexcept override;
  bool HasFailed() const noexcept override;
  bool Query() override;
  Dependencies HoldUp(const Context& context, StreamHandle stream) const override;
  const void* queue() const noexcept override {
    return place_.is_in_order ? place_.reached.get() : nullptr;
  }

  /// Blocks until the point is reached. Throws DriverError when work before it failed.
  void Synchronize();

  /// Milliseconds from another point to this one. Both were made with timing and are reached.
  /// Throws DriverError.
  float Since(const Event& start) const;

 private:
  void Record(StreamHandle stream);
  /// Asks the driver, and about the work of others where it says that the point is reached.
  Answer AskDriver() const noexcept;
  /// Asks the driver where need be. Call with the lock.
  Progress Look(Answer& answer) noexcept;
  /// Notes the driver's answer about the event. Call with the lock.
  Progress Conclude(const Answer& answer) noexcept;
  void GiveBack() noexcept;

  std::shared_ptr<Context> context_;
  const Dependencies others_;
  Place place_;
  bool is_pooled_;
  mutable std::mutex mutex_;
  EventHandle handle_ = nullptr;  ///< null: given back
  int users_ = 0;                 ///< threads that use the handle without the lock
  bool is_reached_ = false;
  Answer failure_;  ///< kSuccess: none
};

}  // namespace array_interface::cuda
