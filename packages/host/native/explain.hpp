#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// `explain(plan, threads)`: how `copy` would do that plan, as addon.ts describes it.
Napi::Value Explain(const Napi::CallbackInfo& info);

}  // namespace array_interface
