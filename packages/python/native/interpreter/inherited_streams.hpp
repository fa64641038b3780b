#pragma once

namespace array_interface {

/// Makes processes that are started from now on inherit stdin, stdout and stderr, as from a Python
/// program: Node has set these descriptors to close on exec. A closed descriptor stays closed.
void InheritStreams();

}  // namespace array_interface
