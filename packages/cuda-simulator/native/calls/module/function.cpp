#include <algorithm>

#include "base/driver_api.hpp"
#include "base/multiprocessor.hpp"
#include "code/function_attributes.hpp"
#include "code/library.hpp"
#include "driver/call.hpp"

using namespace array_interface::cuda_simulator;

namespace {

CUresult active_blocks(const char* symbol, int* blocks, CUfunction function, int block,
                       std::size_t dynamic_shared) {
  return context_value(symbol, blocks, [&](Context& context) {
    return occupancy(*function_of(function, context), block, dynamic_shared);
  });
}

CUresult best_block(const char* symbol, int* grid, int* block, CUfunction function,
                    CUoccupancyB2DSize shared_of, std::size_t dynamic_shared, int limit) {
  return context_call(symbol, [&](Context& context) {
    require(grid != nullptr && block != nullptr && limit >= 0);
    const auto found = function_of(function, context);
    const int threads = function_attribute(*found, 0);
    const int most = limit == 0 ? threads : std::min(limit, threads);
    int best_threads = 0;
    // whole warps, and the limit
    for (int warps = (most + 31) / 32; warps > 0; --warps) {
      const int size = std::min(warps * 32, most);
      const std::size_t shared = shared_of == nullptr ? dynamic_shared : shared_of(size);
      const int blocks = occupancy(*found, size, shared);
      if (blocks * size <= best_threads) continue;
      best_threads = blocks * size;
      *block = size;
      *grid = blocks * multiprocessors;
    }
    require(best_threads > 0);
  });
}

}  // namespace

CUresult cuFuncGetAttribute(int* value, int attribute, CUfunction function) {
  return context_value(__func__, value, [&](Context& context) {
    return function_attribute(*function_of(function, context), attribute);
  });
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  return context_call(__func__, [&](Context& context) {
    set_function_attribute(*function_of(function, context), attribute, value);
  });
}

CUresult cuFuncSetCacheConfig(CUfunction function, int config) {
  return context_call(__func__, [&](Context& context) {
    function_of(function, context);
    require(config >= 0 && config <= 3);
  });
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, int config) {
  return context_call(__func__, [&](Context& context) {
    function_of(function, context);
    require(config >= 0 && config <= 2);
  });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return context_value(__func__, module, [&](Context& context) {
    return modules().handle_of(function_of(function, context)->module);
  });
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  return context_value(__func__, name,
                       [&](Context& context) { return name_of(*function_of(function, context)); });
}

CUresult cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset,
                            std::size_t* size) {
  return context_call(__func__, [&](Context& context) {
    get_parameter(*function_of(function, context), index, offset, size);
  });
}

CUresult cuFuncIsLoaded(int* state, CUfunction function) {
  return context_value(__func__, state, [&](Context& context) {
    function_of(function, context);
    return 1;  // always loaded: loading is never lazy here
  });
}

CUresult cuFuncLoad(CUfunction function) {
  return context_call(__func__, [&](Context& context) { function_of(function, context); });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block,
                                                     std::size_t dynamic_shared) {
  return active_blocks(__func__, blocks, function, block, dynamic_shared);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                              int block, std::size_t dynamic_shared,
                                                              unsigned) {
  return active_blocks(__func__, blocks, function, block, dynamic_shared);
}

CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                          CUoccupancyB2DSize shared_of, std::size_t dynamic_shared,
                                          int limit) {
  return best_block(__func__, grid, block, function, shared_of, dynamic_shared, limit);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of,
                                                   std::size_t dynamic_shared, int limit,
                                                   unsigned) {
  return best_block(__func__, grid, block, function, shared_of, dynamic_shared, limit);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* size, CUfunction function, int blocks,
                                                 int block) {
  return context_value(__func__, size, [&](Context& context) {
    require(blocks >= 1 && block >= 1);
    const auto found = function_of(function, context);
    const std::size_t taken = static_cast<std::size_t>(function_attribute(*found, 1)) + 1024;
    const std::size_t share = shared_per_multiprocessor / static_cast<unsigned>(blocks);
    return share > taken ? std::min<std::size_t>(share - taken, 49152) : 0;
  });
}

CUresult cuFuncGetParamCount(CUfunction function, std::size_t* count) {
  return context_value(__func__, count, [&](Context& context) {
    return function_of(function, context)->parameters.size();
  });
}

// There are no clusters of several blocks.

CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function,
                                            const CUlaunchConfig* config) {
  return context_value(__func__, size, [&](Context& context) {
    require(config != nullptr);
    function_of(function, context);
    return 1;
  });
}

CUresult cuOccupancyMaxActiveClusters(int* count, CUfunction function,
                                      const CUlaunchConfig* config) {
  return context_value(__func__, count, [&](Context& context) {
    require(config != nullptr);
    const std::uint64_t threads =
        std::uint64_t{config->blockDimX} * config->blockDimY * config->blockDimZ;
    require(threads <= 1024);
    return multiprocessors * occupancy(*function_of(function, context), static_cast<int>(threads),
                                       config->sharedMemBytes);
  });
}
