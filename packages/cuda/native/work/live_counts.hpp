#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace array_interface::cuda {

enum class LiveKind : std::size_t { kAllocation, kStream, kEvent };

/// Counts one object of the driver's in this process, from construction to destruction.
class LiveCount {
 public:
  explicit LiveCount(LiveKind kind) : kind_(kind) { ++Of(kind); }
  LiveCount(const LiveCount&) = delete;
  LiveCount& operator=(const LiveCount&) = delete;
  ~LiveCount() { --Of(kind_); }

  /// How many of them are alive in this process.
  static std::atomic<std::int64_t>& Of(LiveKind kind) {
    static std::array<std::atomic<std::int64_t>, 3> counts{};
    return counts[static_cast<std::size_t>(kind)];
  }

 private:
  LiveKind kind_;
};

}  // namespace array_interface::cuda
