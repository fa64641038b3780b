#include "work/rows.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/driver.hpp"

namespace array_interface::cuda {

namespace {

/// Shorter rows are left to kernels, since copy engines transfer each row separately.
constexpr std::int64_t kShortestRow = 256;

/// One side of a copy of rows: bytes from row to row, and rows from plane to plane.
struct Pitch {
  std::size_t bytes;
  std::size_t rows;
};

/// Returns the pitch of a side, from the strides of the one or two axes outside the row.
std::optional<Pitch> PitchOf(const std::vector<std::int64_t>& strides, std::size_t axes,
                             std::int64_t width, std::int64_t rows, std::int64_t limit) {
  const std::int64_t pitch = strides[axes - 2];
  if (pitch < width || pitch > limit) return std::nullopt;
  if (axes == 2) return Pitch{static_cast<std::size_t>(pitch), 0};
  const std::int64_t plane = strides[0];
  if (plane % pitch != 0 || plane / pitch < rows) return std::nullopt;
  return Pitch{static_cast<std::size_t>(pitch), static_cast<std::size_t>(plane / pitch)};
}

/// Enqueues the driver's copy. Within one device, the driver may refuse pitches that it did not
/// choose.
template <class Copy, class Layout>
bool Give(const Copy& copy, const Layout& layout, const Stream& stream) {
  const Result result = copy.Try(&layout, stream.handle());
  if (result == kInvalidValue) return false;
  if (result != kSuccess) throw DriverError(result, copy.name);
  return true;
}

}  // namespace

bool CopyRows(const Stream& stream, const StridedCopy& copy) {
  const std::size_t axes = copy.lengths.size();
  if (axes != 2 && axes != 3) return false;
  const auto unit = static_cast<std::int64_t>(copy.unit);
  if (copy.destination_strides.back() != unit || copy.source_strides.back() != unit) return false;
  const std::int64_t width = copy.lengths.back() * unit;
  if (width < kShortestRow) return false;
  const std::int64_t rows = copy.lengths[axes - 2];
  const std::int64_t limit = stream.context()->MaximumPitch();
  const auto to = PitchOf(copy.destination_strides, axes, width, rows, limit);
  const auto from = PitchOf(copy.source_strides, axes, width, rows, limit);
  if (!to || !from) return false;
  Copy3D whole{};
  whole.source_type = kMemoryTypeUnified;
  whole.source = reinterpret_cast<DevicePointer>(copy.source);
  whole.source_pitch = from->bytes;
  whole.source_height = from->rows;
  whole.destination_type = kMemoryTypeUnified;
  whole.destination = reinterpret_cast<DevicePointer>(copy.destination);
  whole.destination_pitch = to->bytes;
  whole.destination_height = to->rows;
  whole.width = static_cast<std::size_t>(width);
  whole.height = static_cast<std::size_t>(rows);
  const ContextScope scope(*stream.context());
  if (axes == 3) {
    whole.depth = static_cast<std::size_t>(copy.lengths[0]);
    return Give(Cuda().cuMemcpy3DAsync, whole, stream);
  }
  Copy2D plane{};
  plane.source_type = whole.source_type;
  plane.source = whole.source;
  plane.source_pitch = whole.source_pitch;
  plane.destination_type = whole.destination_type;
  plane.destination = whole.destination;
  plane.destination_pitch = whole.destination_pitch;
  plane.width = whole.width;
  plane.height = whole.height;
  return Give(Cuda().cuMemcpy2DAsync, plane, stream);
}

}  // namespace array_interface::cuda
