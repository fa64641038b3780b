#include "state/event.hpp"

#include <chrono>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "state/schedule.hpp"
#include "state/stream.hpp"

using namespace array_interface::cuda_simulator;

namespace {

constexpr unsigned known_flags = 0x7;  // blocking sync, no timing, interprocess

void record(CUevent event, CUstream stream, Context& context) {
  const auto found = events().get(event);
  const auto queue = find_stream(stream, context);
  require(found->context == queue->context, CUDA_ERROR_INVALID_HANDLE);
  found->record(*queue);
}

float elapsed(CUevent start, CUevent end) {
  const auto first = events().get(start);
  const auto last = events().get(end);
  require(((first->flags | last->flags) & CU_EVENT_DISABLE_TIMING) == 0, CUDA_ERROR_INVALID_HANDLE);
  require(first->context == last->context, CUDA_ERROR_INVALID_HANDLE);
  first->last_record().refuse_captured();
  last->last_record().refuse_captured();
  const TaskPtr from = first->last_record().task;
  const TaskPtr to = last->last_record().task;
  require(from != nullptr && to != nullptr, CUDA_ERROR_INVALID_HANDLE);
  require(schedule().is_done(from) && schedule().is_done(to), CUDA_ERROR_NOT_READY);
  const auto span = schedule().finished(to) - schedule().finished(from);
  return std::chrono::duration<float, std::milli>(span).count();
}

}  // namespace

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return context_value(__func__, event, [&](Context& context) {
    require((flags & ~known_flags) == 0);
    require((flags & CU_EVENT_INTERPROCESS) == 0 || (flags & CU_EVENT_DISABLE_TIMING) != 0);
    auto made = std::make_shared<Event>();
    made->context = &context;
    made->flags = flags;
    return events().add(std::move(made));
  });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return context_call(__func__, [&](Context& context) { record(event, stream, context); });
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return context_call(__func__, [&](Context& context) {
    require(flags <= 1);
    record(event, stream, context);
  });
}

CUresult cuEventQuery(CUevent event) {
  return context_call(__func__, [&](Context&) {
    const auto found = events().get(event);
    const bool complete = found->last_record().look(found->looks);
    found->context->require_no_failure();
    return complete ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  });
}

CUresult cuEventSynchronize(CUevent event) {
  return context_call(__func__, [&](Context&) {
    const auto found = events().get(event);
    found->last_record().wait();
    found->context->require_no_failure();
  });
}

CUresult cuEventDestroy_v2(CUevent event) {
  return context_call(__func__, [&](Context&) { events().take(event); });
}

CUresult cuEventDestroy(CUevent event) { return cuEventDestroy_v2(event); }

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return context_value(__func__, milliseconds, [&](Context&) { return elapsed(start, end); });
}

CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return context_value(__func__, milliseconds, [&](Context&) { return elapsed(start, end); });
}
