#pragma once

// The one file that includes napi.h, so that these macros always come before it.

// Finalizers run during garbage collection and must not call into JavaScript.
#define NODE_ADDON_API_REQUIRE_BASIC_FINALIZERS
// Electron has no external ArrayBuffers.
#define NODE_API_NO_EXTERNAL_BUFFERS_ALLOWED
#define NODE_ADDON_API_DISABLE_DEPRECATED
// A terminated worker takes no more exceptions. Without this, one would end the process.
#define NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS

#include <napi.h>
