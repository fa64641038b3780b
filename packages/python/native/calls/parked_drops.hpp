#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// In a free-threaded Python, an object that another thread drops is parked until the thread that
/// made it runs Python. After this call, the JavaScript thread runs some Python whenever any thread
/// has dropped references that finalizers released, so that an idle program frees such objects too.
/// Call it once for each environment.
void RunParkedDrops(Napi::Env env);

}  // namespace array_interface
