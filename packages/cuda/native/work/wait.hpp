#pragma once

#include <memory>
#include <vector>

#include "napi/setup.hpp"
#include "ordering/event.hpp"
#include "work/waitable_event.hpp"

namespace array_interface::cuda {

/// Returns a promise that settles once all events are complete. It rejects with ERR_CUDA if work
/// before an event failed, with the first such failure, or if the driver cannot tell. Does not
/// block a thread.
Napi::Value WaitFor(Napi::Env env, std::vector<std::shared_ptr<WaitableEvent>> events);

/// Returns a promise for events of a dependency tracker.
Napi::Value WaitFor(Napi::Env env, const Events& events);

}  // namespace array_interface::cuda
