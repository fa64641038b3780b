#pragma once

#include "instruction.hpp"

namespace array_interface {

/// Returns the loop for the widest vectors of this machine. `from` is the type of the last operand.
/// Null if the operation does not exist for these types.
Loop FindLoop(Operation operation, ValueType type, ValueType from);

/// The same for vectors that every processor of the target has.
Loop FindCommonLoop(Operation operation, ValueType type, ValueType from);

#if defined(__x86_64__)
Loop FindAvx2Loop(Operation operation, ValueType type, ValueType from);
Loop FindAvx512Loop(Operation operation, ValueType type, ValueType from);
#endif

}  // namespace array_interface
