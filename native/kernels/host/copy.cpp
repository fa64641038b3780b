#include "kernels/host/copy.hpp"

#include <cstring>
#include <vector>

#include "kernels/host/copy_in_tiles.hpp"
#include "kernels/host/on_threads.hpp"
#include "kernels/host/pieces.hpp"
#include "kernels/host/way.hpp"

namespace array_interface {
namespace {

/// Copies at least one element on the calling thread.
void copy_here(const StridedCopy& copy, Volume volume) {
  switch (way_of(copy)) {
    case Way::kNothing:
      return;
    case Way::kRun:
      std::memmove(copy.destination, copy.source, unit_count(copy) * copy.unit);
      return;
    case Way::kTiles:
      return copy_in_tiles(copy, volume);
  }
}

}  // namespace

void strided_copy(const StridedCopy& copy, std::uint32_t threads) {
  validate(copy);
  const std::size_t used = threads_for(copy, threads);
  if (unit_count(copy) == 0) return;
  const Volume volume = volume_of(copy);
  if (used < 2) return copy_here(copy, volume);
  const std::vector<StridedCopy> pieces = pieces_of(copy, used);
  on_threads(pieces.size(), [&](std::size_t index) { copy_here(pieces[index], volume); });
}

}  // namespace array_interface
