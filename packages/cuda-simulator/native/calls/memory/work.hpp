#pragma once

#include "base/cuda_abi.hpp"
#include "state/capture.hpp"
#include "state/context.hpp"
#include "state/schedule.hpp"
#include "state/task.hpp"

namespace array_interface::cuda_simulator {

/// Returns the work of a copy, for a node of a graph. Throws Failure as cuMemcpy3D does.
Work copy_of(const CUDA_MEMCPY3D& plan);

/// Returns the work of a fill. Throws Failure as the calls for fills do.
Work fill_of(const CUDA_MEMSET_NODE_PARAMS& plan);

/// Makes a copy between contexts that is in order with all work of both, and of the current one:
/// with what came before, and with what comes. A null handle is the current context.
template <class Copy>
void in_order(Context& current, CUcontext to, CUcontext from, Copy copy) {
  const auto wait = [&] {
    for (Context* context : {&current, find_context(to), find_context(from)}) {
      if (context == nullptr) continue;
      refuse_captured(*context);
      schedule().wait_all(*context);
    }
  };
  wait();
  copy();
  wait();
}

}  // namespace array_interface::cuda_simulator
