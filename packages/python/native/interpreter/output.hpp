#pragma once

namespace array_interface {

/// Has Python write its output at once where it is no terminal, in order with JavaScript's, and
/// whole. Leaves Python's own streams if that fails. The thread must be attached.
void WriteThrough();

}  // namespace array_interface
