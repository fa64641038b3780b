#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// launch(address, items, threads, types, values): starts a kernel on its own threads. Returns
/// {run, ended}: the run, and a promise that settles once it has ended. `items` holds uint32s.
/// `types` holds core's codes of the values, which have 8 bytes each. Checks neither addresses nor
/// types.
Napi::Value Launch(const Napi::CallbackInfo& info);

/// join(run): blocks until a kernel has ended.
void Join(const Napi::CallbackInfo& info);

}  // namespace array_interface
