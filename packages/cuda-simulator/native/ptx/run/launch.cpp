#include "launch.hpp"

#include <new>

#include "block.hpp"

namespace array_interface::cuda_simulator::ptx {

CUresult run(const Launch& launch, GlobalMemory& memory) noexcept {
  try {
    Block block(launch, memory);
    std::uint64_t steps_left = launch.most_steps;
    for (unsigned z = 0; z < launch.grid.z; ++z) {
      for (unsigned y = 0; y < launch.grid.y; ++y) {
        for (unsigned x = 0; x < launch.grid.x; ++x) block.run({x, y, z}, steps_left);
      }
    }
    return CUDA_SUCCESS;
  } catch (const Fault& fault) {
    return fault.error;
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return CUDA_ERROR_LAUNCH_FAILED;
  }
}

}  // namespace array_interface::cuda_simulator::ptx
