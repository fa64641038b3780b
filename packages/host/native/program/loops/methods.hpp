// The loops of methods. Compiled as operations.hpp says.
#pragma once

#include "program/instruction.hpp"
#include "program/loops/log_sum_exp.hpp"
#include "program/loops/moments.hpp"

namespace array_interface {
namespace {

MethodLoops MethodLoopsOf(Method method, ValueType from) {
  return method == Method::kMoments ? MomentLoopsOf(from) : LogSumExpLoopsOf(from);
}

}  // namespace
}  // namespace array_interface
