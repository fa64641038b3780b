#pragma once

#include <memory>
#include <vector>

namespace array_interface {

/// A point in a queue's work. It is reached once everything before it has ended or failed.
class Point {
 public:
  virtual ~Point() = default;
  /// Whether it is reached. Never throws and never waits. From any thread.
  virtual bool IsReached() noexcept = 0;
  /// Whether the work before it is known to have failed; then it is reached.
  virtual bool HasFailed() const noexcept { return false; }
};

using Points = std::vector<std::shared_ptr<Point>>;

/// Drops the points that are reached. True: none is left.
inline bool DropReached(Points& points) noexcept {
  std::size_t left = 0;
  for (auto& point : points) {
    if (!point->IsReached()) points[left++].swap(point);
  }
  points.resize(left);
  return points.empty();
}

}  // namespace array_interface
