#pragma once

#include <cstdint>

namespace array_interface {

/// What moves the units of a tile: each is a loop of its own, which knows its strides.
enum class Loop : std::uint8_t {
  kRuns,  ///< of rows: contiguous ones
  kRepeated,
  kBackwards,
  kEverySecond,
  kEverySecondBackwards,
  kStrided,
  kIntoPixels,  ///< of what is turned: two to four planes become interleaved
  kFromPixels,
  kTurned,  ///< adjacent units of many columns
  kTurnedEverySecond,
  kTurnedStrided,
};

}  // namespace array_interface
