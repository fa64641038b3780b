#pragma once

#include <string>

namespace array_interface {

/// The path of another file of this addon's name in the process, which a second copy of the package
/// has loaded. Empty if there is none.
std::string OtherCopy();

}  // namespace array_interface
