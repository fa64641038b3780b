#include "state/stream.hpp"

#include <algorithm>
#include <cstring>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "state/capture.hpp"
#include "state/event.hpp"
#include "state/schedule.hpp"

using namespace array_interface::cuda_simulator;

namespace {

constexpr int priority_attribute = 8;
constexpr std::size_t attribute_bytes = 64;

CUresult create_stream(const char* symbol, CUstream* stream, unsigned flags, int priority) {
  return context_value(symbol, stream, [&](Context& context) {
    require((flags & ~CU_STREAM_NON_BLOCKING) == 0);
    auto made = std::make_shared<Stream>(context, flags, std::clamp(priority, -5, 0));
    schedule().attach(made);
    return streams().add(std::move(made));
  });
}

/// Enqueues a host function.
template <class Function>
void enqueue_host_function(CUstream stream, Context& context, Function function) {
  const auto call = [function] {
    function();
    return CUDA_SUCCESS;
  };
  schedule().enqueue(*find_stream(stream, context), call, {}, WorkKind::host_function);
}

}  // namespace

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return create_stream(__func__, stream, flags, 0);
}

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return create_stream(__func__, stream, flags, priority);
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  return context_call(__func__, [&](Context&) {
    const auto removed = streams().take(stream);
    forget_capture(*removed);
    schedule().retire(*removed);
  });
}

CUresult cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }

CUresult cuStreamSynchronize(CUstream stream) {
  return context_call(__func__, [&](Context& context) {
    const auto found = find_stream(stream, context);
    refuse_captured(*found);
    schedule().wait(schedule().tail(*found));
    found->context->require_no_failure();
  });
}

CUresult cuStreamQuery(CUstream stream) {
  return context_call(__func__, [&](Context& context) {
    const auto found = find_stream(stream, context);
    refuse_captured(*found);
    const bool idle = schedule().look(schedule().tail(*found), found->looks);
    found->context->require_no_failure();
    return idle ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return context_call(__func__, [&](Context& context) {
    require(flags <= 1);
    const auto found = find_stream(stream, context);
    events().get(event)->last_record().enqueue_wait(*found);
  });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return context_value(__func__, flags,
                       [&](Context& context) { return find_stream(stream, context)->flags; });
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* owner) {
  return context_value(__func__, owner, [&](Context& context) {
    return find_stream(stream, context)->context->handle();
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
  return context_value(__func__, priority,
                       [&](Context& context) { return find_stream(stream, context)->priority; });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return context_value(__func__, id,
                       [&](Context& context) { return find_stream(stream, context)->id; });
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return context_value(__func__, device, [&](Context& context) {
    return find_stream(stream, context)->context->device;
  });
}

CUresult cuStreamGetAttribute(CUstream stream, int attribute, void* value) {
  return context_call(__func__, [&](Context& context) {
    require(value != nullptr && attribute > 0);
    const auto found = find_stream(stream, context);
    std::lock_guard lock(found->attributes_mutex);
    std::memcpy(value, found->attributes[attribute].data(), attribute_bytes);
    if (attribute == priority_attribute) std::memcpy(value, &found->priority, sizeof(int));
  });
}

CUresult cuStreamSetAttribute(CUstream stream, int attribute, const void* value) {
  return context_call(__func__, [&](Context& context) {
    require(value != nullptr && attribute > 0 && attribute != priority_attribute);
    const auto found = find_stream(stream, context);
    std::lock_guard lock(found->attributes_mutex);
    std::memcpy(found->attributes[attribute].data(), value, attribute_bytes);
  });
}

CUresult cuStreamCopyAttributes(CUstream destination, CUstream source) {
  return context_call(__func__, [&](Context& context) {
    const auto to = find_stream(destination, context);
    const auto from = find_stream(source, context);
    if (to == from) return;
    std::scoped_lock lock(to->attributes_mutex, from->attributes_mutex);
    to->attributes = from->attributes;
  });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data) {
  return context_call(__func__, [&](Context& context) {
    require(function != nullptr);
    enqueue_host_function(stream, context, [=] { function(user_data); });
  });
}

/// The mode chooses how a device waits for the function, which does not show here.
CUresult cuLaunchHostFunc_v2(CUstream stream, CUhostFn function, void* user_data, unsigned mode) {
  if (mode > 1) return CUDA_ERROR_INVALID_VALUE;
  return cuLaunchHostFunc(stream, function, user_data);
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* user_data,
                             unsigned flags) {
  return context_call(__func__, [&](Context& context) {
    require(callback != nullptr && flags == 0);
    enqueue_host_function(stream, context, [=] { callback(stream, CUDA_SUCCESS, user_data); });
  });
}
