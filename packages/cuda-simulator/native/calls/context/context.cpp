#include "state/context.hpp"

#include <algorithm>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "state/event.hpp"
#include "state/schedule.hpp"

using namespace array_interface::cuda_simulator;

namespace {

constexpr unsigned known_flags = 0xff;  // as for primary contexts, and sync memops

/// Creates a context and makes it current.
CUresult create(const char* symbol, CUcontext* context, unsigned flags, CUdevice device) {
  return driver_value(symbol, context, [&] {
    require((flags & ~known_flags) == 0);
    Context& made = make_context(device);
    made.flags = flags;
    made.retained = 1;
    push_context(made);
    return made.handle();
  });
}

Context& created(CUcontext handle) {
  Context* context = find_context(handle);
  require(context != nullptr && !context->primary, CUDA_ERROR_INVALID_CONTEXT);
  require(context->active, CUDA_ERROR_CONTEXT_IS_DESTROYED);
  return *context;
}

void end(Context& context) {
  std::lock_guard lock(context.mutex);
  context.retained = 0;
  destroy_context(context);
}

constexpr int limits = 8;
constexpr int heap_limit = 2;  // of malloc in kernels; fixed once a kernel has used it

}  // namespace

CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return create(__func__, context, flags, device);
}

CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  return cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxCreate_v3(CUcontext* context, const void* affinity, int count, unsigned flags,
                        CUdevice device) {
  if (affinity != nullptr || count != 0) return CUDA_ERROR_NOT_SUPPORTED;
  return create(__func__, context, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext* context, const CUctxCreateParams* parameters, unsigned flags,
                        CUdevice device) {
  const bool special = parameters != nullptr && (parameters->execAffinityParams != nullptr ||
                                                 parameters->cigParams != nullptr);
  if (special) return CUDA_ERROR_NOT_SUPPORTED;
  return create(__func__, context, flags, device);
}

CUresult cuCtxDestroy_v2(CUcontext context) {
  return driver_call(__func__, [&] {
    Context& found = created(context);
    if (current_context() == &found) pop_context();
    end(found);
  });
}

CUresult cuCtxDestroy(CUcontext context) { return cuCtxDestroy_v2(context); }

CUresult cuCtxAttach(CUcontext* context, unsigned flags) {
  return context_value(__func__, context, [&](Context& current) {
    require(flags == 0);
    std::lock_guard lock(current.mutex);
    ++current.retained;
    return current.handle();
  });
}

CUresult cuCtxDetach(CUcontext context) {
  return driver_call(__func__, [&] {
    Context& found = created(context);
    require(current_context() == &found, CUDA_ERROR_INVALID_CONTEXT);
    {
      std::lock_guard lock(found.mutex);
      if (--found.retained > 0) return;
    }
    pop_context();
    end(found);
  });
}

CUresult cuCtxGetLimit(std::size_t* value, int limit) {
  return context_value(__func__, value, [&](Context& context) {
    require(limit >= 0 && limit < limits, CUDA_ERROR_UNSUPPORTED_LIMIT);
    std::lock_guard lock(context.limits_mutex);
    return context.limits[limit];
  });
}

CUresult cuCtxSetLimit(int limit, std::size_t value) {
  return context_call(__func__, [&](Context& context) {
    require(limit >= 0 && limit < limits, CUDA_ERROR_UNSUPPORTED_LIMIT);
    std::lock_guard lock(context.limits_mutex);
    require(limit != heap_limit || context.heap == nullptr || context.limits[limit] == value);
    context.limits[limit] = value;
  });
}

CUresult cuCtxGetCacheConfig(int* config) {
  return context_value(__func__, config,
                       [](Context& context) -> int { return context.cache_config; });
}

CUresult cuCtxSetCacheConfig(int config) {
  return context_call(__func__, [&](Context& context) {
    require(config >= 0 && config <= 3);
    context.cache_config = config;
  });
}

CUresult cuCtxGetSharedMemConfig(int* config) {
  return context_value(__func__, config,
                       [](Context& context) -> int { return context.shared_config; });
}

CUresult cuCtxSetSharedMemConfig(int config) {
  return context_call(__func__, [&](Context& context) {
    require(config >= 0 && config <= 2);
    context.shared_config = config;
  });
}

CUresult cuCtxSetFlags(unsigned flags) {
  return context_call(__func__, [&](Context& context) {
    require((flags & ~known_flags) == 0);
    context.flags = flags;
  });
}

CUresult cuCtxResetPersistingL2Cache() {
  return context_call(__func__, [](Context&) {});
}

CUresult cuProfilerStart() {
  return context_call(__func__, [](Context&) {});  // there is no profiler to start
}

CUresult cuProfilerStop() {
  return context_call(__func__, [](Context&) {});
}

CUresult cuProfilerInitialize(const char*, const char*, int) {
  return context_call(__func__, [](Context&) { throw Failure{CUDA_ERROR_NOT_SUPPORTED}; });
}

CUresult cuCtxGetExecAffinity(void*, int) {
  return context_call(__func__,
                      [](Context&) { throw Failure{CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY}; });
}

namespace {

Context& active(CUcontext handle) {
  Context* const context = find_context(handle);
  require(context != nullptr && context->active, CUDA_ERROR_INVALID_CONTEXT);
  return *context;
}

std::vector<std::shared_ptr<Stream>> streams_of(Context& context) {
  return schedule().streams_of(context);
}

}  // namespace

/// The event is behind all work of the context. So it is recorded in a stream that waits for the
/// others.
CUresult cuCtxRecordEvent(CUcontext handle, CUevent event) {
  return driver_call(__func__, [&] {
    Context& context = active(handle);
    const auto found = events().get(event);
    require(found->context == &context, CUDA_ERROR_INVALID_HANDLE);
    const auto gathering = std::make_shared<Stream>(context, CU_STREAM_NON_BLOCKING);
    schedule().attach(gathering);
    std::vector<TaskPtr> needs;
    for (const auto& stream : streams_of(context)) {
      if (TaskPtr last = schedule().tail(*stream)) needs.push_back(std::move(last));
    }
    schedule().enqueue(*gathering, nullptr, needs);
    found->record(*gathering);
    schedule().retire(*gathering);
  });
}

/// Later work of every stream of the context waits for the event.
CUresult cuCtxWaitEvent(CUcontext handle, CUevent event) {
  return driver_call(__func__, [&] {
    Context& context = active(handle);
    const Mark mark = events().get(event)->last_record();
    for (const auto& stream : streams_of(context)) mark.enqueue_wait(*stream);
  });
}
