#include "state/stream.hpp"

#include <algorithm>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "state/capture.hpp"
#include "state/event.hpp"
#include "state/schedule.hpp"

using namespace array_interface::cuda_simulator;

namespace {

/// Throws the sticky error of the context whose work the call waited for.
void require_working(const Context& context) {
  require(context.failure == CUDA_SUCCESS, context.failure);
}

void create_stream(CUstream* stream, unsigned flags, int priority, Context& context) {
  require(stream != nullptr && (flags & ~CU_STREAM_NON_BLOCKING) == 0);
  auto made = std::make_shared<Stream>();
  made->context = &context;
  made->flags = flags;
  made->priority = std::clamp(priority, -5, 0);
  schedule().attach(made);
  *stream = reinterpret_cast<CUstream>(streams().add(std::move(made)));
}

}  // namespace

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return context_call(__func__,
                      [&](Context& context) { create_stream(stream, flags, 0, context); });
}

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return context_call(__func__,
                      [&](Context& context) { create_stream(stream, flags, priority, context); });
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  return context_call(__func__, [&](Context&) {
    const auto removed = streams().remove(reinterpret_cast<std::uintptr_t>(stream));
    require(removed != nullptr, CUDA_ERROR_INVALID_HANDLE);
    forget_capture(*removed);
    schedule().retire(*removed);
  });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return context_call(__func__, [&](Context& context) {
    const auto found = find_stream(stream, context);
    refuse_captured(*found);
    schedule().wait(schedule().tail(*found));
    require_working(*found->context);
  });
}

CUresult cuStreamQuery(CUstream stream) {
  return context_call(__func__, [&](Context& context) {
    const auto found = find_stream(stream, context);
    refuse_captured(*found);
    const bool idle = schedule().look(schedule().tail(*found), found->looks);
    require_working(*found->context);
    return idle ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return context_call(__func__, [&](Context& context) {
    require(flags <= 1);
    const auto found = find_stream(stream, context);
    find_event(event)->last_record().enqueue_wait(*found);
  });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return context_call(__func__, [&](Context& context) {
    require(flags != nullptr);
    *flags = find_stream(stream, context)->flags;
  });
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* owner) {
  return context_call(__func__, [&](Context& context) {
    require(owner != nullptr);
    *owner = find_stream(stream, context)->context->handle();
  });
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* owner, CUgreenCtx* green) {
  return context_call(__func__, [&](Context& context) {
    require(owner != nullptr && green != nullptr);
    *owner = find_stream(stream, context)->context->handle();
    *green = nullptr;  // no stream here belongs to a green context
  });
}

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return context_call(__func__, [&](Context& context) {
    require(priority != nullptr);
    *priority = find_stream(stream, context)->priority;
  });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return context_call(__func__, [&](Context& context) {
    require(id != nullptr);
    *id = find_stream(stream, context)->id;
  });
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return context_call(__func__, [&](Context& context) {
    require(device != nullptr);
    *device = find_stream(stream, context)->context->device;
  });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data) {
  return context_call(__func__, [&](Context& context) {
    require(function != nullptr);
    const auto call = [function, user_data] {
      function(user_data);
      return CUDA_SUCCESS;
    };
    schedule().enqueue(*find_stream(stream, context), call, {}, Schedule::Kind::host_function);
  });
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* user_data,
                             unsigned flags) {
  return context_call(__func__, [&](Context& context) {
    require(callback != nullptr && flags == 0);
    const auto call = [=] {
      callback(stream, CUDA_SUCCESS, user_data);
      return CUDA_SUCCESS;
    };
    schedule().enqueue(*find_stream(stream, context), call, {}, Schedule::Kind::host_function);
  });
}
