#include "kernels/emulator/registry.hpp"

#include <cstring>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/embedded.hpp"
#include "kernels/emulator/run_blocks.hpp"
#include "kernels/emulator/run_kernel.hpp"
#include "kernels/launch/block_launch.hpp"
#include "kernels/launch/convert_arguments.hpp"
#include "kernels/launch/kernel_arguments.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/launch/specialise.hpp"

namespace array_interface {
namespace {

constexpr auto argument_sizes = KernelArguments::argument_sizes();

/// Throws unless the kernel may run with these values. It would divide by a wrong length.
void check(const KernelArguments& arguments) {
  if (arguments.rank < 0 || arguments.rank > static_cast<std::int32_t>(kernel_rank)) {
    throw std::invalid_argument("expected a rank of 0 to 6, got " + std::to_string(arguments.rank));
  }
  std::uint64_t count = 1;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(arguments.rank); ++axis) {
    const std::int64_t length = arguments.lengths[axis];
    if (length < 1 || __builtin_mul_overflow(count, static_cast<std::uint64_t>(length), &count)) {
      throw std::invalid_argument("expected lengths of 1 or more whose product fits 64 bits, got " +
                                  std::to_string(length) + " on axis " + std::to_string(axis));
    }
  }
  if (count > LaunchLimits{}.units) {
    throw std::invalid_argument("expected fewer than 2^31 units, got " + std::to_string(count));
  }
  if (count != arguments.count) {
    throw std::invalid_argument("expected a count of " + std::to_string(count) +
                                ", the product of the lengths, got " +
                                std::to_string(arguments.count));
  }
}

/// Extends the range of touched bytes by one axis.
void extend(Extent& extent, std::int64_t length, std::int64_t stride) {
  std::int64_t& side = stride < 0 ? extent.low : extent.high;
  std::int64_t reach = 0;
  if (__builtin_mul_overflow(length - 1, stride, &reach) ||
      __builtin_add_overflow(side, reach, &side)) {
    throw std::invalid_argument("expected extents that fit 63 bits, got larger ones");
  }
}

Extent touched(const void* pointer, std::uint32_t unit, const KernelArguments& arguments,
               const std::array<std::int64_t, kernel_rank>& strides, bool written) {
  Extent extent{pointer, 0, 0, written, written ? std::size_t{0} : std::size_t{1}};
  if (arguments.count == 0) return extent;
  extent.high = unit;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(arguments.rank); ++axis) {
    extend(extent, arguments.lengths[axis], strides[axis]);
  }
  return extent;
}

template <std::uint32_t unit>
void run(void** arguments, std::uint32_t) {
  run_kernel(unit, KernelArguments::from_cuda(arguments));
}

template <std::uint32_t unit>
std::array<Extent, 2> extents(void** arguments, std::uint32_t) {
  const KernelArguments values = KernelArguments::from_cuda(arguments);
  if (values.count > 0) check(values);
  return {touched(values.destination, unit, values, values.destination_strides, true),
          touched(values.source, unit, values, values.source_strides, false)};
}

/// Returns the conversion of a launch. Throws if there is none with this code.
Conversion checked_conversion(std::uint32_t code) {
  const Conversion conversion{static_cast<ElementType>(code & 0xff),
                              static_cast<ElementType>(code >> 8 & 0xff), (code >> 16 & 1) != 0,
                              (code >> 16 & 2) != 0, (code >> 16 & 4) != 0};
  const bool is_known = (code & 0xff) < element_type_count &&
                        (code >> 8 & 0xff) < element_type_count && code >> 19 == 0;
  if (is_known) return conversion;
  throw std::invalid_argument("expected a conversion code, got " + std::to_string(code));
}

/// Accepts every grid: the threads of the other kernels loop until all units are done.
void allow_grid(void**, const LaunchSize&, const LaunchSize&) {}

void run_convert(void** arguments, std::uint32_t) {
  run_kernel(ConvertArguments::from_cuda(arguments));
}

std::array<Extent, 2> convert_extents(void** arguments, std::uint32_t) {
  const ConvertArguments values = ConvertArguments::from_cuda(arguments);
  const KernelArguments& layout = values.layout;
  const Conversion conversion = checked_conversion(values.conversion);
  if (layout.count > 0) check(layout);
  return {
      touched(layout.destination, size_of(conversion.to), layout, layout.destination_strides, true),
      touched(layout.source, size_of(conversion.from), layout, layout.source_strides, false)};
}

constexpr auto convert_argument_sizes = ConvertArguments::argument_sizes();

constexpr HostKernel convert_kernels[] = {
    {"convert", ConvertArguments::argument_count, convert_argument_sizes.data(), run_convert,
     convert_extents, allow_grid},
};

void run_block_copy(void** arguments, std::uint32_t conversion) {
  run_blocks(BlockArguments::from_cuda(arguments), conversion);
}

/// Throws unless the tiles match the lengths and fit.
void check(const TilePair& pair, std::uint32_t unit) {
  const auto is_cut = [](std::int64_t length, std::uint32_t tile, std::uint32_t tiles) {
    return tile > 0 && length > 0 && tiles == (length - 1) / tile + 1;
  };
  const bool is_right = is_cut(pair.wide, pair.columns, pair.across) &&
                        is_cut(pair.high, pair.rows, pair.down) && pair.pitch >= pair.columns &&
                        pair.pitch <= block_tile_bytes && pair.rows <= block_tile_bytes &&
                        std::uint64_t{pair.pitch} * pair.rows * unit <= block_tile_bytes;
  if (!is_right)
    throw std::invalid_argument("expected tiles that match the lengths and fit, got others");
}

