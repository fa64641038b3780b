#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace array_interface::cuda {

enum class LiveKind : std::size_t { kAllocation, kStream, kEvent };

/// Counts this process's driver objects, including those cached for reuse.
class LiveCount {
 public:
  static std::atomic<std::int64_t>& Of(LiveKind kind) {
    static std::array<std::atomic<std::int64_t>, 3> counts{};
    return counts[static_cast<std::size_t>(kind)];
  }
};

}  // namespace array_interface::cuda
