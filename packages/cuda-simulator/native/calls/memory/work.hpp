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

/// Makes a copy in the default stream of a context, and waits as cuMemcpy3D does. Throws Failure.
void copy_planes(Context& context, const CUDA_MEMCPY3D& plan);

/// Returns the context of a handle, or the current one if that is null. Throws Failure
/// INVALID_CONTEXT if it is none, or destroyed.
inline Context& context_or(CUcontext handle, Context& current) {
  if (handle == nullptr) return current;
  Context* const context = find_context(handle);
  require(context != nullptr && context->active, CUDA_ERROR_INVALID_CONTEXT);
  return *context;
}

/// Makes a copy between contexts that is in order with all work of both, and of the current one:
/// with what came before, and with what comes. A null handle is the current context. Throws Failure
/// if one of them has failed.
template <class Copy>
void in_order(Context& current, CUcontext to, CUcontext from, Copy copy) {
  Context* const all[] = {&current, &context_or(to, current), &context_or(from, current)};
  const auto wait = [&] {
    for (Context* context : all) {
      schedule().wait_all(*context);
      context->require_no_failure();
    }
  };
  for (Context* context : all) refuse_captured(*context);
  wait();
  copy();
  wait();
}

}  // namespace array_interface::cuda_simulator
