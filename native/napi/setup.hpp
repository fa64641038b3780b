#pragma once

// The one place that includes napi.h, so that these always stand before it.

// Finalizers run during garbage collection and must not call into JavaScript.
#define NODE_ADDON_API_REQUIRE_BASIC_FINALIZERS
// Electron has no external ArrayBuffers.
#define NODE_API_NO_EXTERNAL_BUFFERS_ALLOWED
#define NODE_ADDON_API_DISABLE_DEPRECATED
// A worker that is terminated takes no more exceptions; without this the process would end with it.
#define NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS

#include <napi.h>
