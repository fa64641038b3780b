#include "code/launch.hpp"

#include "base/driver_api.hpp"
#include "code/library.hpp"
#include "driver/call.hpp"

using namespace array_interface::cuda_simulator;

namespace {

bool is_cooperative(const CUlaunchConfig& config) {
  require(config.numAttrs == 0 || config.attrs != nullptr);
  for (unsigned index = 0; index < config.numAttrs; ++index) {
    const CUlaunchAttribute& attribute = config.attrs[index];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) return attribute.value.cooperative != 0;
  }
  return false;
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void** parameters, void** extra) {
  return context_call(__func__, [&](Context& context) {
    const auto queue = find_stream(stream, context);
    const auto found = function_of(function, *queue->context);
    const LaunchShape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared};
    enqueue_launch(found, *queue, shape, parameters, extra);
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared, CUstream stream,
                                   void** parameters) {
  return context_call(__func__, [&](Context& context) {
    const auto queue = find_stream(stream, context);
    const auto found = function_of(function, *queue->context);
    const LaunchShape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, true};
    enqueue_launch(found, *queue, shape, parameters, nullptr);
  });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                          void** extra) {
  return context_call(__func__, [&](Context& context) {
    require(config != nullptr);
    const auto queue = find_stream(config->hStream, context);
    const LaunchShape shape{{config->gridDimX, config->gridDimY, config->gridDimZ},
                            {config->blockDimX, config->blockDimY, config->blockDimZ},
                            config->sharedMemBytes,
                            is_cooperative(*config)};
    enqueue_launch(function_of(function, *queue->context), *queue, shape, parameters, extra);
  });
}
