#include <cstring>

#include "base/driver_api.hpp"
#include "code/launch.hpp"
#include "code/library.hpp"
#include "driver/call.hpp"

// Launches of the first interface: a function keeps the shape of a block and its arguments, which
// are set one by one.

using namespace array_interface::cuda_simulator;

namespace {

constexpr std::size_t most_parameter_bytes = 32764;

CUresult set_parameter(const char* symbol, CUfunction handle, int offset, const void* value,
                       std::size_t size) {
  return context_call(symbol, [&](Context& context) {
    require(offset >= 0 && value != nullptr);
    const auto function = function_of(handle, context);
    const std::size_t end = static_cast<std::size_t>(offset) + size;
    require(end <= most_parameter_bytes);
    FirstLaunch& kept = function->first_launch;
    std::lock_guard lock(kept.mutex);
    if (kept.arguments.size() < end) kept.arguments.resize(end);
    std::memcpy(kept.arguments.data() + offset, value, size);
  });
}

CUresult launch_grid(const char* symbol, CUfunction handle, int width, int height,
                     CUstream stream) {
  return context_call(symbol, [&](Context& context) {
    require(width >= 1 && height >= 1);
    const auto queue = find_stream(stream, context);
    const auto function = function_of(handle, *queue->context);
    FirstLaunch& kept = function->first_launch;
    std::lock_guard lock(kept.mutex);
    std::size_t size = kept.arguments.size();
    void* extra[] = {reinterpret_cast<void*>(1), kept.arguments.data(), reinterpret_cast<void*>(2),
                     &size, nullptr};
    const LaunchShape shape{{static_cast<unsigned>(width), static_cast<unsigned>(height), 1},
                            {kept.block[0], kept.block[1], kept.block[2]},
                            kept.shared};
    const bool has_arguments = function->parameter_bytes != 0;
    enqueue_launch(function, *queue, shape, nullptr, has_arguments ? extra : nullptr);
  });
}

}  // namespace

CUresult cuFuncSetBlockShape(CUfunction handle, int x, int y, int z) {
  return context_call(__func__, [&](Context& context) {
    const auto function = function_of(handle, context);
    const auto most = static_cast<int>(function->maximum_threads());
    require(x >= 1 && y >= 1 && z >= 1);
    require(x <= most && y <= most / x && z <= most / x / y);
    FirstLaunch& kept = function->first_launch;
    std::lock_guard lock(kept.mutex);
    kept.block = {static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)};
  });
}

CUresult cuFuncSetSharedSize(CUfunction handle, unsigned size) {
  return context_call(__func__, [&](Context& context) {
    FirstLaunch& kept = function_of(handle, context)->first_launch;
    std::lock_guard lock(kept.mutex);
    kept.shared = size;
  });
}

CUresult cuParamSetSize(CUfunction handle, unsigned size) {
  return context_call(__func__, [&](Context& context) {
    require(size <= most_parameter_bytes);
    FirstLaunch& kept = function_of(handle, context)->first_launch;
    std::lock_guard lock(kept.mutex);
    kept.arguments.resize(size);
  });
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
  return set_parameter(__func__, function, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return set_parameter(__func__, function, offset, &value, sizeof value);
}

CUresult cuParamSetv(CUfunction function, int offset, void* value, unsigned size) {
  return set_parameter(__func__, function, offset, value, size);
}

CUresult cuLaunch(CUfunction function) { return launch_grid(__func__, function, 1, 1, nullptr); }

CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return launch_grid(__func__, function, width, height, nullptr);
}

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return launch_grid(__func__, function, width, height, stream);
}
