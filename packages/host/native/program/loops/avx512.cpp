#if defined(__x86_64__)
// No option of the compiler: zig overrides those.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))), \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl")
#endif

#include "program/find_loop.hpp"
#include "program/loops/elementwise.hpp"
#include "program/loops/folds.hpp"
#include "program/loops/methods.hpp"
#include "program/loops/places.hpp"
#include "program/loops/scans.hpp"

namespace array_interface {

Loop FindAvx512Loop(Operation operation, ValueType type, ValueType from) {
  return LoopOf(operation, type, from);
}

Loop FindAvx512NumberLoop(Operation operation, ValueType from, std::size_t number) {
  return NumberLoopOf(operation, from, number);
}

Loop FindAvx512StepLoop(ValueType type, std::int64_t step) { return StepLoopOf(type, step); }

RunningLoops FindAvx512RunningLoops(Operation operation, ValueType type) {
  return RunningLoopsOf(operation, type);
}

ElementFolds FindAvx512ConvertingFold(Operation operation, ValueType type, ValueType from) {
  return ConvertingFoldOf(operation, type, from);
}

FoldLoop FindAvx512TestFold(Operation operation, ValueType type, ValueType from) {
  return TestFoldOf(operation, type, from);
}

ScanLoops FindAvx512ScanLoops(Operation operation, ValueType type, ValueType from, ValueType to) {
  return ScanLoopsOf(operation, type, from, to);
}

PlaceLoops FindAvx512PlaceLoops(ValueType type, bool is_least) {
  return PlaceLoopsOf(type, is_least);
}

MethodLoops FindAvx512MethodLoops(Method method, ValueType from) {
  return MethodLoopsOf(method, from);
}

}  // namespace array_interface

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
