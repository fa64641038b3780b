#include <algorithm>

#include "base/driver_api.hpp"
#include "code/function_attributes.hpp"
#include "code/library.hpp"
#include "driver/call.hpp"

using namespace array_interface::cuda_simulator;

namespace {

constexpr int threads_per_multiprocessor = 2048;
constexpr int blocks_per_multiprocessor = 32;
constexpr std::size_t shared_per_multiprocessor = 233472;
constexpr int multiprocessors = 32;

/// Returns how many blocks run on one multiprocessor at a time.
int occupancy(const Function& function, int block, std::size_t dynamic_shared) {
  require(block >= 1);
  if (block > function_attribute(function, 0)) return 0;
  const int by_threads = threads_per_multiprocessor / ((block + 31) / 32 * 32);
  const std::size_t shared =
      dynamic_shared + static_cast<std::size_t>(function_attribute(function, 1)) + 1024;
  const int by_shared = static_cast<int>(shared_per_multiprocessor / shared);
  return std::min({by_threads, by_shared, blocks_per_multiprocessor});
}

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

// Only cuLaunch uses it, which does not exist here. But PyCUDA calls it before each cuLaunchKernel.
CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  return context_call(__func__, [&](Context& context) {
    const int most = function_attribute(*function_of(function, context), 0);
    require(x >= 1 && y >= 1 && z >= 1);
    require(x <= most && y <= most / x && z <= most / x / y);
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
  return context_value(__func__, name, [&](Context& context) {
    const auto found = function_of(function, context);
    return found->interpreted != nullptr ? found->interpreted->function->name.c_str()
                                         : found->kernel->name;
  });
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
