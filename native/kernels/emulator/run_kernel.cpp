#include "kernels/emulator/run_kernel.hpp"

#include "kernels/device/number.h"
#include "kernels/device/shape.h"

namespace array_interface {
namespace {

#include "kernels/device/strided_copy.cl"  // NOLINT: the kernels themselves, as C++
#define WIDE
#include "kernels/device/convert.cl"  // NOLINT

using Kernel = decltype(&strided_copy_1);

Kernel kernel_for(std::uint32_t unit) noexcept {
  switch (unit) {
    case 1:
      return strided_copy_1;
    case 2:
      return strided_copy_2;
    case 4:
      return strided_copy_4;
    case 8:
      return strided_copy_8;
    default:
      return strided_copy_16;
  }
}

}  // namespace

void run_kernel(std::uint32_t unit, const KernelArguments& arguments) noexcept {
  const auto& n = arguments.lengths;
  const auto& d = arguments.destination_strides;
  const auto& s = arguments.source_strides;
  kernel_for(unit)(static_cast<unsigned char*>(arguments.destination),
                   static_cast<const unsigned char*>(arguments.source), arguments.count,
                   arguments.rank, n[0], n[1], n[2], n[3], n[4], n[5], d[0], d[1], d[2], d[3], d[4],
                   d[5], s[0], s[1], s[2], s[3], s[4], s[5]);
}

void run_kernel(const ConvertArguments& arguments) noexcept {
  const KernelArguments& layout = arguments.layout;
  const auto& n = layout.lengths;
  const auto& d = layout.destination_strides;
  const auto& s = layout.source_strides;
  convert(static_cast<unsigned char*>(layout.destination),
          static_cast<const unsigned char*>(layout.source), layout.count, layout.rank, n[0], n[1],
          n[2], n[3], n[4], n[5], d[0], d[1], d[2], d[3], d[4], d[5], s[0], s[1], s[2], s[3], s[4],
          s[5], arguments.conversion);
}

}  // namespace array_interface
