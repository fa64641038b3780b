#include "any_copy.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <variant>

#include "demand.hpp"
#include "kernels/host/copy.hpp"
#include "kernels/host/pieces.hpp"
#include "kernels/launch/block_launch.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/launch/special_launch.hpp"
#include "planted.hpp"

namespace ai = array_interface;

namespace {

using Wide = __int128;

/// The range of addresses that elements occupy.
struct Extent {
  Wide low;
  Wide high;
};

template <typename Lengths, typename Strides>
Extent extent_of(const void* pointer, std::size_t rank, const Lengths& lengths,
                 const Strides& strides, std::uint32_t unit) {
  const auto start = static_cast<Wide>(reinterpret_cast<std::uintptr_t>(pointer));
  Extent extent{start, start + unit};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const Wide reach = static_cast<Wide>(lengths[axis] - 1) * strides[axis];
    (reach < 0 ? extent.low : extent.high) += reach;
  }
  return extent;
}

bool is_memory(const Extent& extent) {
  return extent.low > 0 && extent.high < static_cast<Wide>(1) << 64;
}

bool is_within(const Extent& inner, const Extent& outer) {
  return inner.low >= outer.low && inner.high <= outer.high;
}

/// The extents of both sides of a copy or launch.
struct Extents {
  Extent to;
  Extent from;
};

template <typename Shape>
Extents extents_of(const Shape& shape, std::size_t rank, const ai::StridedCopy& copy) {
  return {extent_of(shape.destination, rank, shape.lengths, shape.destination_strides, copy.unit),
          extent_of(shape.source, rank, shape.lengths, shape.source_strides, copy.source_unit())};
}

bool is_within(const Extents& inner, const Extents& outer) {
  return is_within(inner.to, outer.to) && is_within(inner.from, outer.from);
}

ai::StridedCopy any_copy(Numbers& numbers) {
  ai::StridedCopy copy;
  copy.unit = numbers.Flag() ? 1u << numbers.Below(6) : numbers.Byte();
  if (numbers.Below(4) == 3) {
    copy.conversion = ai::Conversion{static_cast<ai::ElementType>(numbers.Below(15)),
                                     static_cast<ai::ElementType>(numbers.Below(15))};
    if (numbers.Below(8) != 7) copy.unit = size_of(copy.conversion->to);
  }
  copy.destination = reinterpret_cast<void*>(numbers.Word());
  copy.source = reinterpret_cast<const void*>(numbers.Word());
  const std::uint32_t rank = numbers.Below(numbers.Below(8) == 7 ? 80 : 6);
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    copy.lengths.push_back(numbers.Word() & (numbers.Below(16) == 15 ? -1 : INT64_MAX));
    copy.destination_strides.push_back(numbers.Word());
    copy.source_strides.push_back(numbers.Word());
  }
  if (numbers.Below(64) == 63) copy.source_strides.push_back(0);
  return copy;
}

bool is_refused(const ai::StridedCopy& copy) {
  try {
    ai::validate(copy);
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

struct Enough {};

void check_launches(const ai::StridedCopy& copy, const Extents& whole) {
  std::uint64_t units = 0;
  int launches = 0;
  try {
    ai::for_each_launch(copy, [&](const ai::KernelArguments& launch) {
      demand(launch.count > 0 && launch.count < 1u << 31, "a launch of 1 to 2^31 - 1 units");
      demand(is_within(extents_of(launch, static_cast<std::size_t>(launch.rank), copy), whole),
             "a launch within its copy");
      units += launch.count;
      if (++launches == 100) throw Enough();
    });
    demand(units == ai::unit_count(copy), "launches of the whole copy");
  } catch (const Enough&) {
    demand(units < ai::unit_count(copy) || launches == 100, "launches that end");
  }
}

std::uint64_t units_of(const ai::RowPart& part) {
  return ai::unit_count(part.rows) * part.columns * part.channels();
}

std::uint64_t units_of(const ai::TilePart& part) {
  std::uint64_t units = ai::unit_count(part.around);
  std::int64_t tile = 1;
  for (std::size_t axis = 0; axis < ai::tile_kernel_rank; ++axis) {
    units *= static_cast<std::uint64_t>(part.arguments.lengths[axis]);
    tile *= part.arguments.sides[axis];
  }
  demand(tile <= 65536, "tiles that local memory holds");
  return units;
}

void check_parts(const ai::StridedCopy& copy) {
  for (const ai::Tiles tiles : {ai::Tiles::kAllowed, ai::Tiles::kRefused}) {
    std::uint64_t units = 0;
    for (const ai::SpecialPart& part : ai::special_parts(copy, tiles)) {
      units += std::visit([](const auto& work) { return units_of(work); }, part.work);
    }
    demand(units == ai::unit_count(copy), "parts of the whole copy");
  }
}

void check_blocks(const ai::StridedCopy& copy) {
  const auto blocks = ai::block_copy_of(copy, 1);
  if (!blocks) return;
  const ai::TilePair& pair = blocks->pair;
  demand(ai::unit_count(blocks->around) * static_cast<std::uint64_t>(pair.wide) *
                 static_cast<std::uint64_t>(pair.high) ==
             ai::unit_count(copy),
         "blocks of the whole copy");
}

void check_pieces(const ai::StridedCopy& copy, const Extents& whole, std::size_t most) {
  std::uint64_t units = 0;
  for (const ai::StridedCopy& piece : ai::pieces_of(copy, most)) {
    units += ai::unit_count(piece);
    demand(ai::unit_count(piece) > 0, "pieces of some elements");
    demand(is_within(extents_of(piece, piece.lengths.size(), copy), whole), "pieces within");
  }
  demand(units == ai::unit_count(copy), "pieces of the whole copy");
}

}  // namespace

void check_any_copy(Numbers& numbers) {
  const std::size_t most = 1 + numbers.Below(1024);
  const ai::StridedCopy copy = any_copy(numbers);
  add_planted(copy);
  const bool refused = is_refused(copy);
  if (refused || ai::unit_count(copy) == 0) {
    try {
      ai::strided_copy(copy, static_cast<std::uint32_t>(most));
      demand(!refused, "a refusal");
    } catch (const std::invalid_argument&) {
      demand(refused, "no refusal");
    }
    return;
  }
  const Extents whole = extents_of(copy, copy.lengths.size(), copy);
  if (!is_memory(whole.to) || !is_memory(whole.from)) return;
  check_launches(copy, whole);
  check_parts(copy);
  check_blocks(copy);
  check_pieces(copy, whole, most);
}
