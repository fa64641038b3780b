#pragma once

namespace array_interface {

/// Gives processes that are started from now on what lies on the numbers of stdin, stdout and stderr, as
/// in a Python program: Node has set them to close on exec. A number with nothing on it stays so.
void InheritStreams();

}  // namespace array_interface
