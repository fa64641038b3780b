#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// A free-threaded Python parks an object that another thread drops until the thread that made it
/// runs Python. From now on this JavaScript thread runs some after any thread has dropped what
/// finalizers gave up, so that an idle program frees it, too. Call it once for an environment.
void RunParkedDrops(Napi::Env env);

}  // namespace array_interface
