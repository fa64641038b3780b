#pragma once

// The only file that includes napi.h, so that these macros are always defined before it.

// Finalizers run during garbage collection and must not call into JavaScript.
#define NODE_ADDON_API_REQUIRE_BASIC_FINALIZERS
// Electron does not support external ArrayBuffers.
#define NODE_API_NO_EXTERNAL_BUFFERS_ALLOWED
#define NODE_ADDON_API_DISABLE_DEPRECATED
// A terminated worker cannot throw exceptions any more. Without this macro, an attempt would end
// the process.
#define NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS

#include <napi.h>
