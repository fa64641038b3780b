#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// launch(address, items, threads, types, values): starts a kernel on its own threads. Returns
/// {run, ended}: the run, and a promise that settles once it has ended. `items` holds uint32s.
/// `types` holds core's codes of the parameters, as uint32s. A value has 8 bytes, and a struct
/// its own, rounded up to a multiple of 8. Checks neither addresses nor types.
Napi::Value Launch(const Napi::CallbackInfo& info);

/// join(run): blocks until a kernel has ended.
void Join(const Napi::CallbackInfo& info);

}  // namespace array_interface
