#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// launch(address, items, threads, types, values): {run, ended}, a kernel that runs on threads of
/// its own, and a promise that settles when it has ended. `items` are uint32s; `types` are core's
/// codes of the values, which have 8 bytes each. It checks neither addresses nor types.
Napi::Value Launch(const Napi::CallbackInfo& info);

/// join(run): blocks until a kernel has ended.
void Join(const Napi::CallbackInfo& info);

}  // namespace array_interface
