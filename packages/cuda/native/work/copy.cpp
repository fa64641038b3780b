#include "work/copy.hpp"

#include <cstdint>

#include "driver/driver.hpp"
#include "kernels/launch/block_launch.hpp"
#include "kernels/launch/convert_arguments.hpp"
#include "kernels/launch/launch.hpp"
#include "work/rows.hpp"

namespace array_interface::cuda {

namespace {

/// A copy of at least this many units requests a kernel for its conversion, which is compiled in
/// the background. Smaller copies take only microseconds with the general kernels.
constexpr std::uint64_t kWorthCompiling = 1 << 16;

/// Returns false if the kernel is not built yet, so that another kernel must do this copy.
bool CopyBlocks(const Stream& stream, const BlockCopy& copy, std::uint64_t units) {
  Kernels& kernels = stream.context()->kernels();
  const FunctionHandle kernel = kernels.ForBlocks(copy.conversion);
  if (kernel == nullptr) {
    if (units >= kWorthCompiling) kernels.AskForBlocks(copy.conversion);
    return false;
  }
  const ContextScope scope(*stream.context());
  for_each_block_launch(copy, [&](BlockArguments& arguments) {
    auto pointers = arguments.cuda_arguments();
    Cuda().cuLaunchKernel(kernel, static_cast<std::uint32_t>(arguments.blocks()), 1, 1, cuda_block,
                          1, 1, 0, stream.handle(), pointers.data(), nullptr);
  });
  return true;
}

void Convert(const Stream& stream, const StridedCopy& copy) {
  const FunctionHandle kernel = stream.context()->kernels().ForNumbers();
  const ContextScope scope(*stream.context());
  for_each_launch(copy, [&](const KernelArguments& layout) {
    ConvertArguments arguments{layout, conversion_code(*copy.conversion)};
    auto pointers = arguments.cuda_arguments();
    Cuda().cuLaunchKernel(kernel, cuda_grid(layout.count), 1, 1, cuda_block, 1, 1, 0,
                          stream.handle(), pointers.data(), nullptr);
  });
}

}  // namespace

void EnqueueMemcpy(const Stream& stream, DevicePointer destination, DevicePointer source,
                   std::size_t size) {
  if (size == 0) return;
  const ContextScope scope(*stream.context());
  Cuda().cuMemcpyAsync(destination, source, size, stream.handle());
}

void CopyStrided(const Stream& stream, const StridedCopy& copy) {
  validate(copy);
  if (is_one_run(copy)) {
    return EnqueueMemcpy(stream, reinterpret_cast<DevicePointer>(copy.destination),
                         reinterpret_cast<DevicePointer>(copy.source),
                         unit_count(copy) * copy.unit);
  }
  if (!copy.conversion && CopyRows(stream, copy)) return;
  require_alignment(copy);
  const auto blocks = block_copy_of(copy);
  if (blocks && CopyBlocks(stream, *blocks, unit_count(copy))) return;
  if (copy.conversion) return Convert(stream, copy);
  const FunctionHandle kernel = stream.context()->kernels().ForUnit(copy.unit);
  const ContextScope scope(*stream.context());
  for_each_launch(copy, [&](KernelArguments& arguments) {
    auto pointers = arguments.cuda_arguments();
    Cuda().cuLaunchKernel(kernel, cuda_grid(arguments.count), 1, 1, cuda_block, 1, 1, 0,
                          stream.handle(), pointers.data(), nullptr);
  });
}

}  // namespace array_interface::cuda
