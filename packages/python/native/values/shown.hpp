#pragma once

#include <string>

#include "napi/setup.hpp"

namespace array_interface {

/// Describes a JavaScript value briefly, for a message: `null`, `5`, `"text"`, `a list`. Runs no
/// user JavaScript, so the thread may be attached.
std::string Shown(const Napi::Value& value);

}  // namespace array_interface
