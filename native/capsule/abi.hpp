#pragma once

// The one file that includes array_interface.h, which includes Node's headers, so that ours come
// before it.

#include "napi/setup.hpp"

// setup.hpp comes first
#include "array_interface.h"