std::array<Extent, 2> block_copy_extents(void** arguments, std::uint32_t code) {
  const BlockArguments values = BlockArguments::from_cuda(arguments);
  const KernelArguments& layout = values.layout;
  const TilePair& pair = values.pair;
  StridedCopy around{layout.destination, layout.source, 16, {}, {}, {}};
  if (code != block_bytes_16) {
    around.conversion = checked_conversion(code);
    around.unit = size_of(around.conversion->to);
  }
  const std::uint32_t to = around.unit;
  const std::uint32_t from = around.source_unit();
  check(layout);
  check(pair, from);
  const auto first = [&](const auto& strides) {
    return std::vector<std::int64_t>(strides.begin(), strides.begin() + layout.rank);
  };
  around.destination_strides = first(layout.destination_strides);
  around.source_strides = first(layout.source_strides);
  const std::uint32_t packed = pair.flags & (block_packed_loads | block_packed_stores);
  if ((packed & ~packed_flags(around, pair)) != 0) {
    throw std::invalid_argument("expected words aligned to 4 bytes, got unaligned ones");
  }
  if (values.blocks() > block_limit) {
    throw std::invalid_argument("expected at most " + std::to_string(block_limit) +
                                " blocks, got " + std::to_string(values.blocks()));
  }
  std::array<Extent, 2> extents{
      touched(layout.destination, to, layout, layout.destination_strides, true),
      touched(layout.source, from, layout, layout.source_strides, false)};
  extend(extents[0], pair.wide, pair.to_column);
  extend(extents[0], pair.high, pair.to_row);
  extend(extents[1], pair.wide, pair.from_column);
  extend(extents[1], pair.high, pair.from_row);
  return extents;
}

/// Throws unless each tile has a block, and each block has all its threads.
void check_blocks(void** arguments, const LaunchSize& grid, const LaunchSize& block) {
  const std::uint64_t blocks = BlockArguments::from_cuda(arguments).blocks();
  if (grid[0] >= blocks && block == LaunchSize{cuda_block, 1, 1}) return;
  throw std::invalid_argument("expected " + std::to_string(blocks) + " blocks of " +
                              std::to_string(cuda_block) + " threads, got another grid");
}

constexpr auto block_argument_sizes = BlockArguments::argument_sizes();

constexpr HostKernel block_copy_kernels[] = {
    {"block_copy", BlockArguments::argument_count, block_argument_sizes.data(), run_block_copy,
     block_copy_extents, check_blocks},
};

template <std::uint32_t unit>
constexpr HostKernel stand_in(const char* name) {
  return {
      name,      KernelArguments::argument_count, argument_sizes.data(), run<unit>, extents<unit>,
      allow_grid};
}

constexpr HostKernel strided_copy_kernels[] = {
    stand_in<1>("strided_copy_1"), stand_in<2>("strided_copy_2"),   stand_in<4>("strided_copy_4"),
    stand_in<8>("strided_copy_8"), stand_in<16>("strided_copy_16"),
};

constexpr HostModule modules[] = {
    {strided_copy_ptx, strided_copy_kernels, std::size(strided_copy_kernels)},
    {convert_ptx, convert_kernels, std::size(convert_kernels)},
    {block_copy_ptx, block_copy_kernels, std::size(block_copy_kernels)},
};

/// Parses eight hexadecimal digits. Empty if they are no such digits.
std::optional<std::uint32_t> number_of(std::string_view digits) {
  std::uint32_t number = 0;
  for (const char digit : digits) {
    const std::size_t value = std::string_view("0123456789abcdef").find(digit);
    if (value == std::string_view::npos) return std::nullopt;
    number = number << 4 | static_cast<std::uint32_t>(value);
  }
  return number;
}

/// Returns the conversion that the text is specialised for. Empty if it is no specialised
/// block_copy. The text must be as long as block_copy's.
std::optional<std::uint32_t> specialised_for(std::string_view text) {
  static const std::string_view ours(block_copy_ptx);
  static const std::size_t place = ours.find(any_conversion_digits);
  if (text.size() != ours.size()) return std::nullopt;
  const std::string_view digits = text.substr(place, any_conversion_digits.size());
  const std::size_t rest = place + digits.size();
  if (text.substr(0, place) != ours.substr(0, place) || text.substr(rest) != ours.substr(rest)) {
    return std::nullopt;
  }
  return number_of(digits);
}

}  // namespace

FoundModule find_host_module(std::string_view ptx) {
  const auto conversion = specialised_for(ptx);
  for (const HostModule& module : modules) {
    const bool is_same = conversion ? module.ptx == block_copy_ptx : ptx == module.ptx;
    if (is_same) return {&module, conversion.value_or(0)};
  }
  return {nullptr, 0};
}

const HostKernel* find_host_kernel(const HostModule& module, const char* name) noexcept {
  for (std::size_t index = 0; index < module.kernel_count; ++index) {
    if (std::strcmp(module.kernels[index].name, name) == 0) return &module.kernels[index];
  }
  return nullptr;
}

}  // namespace array_interface
