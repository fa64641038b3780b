#pragma once

#include <cstdint>

namespace array_interface {

/// A loop that moves the units of a tile, compiled for their strides.
enum class Loop : std::uint8_t {
  kRuns,  ///< of rows: contiguous ones
  kRepeated,
  kBackwards,
  kEverySecond,
  kEverySecondBackwards,
  kStrided,
  kIntoPixels,  ///< of transposed units: two to four planes become interleaved
  kFromPixels,
  kTurned,  ///< adjacent units of many columns
  kTurnedEverySecond,
  kTurnedStrided,
  kGathered,  ///< short turns and rows: one unit of each column
};

}  // namespace array_interface
