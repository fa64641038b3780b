#pragma once

#include <new>
#include <type_traits>

#include "base/failure.hpp"
#include "base/fault.hpp"
#include "base/last_fault.hpp"
#include "call_log.hpp"
#include "state/context.hpp"
#include "teardown.hpp"

namespace array_interface::cuda_simulator {

/// Performs the checks of every call: cuInit was called, and not before a fork; the thread is not
/// inside a host function; no fault is planned.
void enter_call(const char* symbol);

/// Returns the calling thread's current context. Throws Failure if there is none or it is
/// destroyed, and with its sticky error if it failed.
Context& require_context();

/// Runs the body of a driver call, and logs the call. Converts an exception to an error code. A
/// body returns frequent results such as CUDA_ERROR_NOT_READY, since throwing is slower.
template <class Body>
CUresult guarded(const char* symbol, Body body) noexcept {
  Failure result{CUDA_SUCCESS};
  const UnderWay under_way;
  try {
    if constexpr (std::is_same_v<decltype(body()), CUresult>) {
      result.error = body();
    } else {
      body();
    }
  } catch (const Failure& failure) {
    result = failure;
  } catch (const std::bad_alloc&) {
    result.error = CUDA_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    result.error = CUDA_ERROR_UNKNOWN;
  }
  if (result.error != CUDA_SUCCESS) note_failure(result);
  note_call(symbol, result.error);
  return result.error;
}

/// A call without requirements, not even cuInit.
template <class Body>
CUresult plain_call(const char* symbol, Body body) noexcept {
  return guarded(symbol, [&] {
    const CUresult fault = planned_fault(symbol);
    require(fault == CUDA_SUCCESS, fault);
    body();
  });
}

/// A driver call that needs no context. `symbol` is the exported name: pass __func__.
template <class Body>
CUresult driver_call(const char* symbol, Body body) noexcept {
  return guarded(symbol, [&] {
    enter_call(symbol);
    body();
  });
}

/// A driver call in the current context, which is passed to the body.
template <class Body>
CUresult context_call(const char* symbol, Body body) noexcept {
  return guarded(symbol, [&] {
    enter_call(symbol);
    return body(require_context());
  });
}

/// A driver_call that returns one value through `target`, which must not be null.
template <class Value, class Body>
CUresult driver_value(const char* symbol, Value* target, Body body) noexcept {
  return driver_call(symbol, [&] {
    require(target != nullptr);
    *target = body();
  });
}

/// A context_call that returns one value through `target`, which must not be null.
template <class Value, class Body>
CUresult context_value(const char* symbol, Value* target, Body body) noexcept {
  return context_call(symbol, [&](Context& context) {
    require(target != nullptr);
    *target = body(context);
  });
}

/// Marks the driver as initialised for this process. Throws Failure NOT_INITIALIZED in the child of
/// an initialised process, whose memory belongs to the parent.
void mark_initialized();

}  // namespace array_interface::cuda_simulator
