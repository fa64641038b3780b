#pragma once

namespace array_interface {

/// Has Python's modules of OpenSSL and zlib use their own copies of these. Node exports the
/// functions of its copies, which the system's loader would otherwise take for all others. Leaves
/// that as it is where something has loaded another copy before, whose state must not be mixed with
/// Node's, and in a process with a sanitizer, which refuses to load a library so. The thread must
/// be attached.
void UseOwnLibraries();

}  // namespace array_interface
