#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// `explain(plan, threads)`: describes how `copy` would run the plan. addon.ts documents the
/// result.
Napi::Value Explain(const Napi::CallbackInfo& info);

}  // namespace array_interface
