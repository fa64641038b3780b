#include "program/find_loop.hpp"
#include "program/loops/elementwise.hpp"
#include "program/loops/folds.hpp"
#include "program/loops/methods.hpp"
#include "program/loops/places.hpp"
#include "program/loops/scans.hpp"

namespace array_interface {

Loop FindCommonLoop(Operation operation, ValueType type, ValueType from) {
  return LoopOf(operation, type, from);
}

Loop FindCommonNumberLoop(Operation operation, ValueType from, std::size_t number) {
  return NumberLoopOf(operation, from, number);
}

Loop FindCommonStepLoop(ValueType type, std::int64_t step) { return StepLoopOf(type, step); }

RunningLoops FindCommonRunningLoops(Operation operation, ValueType type) {
  return RunningLoopsOf(operation, type);
}

ElementFolds FindCommonConvertingFold(Operation operation, ValueType type, ValueType from) {
  return ConvertingFoldOf(operation, type, from);
}

FoldLoop FindCommonTestFold(Operation operation, ValueType type, ValueType from) {
  return TestFoldOf(operation, type, from);
}

ScanLoops FindCommonScanLoops(Operation operation, ValueType type, ValueType from, ValueType to) {
  return ScanLoopsOf(operation, type, from, to);
}

PlaceLoops FindCommonPlaceLoops(ValueType type, bool is_least) {
  return PlaceLoopsOf(type, is_least);
}

MethodLoops FindCommonMethodLoops(Method method, ValueType from) {
  return MethodLoopsOf(method, from);
}

}  // namespace array_interface
