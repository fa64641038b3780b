#include <array>
#include <string>

#include "kernels/embedded.hpp"
#include "kernels/launch/kernel_arguments.hpp"
#include "test/harness/gpu.hpp"

using array_interface::KernelArguments;
using array_interface::strided_copy_ptx;
using namespace test;

namespace {

CUfunction kernel(const char* name = "strided_copy_1") {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  OK(cuModuleLoadData(&module, strided_copy_ptx));
  OK(cuModuleGetFunction(&function, module, name));
  return function;
}

/// Copies rows of `width` units, `source_pitch` bytes apart, to contiguous rows in reverse order.
KernelArguments upside_down(CUdeviceptr destination, CUdeviceptr source, std::int64_t rows,
                            std::int64_t width, std::int64_t source_pitch) {
  KernelArguments arguments;
  arguments.destination = reinterpret_cast<void*>(destination);
  arguments.source =
      reinterpret_cast<void*>(source + static_cast<CUdeviceptr>((rows - 1) * source_pitch));
  arguments.count = static_cast<std::uint64_t>(rows * width);
  arguments.rank = 2;
  arguments.lengths = {rows, width, 1, 1, 1, 1};
  arguments.destination_strides = {width, 1};
  arguments.source_strides = {-source_pitch, 1};
  return arguments;
}

CUresult launch(CUfunction function, KernelArguments arguments, CUstream queue) {
  auto parameters = arguments.cuda_arguments();
  return cuLaunchKernel(function, 1, 1, 1, 256, 1, 1, 0, queue, parameters.data(), nullptr);
}

}  // namespace

CASE_EVERY_SCHEDULE("kernel: our own PTX runs, in stream order, with a negative stride") {
  use_device();
  const std::int64_t rows = 5;
  const std::int64_t width = 7;
  const std::int64_t pitch = 16;
  const Bytes bytes = counting(80);
  const CUdeviceptr source = device_memory(80);
  const CUdeviceptr destination = device_memory(35);
  const CUstream queue = stream();
  const CUfunction function = kernel();
  OK(cuMemcpyHtoDAsync_v2(source, bytes.data(), 80, queue));
  OK(launch(function, upside_down(destination, source, rows, width, pitch), queue));
  const Bytes got = read(destination, 35, queue);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < width; ++column) {
      EQUAL(static_cast<int>(got[static_cast<std::size_t>(row * width + column)]),
            static_cast<int>((rows - 1 - row) * pitch + column));
    }
  }
}

CASE("kernel: does not run before something waits, and keeps its own copy of the arguments") {
  use_device();
  unsigned char* pinned = pinned_memory(4);
  const CUdeviceptr source = device_memory(4);
  const CUstream queue = stream();
  OK(cuMemsetD8Async(source, 5, 4, queue));
  {
    KernelArguments arguments = upside_down(reinterpret_cast<CUdeviceptr>(pinned), source, 2, 2, 2);
    OK(launch(kernel(), arguments, queue));
    arguments = KernelArguments();
  }
  EQUAL(static_cast<int>(pinned[0]), static_cast<int>(poison));
  OK(cuStreamSynchronize(queue));
  CHECK(Bytes(pinned, pinned + 4) == Bytes(4, 5));
}

CASE("kernel: takes its arguments from one buffer too") {
  use_device();
  const CUdeviceptr source = device_memory(4);
  const CUdeviceptr destination = device_memory(4);
  OK(cuMemsetD8_v2(source, 5, 4));
  KernelArguments arguments = upside_down(destination, source, 2, 2, 2);
  const auto places = arguments.cuda_arguments();
  std::array<std::uint64_t, KernelArguments::argument_count> buffer{};
  constexpr auto sizes = KernelArguments::argument_sizes();
  for (std::size_t index = 0; index < places.size(); ++index) {
    std::memcpy(&buffer[index], places[index], sizes[index]);
  }
  std::size_t size = sizeof buffer;
  void* extra[] = {reinterpret_cast<void*>(1), buffer.data(), reinterpret_cast<void*>(2), &size,
                   nullptr};
  const CUfunction function = kernel();
  OK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  CHECK(read(destination, 4, nullptr) == Bytes(4, 5));
  size = 16;
  FAILS(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra),
        CUDA_ERROR_INVALID_VALUE);
}

