#pragma once

#include <memory>
#include <vector>

#include "napi/setup.hpp"
#include "ordering/event.hpp"
#include "work/waitable_event.hpp"

namespace array_interface::cuda {

/// A promise that settles when all events are complete. It rejects with the first failure of the
/// work before them, and where the driver does not say: ERR_CUDA. Holds no thread.
Napi::Value WaitFor(Napi::Env env, std::vector<std::shared_ptr<WaitableEvent>> events);

/// A promise for events as the order of memory has them.
Napi::Value WaitFor(Napi::Env env, const Events& events);

}  // namespace array_interface::cuda
