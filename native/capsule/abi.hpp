#pragma once

// The only file that includes array_interface.h, which includes Node's headers. setup.hpp has to
// come first, because it sets the macros for napi.h.

#include "napi/setup.hpp"

// must follow setup.hpp
#include "array_interface.h"