CASE("kernel: what is no PTX, and machine code, is refused, with the reason in the log") {
  use_device();
  CUmodule module = nullptr;
  FAILS(cuModuleLoadData(&module, ""), CUDA_ERROR_INVALID_PTX);
  FAILS(cuModuleLoadData(&module,
                         "\x7f"
                         "ELF and so on"),
        CUDA_ERROR_NO_BINARY_FOR_GPU);
  FAILS(cuModuleLoadData(&module, nullptr), CUDA_ERROR_INVALID_VALUE);
  char log[256] = "";
  int options[] = {5, 6};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  FAILS(cuModuleLoadDataEx(&module, "nonsense", 2, options, values), CUDA_ERROR_INVALID_PTX);
  CHECK(std::string(log).find("simulator") != std::string::npos);
  OK(cuModuleLoadDataEx(&module, strided_copy_ptx, 2, options, values));
  CUfunction function = nullptr;
  FAILS(cuModuleGetFunction(&function, module, "no_such_kernel"), CUDA_ERROR_NOT_FOUND);
  OK(cuModuleGetFunction(&function, module, "strided_copy_16"));
  OK(cuModuleUnload(module));
  FAILS(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  FAILS(launch(function, {}, nullptr), CUDA_ERROR_INVALID_HANDLE);
}

CASE("kernel: the block shape of the first interface is checked") {
  use_device();
  const CUfunction function = kernel();
  OK(cuFuncSetBlockShape(function, 1024, 1, 1));
  OK(cuFuncSetBlockShape(function, 8, 8, 16));
  FAILS(cuFuncSetBlockShape(function, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuFuncSetBlockShape(function, 1, 1, -1), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuFuncSetBlockShape(function, 1025, 1, 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuFuncSetBlockShape(function, 8, 8, 17), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuFuncSetBlockShape(nullptr, 1, 1, 1), CUDA_ERROR_INVALID_HANDLE);
}

CASE("kernel: launch dimensions are checked") {
  use_device();
  KernelArguments arguments;
  auto parameters = arguments.cuda_arguments();
  const CUfunction function = kernel();
  const auto with = [&](unsigned grid, unsigned block_x, unsigned block_z) {
    return cuLaunchKernel(function, grid, 1, 1, block_x, 1, block_z, 0, nullptr, parameters.data(),
                          nullptr);
  };
  FAILS(with(0, 1, 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(with(1, 1025, 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(with(1, 32, 64), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
        CUDA_ERROR_INVALID_VALUE);
  OK(with(1, 1024, 1));
}

CASE_EVERY_SCHEDULE("kernel: one byte too far, or a wild pointer, breaks the context") {
  const std::int64_t too_far[] = {0, 1};
  for (const std::int64_t wild : too_far) {
    use_device();
    const CUdeviceptr source = device_memory(16);
    const CUdeviceptr destination = device_memory(15);
    const CUstream queue = stream();
    const CUfunction function = kernel();
    OK(launch(function, upside_down(destination, source, 3, 5, 5), queue));
    OK(cuStreamSynchronize(queue));  // exactly as much as there is
    Bytes pageable(64);
    const CUdeviceptr bad = wild ? reinterpret_cast<CUdeviceptr>(pageable.data()) : destination + 1;
    OK(launch(function, upside_down(bad, source, 3, 5, 5), queue));
    FAILS(cuStreamSynchronize(queue), CUDA_ERROR_ILLEGAL_ADDRESS);
    FAILS(cuStreamQuery(queue), CUDA_ERROR_ILLEGAL_ADDRESS);
    OK(cuDevicePrimaryCtxReset_v2(0));
  }
}

CASE("kernel: arguments that make no sense fail the launch") {
  use_device();
  KernelArguments arguments = upside_down(device_memory(16), device_memory(16), 2, 2, 2);
  arguments.rank = 7;
  OK(launch(kernel(), arguments, nullptr));
  FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
}

CASE("kernel: reaches another device's memory only with peer access") {
  const CUcontext second = use_device(1);
  const CUdeviceptr there = device_memory(4);
  OK(cuMemsetD8_v2(there, 3, 4));
  OK(cuCtxSynchronize());
  use_device(0);
  const CUdeviceptr here = device_memory(4);
  const CUfunction function = kernel();
  OK(cuCtxEnablePeerAccess(second, 0));
  OK(launch(function, upside_down(here, there, 2, 2, 2), nullptr));
  CHECK(read(here, 4, nullptr) == Bytes(4, 3));
  OK(cuCtxDisablePeerAccess(second));
  OK(launch(function, upside_down(here, there, 2, 2, 2), nullptr));
  FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
}
