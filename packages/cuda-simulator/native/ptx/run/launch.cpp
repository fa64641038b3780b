#include "launch.hpp"

#include <algorithm>
#include <deque>
#include <new>

#include "block.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

template <class Visit>
void for_each_block(const Dimensions& grid, Visit visit) {
  for (unsigned z = 0; z < grid.z; ++z) {
    for (unsigned y = 0; y < grid.y; ++y) {
      for (unsigned x = 0; x < grid.x; ++x) visit(Dimensions{x, y, z});
    }
  }
}

void run_one_after_another(const Launch& launch, GlobalMemory& memory) {
  Block block(launch, memory);
  std::uint64_t steps_left = launch.most_steps;
  for_each_block(launch.grid, [&](const Dimensions& index) {
    block.start(index);
    while (block.advance(steps_left)) {
    }
    if (!block.has_ended()) block.fail_deadlocked();
  });
}

/// Lets all blocks continue if every thread that has not ended waits for the whole grid.
bool release_grid(std::deque<Block>& blocks) {
  const auto is_there = [](const Block& block) { return block.waits_for_grid(); };
  if (!std::all_of(blocks.begin(), blocks.end(), is_there)) return false;
  bool released = false;
  for (Block& block : blocks) released = block.release_grid() || released;
  return released;
}

void run_in_turns(const Launch& launch, GlobalMemory& memory) {
  std::deque<Block> blocks;
  for_each_block(launch.grid, [&](const Dimensions& index) {
    blocks.emplace_back(launch, memory).start(index);
  });
  std::uint64_t steps_left = launch.most_steps;
  for (bool ran = true; ran;) {
    ran = false;
    for (Block& block : blocks) ran = block.advance(steps_left) || ran;
    if (!ran) ran = release_grid(blocks);
  }
  for (Block& block : blocks) {
    if (!block.has_ended()) block.fail_deadlocked();
  }
}

}  // namespace

Fault run(const Launch& launch, GlobalMemory& memory) noexcept {
  try {
    if (launch.cooperative) {
      run_in_turns(launch, memory);
    } else {
      run_one_after_another(launch, memory);
    }
    return {};
  } catch (Fault& fault) {
    return std::move(fault);
  } catch (const std::bad_alloc&) {
    return {CUDA_ERROR_OUT_OF_MEMORY};
  } catch (...) {
    return {CUDA_ERROR_LAUNCH_FAILED};
  }
}

}  // namespace array_interface::cuda_simulator::ptx
