#include "work/copy.hpp"

#include <cstdint>

#include "driver/driver.hpp"
#include "kernels/block_launch.hpp"
#include "kernels/convert_arguments.hpp"
#include "kernels/launch.hpp"
#include "work/rows.hpp"

namespace array_interface::cuda {

namespace {

/// Fewer units go faster by a kernel that is there than the driver compiles one for them.
constexpr std::uint64_t kWorthCompiling = 1 << 20;

/// The kernel for a copy of so many units by tiles; null where another kernel is to do it: for few
/// units, and where the driver fails to compile this one. The next copy tries again, as what failed
/// may have been want of memory.
FunctionHandle KernelOfBlocks(Context& context, std::uint32_t conversion, std::uint64_t units) {
  if (units < kWorthCompiling) return context.KnownBlockKernel(conversion);
  try {
    return context.BlockKernel(conversion);
  } catch (const DriverError&) {
    return nullptr;
  }
}

/// False where there is no kernel for it.
bool CopyBlocks(const Stream& stream, const BlockCopy& copy, std::uint64_t units) {
  const FunctionHandle kernel = KernelOfBlocks(*stream.context(), copy.conversion, units);
  if (kernel == nullptr) return false;
  const ContextScope scope(*stream.context());
  for_each_block_launch(copy, [&](BlockArguments& arguments) {
    auto pointers = arguments.cuda_arguments();
    Cuda().cuLaunchKernel(kernel, static_cast<std::uint32_t>(arguments.blocks()), 1, 1, cuda_block,
                          1, 1, 0, stream.handle(), pointers.data(), nullptr);
  });
  return true;
}

void Convert(const Stream& stream, const StridedCopy& copy) {
  const FunctionHandle kernel = stream.context()->ConvertKernel();
  const ContextScope scope(*stream.context());
  for_each_launch(copy, [&](const KernelArguments& layout) {
    ConvertArguments arguments{layout, conversion_code(*copy.conversion)};
    auto pointers = arguments.cuda_arguments();
    Cuda().cuLaunchKernel(kernel, cuda_grid(layout.count), 1, 1, cuda_block, 1, 1, 0,
                          stream.handle(), pointers.data(), nullptr);
  });
}

}  // namespace

void CopyRun(const Stream& stream, DevicePointer destination, DevicePointer source,
             std::size_t size) {
  if (size == 0) return;
  const ContextScope scope(*stream.context());
  Cuda().cuMemcpyAsync(destination, source, size, stream.handle());
}

void CopyStrided(const Stream& stream, const StridedCopy& copy) {
  validate(copy);
  if (!copy.conversion && CopyRows(stream, copy)) return;
  require_alignment(copy);
  const auto blocks = block_copy_of(copy);
  if (blocks && CopyBlocks(stream, *blocks, unit_count(copy))) return;
  if (copy.conversion) return Convert(stream, copy);
  const FunctionHandle kernel = stream.context()->Kernel(copy.unit);
  const ContextScope scope(*stream.context());
  for_each_launch(copy, [&](KernelArguments& arguments) {
    auto pointers = arguments.cuda_arguments();
    Cuda().cuLaunchKernel(kernel, cuda_grid(arguments.count), 1, 1, cuda_block, 1, 1, 0,
                          stream.handle(), pointers.data(), nullptr);
  });
}

}  // namespace array_interface::cuda
