#include "copy.hpp"

#include <cstdio>
#include <cstring>
#include <vector>

#include "base/failure.hpp"
#include "base/last_fault.hpp"
#include "capture.hpp"
#include "context.hpp"
#include "schedule.hpp"

namespace array_interface::cuda_simulator {
namespace {

/// Returns the bytes from the first to the end. Throws on overflow.
std::size_t extent_of(const Side& side, std::size_t width, std::size_t rows) {
  if (rows == 1) return width;
  std::size_t extent = 0;
  require(side.pitch >= width && !__builtin_mul_overflow(side.pitch, rows - 1, &extent) &&
          !__builtin_add_overflow(extent, width, &extent));
  return extent;
}

Place check(const Side& side, std::size_t extent) {
  require(side.address != 0 && extent <= UINTPTR_MAX - side.address);
  Place place = allocations().find(side.address, extent);
  require(place.kind != Place::Kind::invalid);
  const bool host_only = place.kind == Place::Kind::pageable;
  const bool device_only = place.is(Allocation::Kind::device);
  require(!(side.claim == Side::Claim::device && host_only));
  require(!(side.claim == Side::Claim::host && device_only));
  return place;
}

bool is_host(const Place& place) {
  return place.kind == Place::Kind::pageable || place.is(Allocation::Kind::pinned) ||
         place.is(Allocation::Kind::registered);
}

bool is_host_readable(const Place& place) {
  return place.kind == Place::Kind::pageable || place.allocation->host_readable();
}

/// Uses memmove, since the two may overlap; row by row in address order, one of the orders that a
/// device may use.
void move_rows(std::byte* to, std::size_t to_pitch, const std::byte* from, std::size_t from_pitch,
               std::size_t width, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    std::memmove(to + row * to_pitch, from + row * from_pitch, width);
  }
}

/// The location of one side when the copy runs: in an allocation, or at a fixed host address.
struct End {
  std::byte* fixed = nullptr;
  std::uintptr_t address = 0;
  std::size_t extent = 0;
  std::size_t pitch = 0;

  bool map(Mapped& mapped) const {
    mapped.bytes = fixed;
    return fixed != nullptr || map_for_device(address, extent, mapped);
  }
};

End end_of(const Side& side, const Place& place, std::size_t extent) {
  const bool fixed = place.kind == Place::Kind::pageable;
  return {fixed ? reinterpret_cast<std::byte*>(side.address) : nullptr, side.address, extent,
          side.pitch};
}

Work move_work(const End& to, const End& from,
               const std::shared_ptr<std::vector<std::byte>>& staged, std::size_t width,
               std::size_t rows) {
  return [=] {
    Mapped destination;
    Mapped source;
    if (!to.map(destination)) fail_access("a copy writes", to.address, to.extent);
    if (!from.map(source)) fail_access("a copy reads", from.address, from.extent);
    move_rows(destination.bytes, to.pitch, source.bytes, from.pitch, width, rows);
    (void)staged;  // keeps what `from` points to
    return CUDA_SUCCESS;
  };
}

}  // namespace

bool map_for_device(std::uintptr_t address, std::size_t size, Mapped& mapped) {
  const Place place = allocations().find(address, size);
  if (place.kind != Place::Kind::allocation || !place.allocation->usable) return false;
  mapped.allocation = place.allocation;
  mapped.bytes = place.allocation->at(address);
  return true;
}

void fail_access(const char* work, std::uintptr_t address, std::size_t size) {
  char range[80];
  std::snprintf(range, sizeof range, " %zu bytes at 0x%zx, ", size,
                static_cast<std::size_t>(address));
  throw_fault(CUDA_ERROR_ILLEGAL_ADDRESS, work + (range + allocations().describe(address, size)));
}

Work copy_work(const Side& destination, const Side& source, std::size_t width, std::size_t rows) {
  if (width == 0 || rows == 0) return nullptr;
  const std::size_t to_extent = extent_of(destination, width, rows);
  const std::size_t from_extent = extent_of(source, width, rows);
  return move_work(end_of(destination, check(destination, to_extent), to_extent),
                   end_of(source, check(source, from_extent), from_extent), nullptr, width, rows);
}

void copy(Stream& stream, const Side& destination, const Side& source, std::size_t width,
          std::size_t rows, Form form) {
  if (width == 0 || rows == 0) return;
  const std::size_t to_extent = extent_of(destination, width, rows);
  const std::size_t from_extent = extent_of(source, width, rows);
  const Place to_place = check(destination, to_extent);
  const Place from_place = check(source, from_extent);
  const bool to_pageable = to_place.kind == Place::Kind::pageable;
  const bool from_pageable = from_place.kind == Place::Kind::pageable;
  End to = end_of(destination, to_place, to_extent);
  End from = end_of(source, from_place, from_extent);

  std::shared_ptr<std::vector<std::byte>> staged;
  if (capture_info(stream).status != 0) {  // a graph node reads and writes when it is launched
    schedule().enqueue(stream, move_work(to, from, nullptr, width, rows), {}, WorkKind::copy);
    return;
  }
  const bool stage = from_pageable && !is_host(to_place);
  if (stage) {
    // The synchronous form waits for the stream before it reads. Neither form waits for the
    // transfer.
    if (form == Form::synchronous) schedule().wait(schedule().tail(stream));
    staged = std::make_shared<std::vector<std::byte>>(width * rows);
    move_rows(staged->data(), width, from.fixed, from.pitch, width, rows);
    from.fixed = staged->data();
    from.pitch = width;
  }
  const TaskPtr task =
      schedule().enqueue(stream, move_work(to, from, staged, width, rows), {}, WorkKind::copy);

  const bool between_hosts = is_host(to_place) && is_host(from_place);
  const bool touches_host = is_host_readable(to_place) || is_host_readable(from_place);
  const bool waits =
      to_pageable || between_hosts || (form == Form::synchronous && touches_host && !stage);
  if (!waits) return;
  schedule().wait(task);
  stream.context->require_no_failure();
}

}  // namespace array_interface::cuda_simulator
