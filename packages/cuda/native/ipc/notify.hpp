#pragma once

#include "memory/work.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// Undefined where the other processes that have the memories know of the work. Else a promise that
/// settles once they do, or once it has ended: they are told by this thread's promise settler.
Napi::Value ToldOf(Napi::Env env, const Enqueued& work, Uses uses);

}  // namespace array_interface::cuda
