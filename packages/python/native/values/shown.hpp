#pragma once

#include <string>

#include "napi/setup.hpp"

namespace array_interface {

/// A JavaScript value for a message, in few words: `null`, `5`, `"text"`, `a list`. Runs no
/// JavaScript of users, so that the thread may be attached.
std::string Shown(const Napi::Value& value);

}  // namespace array_interface
