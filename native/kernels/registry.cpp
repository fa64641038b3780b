#include "kernels/registry.hpp"

#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string>

#include "kernels/convert_arguments.hpp"
#include "kernels/host.hpp"
#include "kernels/kernel_arguments.hpp"
#include "kernels/launch.hpp"

namespace array_interface {
namespace {

constexpr auto argument_sizes = KernelArguments::argument_sizes();

/// Throws unless the kernel may run with these values. A wrong length would be divided by.
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

Extent touched(const void* pointer, std::uint32_t unit, const KernelArguments& arguments,
               const std::array<std::int64_t, kernel_rank>& strides, bool written) {
  Extent extent{pointer, 0, 0, written, written ? std::size_t{0} : std::size_t{1}};
  if (arguments.count == 0) return extent;
  extent.high = unit;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(arguments.rank); ++axis) {
    std::int64_t& side = strides[axis] < 0 ? extent.low : extent.high;
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(arguments.lengths[axis] - 1, strides[axis], &reach) ||
        __builtin_add_overflow(side, reach, &side)) {
      throw std::invalid_argument("expected extents that fit 63 bits, got larger ones");
    }
  }
  return extent;
}

template <std::uint32_t unit>
void run(void** arguments) {
  run_kernel(unit, KernelArguments::from_cuda(arguments));
}

template <std::uint32_t unit>
std::array<Extent, 2> extents(void** arguments) {
  const KernelArguments values = KernelArguments::from_cuda(arguments);
  if (values.count > 0) check(values);
  return {touched(values.destination, unit, values, values.destination_strides, true),
          touched(values.source, unit, values, values.source_strides, false)};
}

/// The conversion of a launch. Throws unless there is one with this code.
Conversion checked_conversion(std::uint32_t code) {
  const Conversion conversion{static_cast<ElementType>(code & 0xff),
                              static_cast<ElementType>(code >> 8 & 0xff), (code >> 16 & 1) != 0,
                              (code >> 16 & 2) != 0};
  const bool is_known = (code & 0xff) < element_type_count &&
                        (code >> 8 & 0xff) < element_type_count && code >> 18 == 0;
  if (is_known) return conversion;
  throw std::invalid_argument("expected the code of a conversion, got " + std::to_string(code));
}

void run_convert(void** arguments) { run_kernel(ConvertArguments::from_cuda(arguments)); }

std::array<Extent, 2> convert_extents(void** arguments) {
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
     convert_extents},
};

template <std::uint32_t unit>
constexpr HostKernel stand_in(const char* name) {
  return {name, KernelArguments::argument_count, argument_sizes.data(), run<unit>, extents<unit>};
}

constexpr HostKernel strided_copy_kernels[] = {
    stand_in<1>("strided_copy_1"), stand_in<2>("strided_copy_2"),   stand_in<4>("strided_copy_4"),
    stand_in<8>("strided_copy_8"), stand_in<16>("strided_copy_16"),
};

constexpr HostModule modules[] = {
    {strided_copy_ptx_hash, strided_copy_kernels, std::size(strided_copy_kernels)},
    {convert_ptx_hash, convert_kernels, std::size(convert_kernels)},
};

}  // namespace

const HostModule* find_host_module(std::uint64_t ptx_hash) noexcept {
  for (const HostModule& module : modules) {
    if (module.ptx_hash == ptx_hash) return &module;
  }
  return nullptr;
}

const HostKernel* find_host_kernel(const HostModule& module, const char* name) noexcept {
  for (std::size_t index = 0; index < module.kernel_count; ++index) {
    if (std::strcmp(module.kernels[index].name, name) == 0) return &module.kernels[index];
  }
  return nullptr;
}

}  // namespace array_interface
