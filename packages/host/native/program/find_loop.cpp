#include "find_loop.hpp"

#include "kernels/host/vectors/wide_vectors.hpp"

namespace array_interface {

Loop FindLoop(Operation operation, ValueType type, ValueType from) {
#if defined(__x86_64__)
  if (has_widest_vectors()) return FindAvx512Loop(operation, type, from);
  if (has_wide_vectors()) return FindAvx2Loop(operation, type, from);
#endif
  return FindCommonLoop(operation, type, from);
}

Loop FindNumberLoop(Operation operation, ValueType from, std::size_t number) {
#if defined(__x86_64__)
  if (has_widest_vectors()) return FindAvx512NumberLoop(operation, from, number);
  if (has_wide_vectors()) return FindAvx2NumberLoop(operation, from, number);
#endif
  return FindCommonNumberLoop(operation, from, number);
}

Loop FindStepLoop(ValueType type, std::int64_t step) {
#if defined(__x86_64__)
  if (has_widest_vectors()) return FindAvx512StepLoop(type, step);
  if (has_wide_vectors()) return FindAvx2StepLoop(type, step);
#endif
  return FindCommonStepLoop(type, step);
}

RunningLoops FindRunningLoops(Operation operation, ValueType type) {
#if defined(__x86_64__)
  if (has_widest_vectors()) return FindAvx512RunningLoops(operation, type);
  if (has_wide_vectors()) return FindAvx2RunningLoops(operation, type);
#endif
  return FindCommonRunningLoops(operation, type);
}

ElementFolds FindConvertingFold(Operation operation, ValueType type, ValueType from) {
#if defined(__x86_64__)
  if (has_widest_vectors()) return FindAvx512ConvertingFold(operation, type, from);
  if (has_wide_vectors()) return FindAvx2ConvertingFold(operation, type, from);
#endif
  return FindCommonConvertingFold(operation, type, from);
}

FoldLoop FindTestFold(Operation operation, ValueType type, ValueType from) {
#if defined(__x86_64__)
  if (has_widest_vectors()) return FindAvx512TestFold(operation, type, from);
  if (has_wide_vectors()) return FindAvx2TestFold(operation, type, from);
#endif
  return FindCommonTestFold(operation, type, from);
}

ScanLoops FindScanLoops(Operation operation, ValueType type, ValueType from, ValueType to) {
#if defined(__x86_64__)
  if (has_widest_vectors()) return FindAvx512ScanLoops(operation, type, from, to);
  if (has_wide_vectors()) return FindAvx2ScanLoops(operation, type, from, to);
#endif
  return FindCommonScanLoops(operation, type, from, to);
}

PlaceLoops FindPlaceLoops(ValueType type, bool is_least) {
#if defined(__x86_64__)
  if (has_widest_vectors()) return FindAvx512PlaceLoops(type, is_least);
  if (has_wide_vectors()) return FindAvx2PlaceLoops(type, is_least);
#endif
  return FindCommonPlaceLoops(type, is_least);
}

MethodLoops FindMethodLoops(Method method, ValueType from) {
#if defined(__x86_64__)
  if (has_widest_vectors()) return FindAvx512MethodLoops(method, from);
  if (has_wide_vectors()) return FindAvx2MethodLoops(method, from);
#endif
  return FindCommonMethodLoops(method, from);
}

}  // namespace array_interface
