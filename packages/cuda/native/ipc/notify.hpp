#pragma once

#include "memory/work.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// Returns undefined if the other processes that have the memories open know of the work. Otherwise
/// returns a promise that settles once they do, or once the work has ended. This thread's promise
/// settler notifies them.
Napi::Value NotifyPeers(Napi::Env env, const Enqueued& work, Uses uses);

}  // namespace array_interface::cuda
