#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// readProgram(bytes, types, arrays): checks a program, and returns a handle. `types` holds core's
/// codes of the parameters, and `arrays` three numbers for each array: the place of its address
/// among the values, the bytes of an element, and 1 if it is written; both as uint32s. Throws
/// ERR_KERNEL.
Napi::Value ReadProgramBytes(const Napi::CallbackInfo& info);

/// runProgram(program, values, extents, count, threads): computes `count` elements before it
/// returns. `extents` holds two float64s for each array: where its bytes begin and end, from its
/// address on. Throws ERR_KERNEL if the program would reach other bytes.
void RunProgramBytes(const Napi::CallbackInfo& info);

}  // namespace array_interface
