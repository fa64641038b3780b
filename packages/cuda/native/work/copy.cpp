#include "work/copy.hpp"

#include "driver/driver.hpp"
#include "kernels/convert_arguments.hpp"
#include "kernels/launch.hpp"
#include "work/rows.hpp"

namespace array_interface::cuda {

namespace {

void Convert(const Stream& stream, const StridedCopy& copy) {
  require_alignment(copy);
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
  if (copy.conversion) return Convert(stream, copy);
  if (CopyRows(stream, copy)) return;
  require_alignment(copy);
  const FunctionHandle kernel = stream.context()->Kernel(copy.unit);
  const ContextScope scope(*stream.context());
  for_each_launch(copy, [&](KernelArguments& arguments) {
    auto pointers = arguments.cuda_arguments();
    Cuda().cuLaunchKernel(kernel, cuda_grid(arguments.count), 1, 1, cuda_block, 1, 1, 0,
                          stream.handle(), pointers.data(), nullptr);
  });
}

}  // namespace array_interface::cuda
