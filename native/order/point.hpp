#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace array_interface {

/// What is known of a point.
enum class Progress {
  kPending,
  kReached,
  kUnknown,  ///< The driver refuses to say. It is asked again; until then all may be pending.
};

/// A point in a queue's work. It is reached once everything before it has ended or failed.
class Point {
 public:
  virtual ~Point() = default;
  /// Asks the driver, unless it is known to be reached. Never throws and never waits. From any
  /// thread.
  virtual Progress Ask() noexcept = 0;
  bool IsReached() noexcept { return Ask() == Progress::kReached; }
  /// Whether the work before it is known to have failed; then it is reached.
  virtual bool HasFailed() const noexcept { return false; }
};

using Points = std::vector<std::shared_ptr<Point>>;

/// Drops the points that are reached. Reached: none is left. Unknown: one of them is.
inline Progress DropReached(Points& points) noexcept {
  Progress all = Progress::kReached;
  std::size_t left = 0;
  for (auto& point : points) {
    const Progress progress = point->Ask();
    if (progress == Progress::kReached) continue;
    if (all != Progress::kUnknown) all = progress;
    points[left++].swap(point);
  }
  points.resize(left);
  return all;
}

}  // namespace array_interface
