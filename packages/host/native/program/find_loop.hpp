#pragma once

#include "instruction.hpp"

namespace array_interface {

/// Returns the loop for the widest vectors of this machine. `from` is the type of the last operand.
/// Null if the operation does not exist for these types.
Loop FindLoop(Operation operation, ValueType type, ValueType from);

/// Returns the loop of an operation whose operands have the type `from`, and of which that of the
/// index `number` is one number for all elements. Null if there is none.
Loop FindNumberLoop(Operation operation, ValueType from, std::size_t number);

/// Returns the loop that copies values which are `step` values apart to neighbours. Null if there
/// is none.
Loop FindStepLoop(ValueType type, std::int64_t step);

/// The same for vectors that every processor of the target has, for AVX2, and for AVX-512.
Loop FindCommonLoop(Operation operation, ValueType type, ValueType from);
Loop FindCommonNumberLoop(Operation operation, ValueType from, std::size_t number);
Loop FindCommonStepLoop(ValueType type, std::int64_t step);

#if defined(__x86_64__)
Loop FindAvx2Loop(Operation operation, ValueType type, ValueType from);
Loop FindAvx2NumberLoop(Operation operation, ValueType from, std::size_t number);
Loop FindAvx2StepLoop(ValueType type, std::int64_t step);
Loop FindAvx512Loop(Operation operation, ValueType type, ValueType from);
Loop FindAvx512NumberLoop(Operation operation, ValueType from, std::size_t number);
Loop FindAvx512StepLoop(ValueType type, std::int64_t step);
#endif

/// Finds the loops that combine many values of a type by an operation. Null if there are none.
RunningLoops FindRunningLoops(Operation operation, ValueType type);
RunningLoops FindCommonRunningLoops(Operation operation, ValueType type);
RunningLoops FindAvx2RunningLoops(Operation operation, ValueType type);
RunningLoops FindAvx512RunningLoops(Operation operation, ValueType type);

/// Finds the loops that fold values of the type `from`, converted to another. Their `fold` is null
/// if there are none.
ElementFolds FindConvertingFold(Operation operation, ValueType type, ValueType from);
ElementFolds FindCommonConvertingFold(Operation operation, ValueType type, ValueType from);
ElementFolds FindAvx2ConvertingFold(Operation operation, ValueType type, ValueType from);
ElementFolds FindAvx512ConvertingFold(Operation operation, ValueType type, ValueType from);

/// Finds the loop that folds whether values of the type `from` are not 0: to bools, or to their
/// number. Null if there is none.
FoldLoop FindTestFold(Operation operation, ValueType type, ValueType from);
FoldLoop FindCommonTestFold(Operation operation, ValueType type, ValueType from);
FoldLoop FindAvx2TestFold(Operation operation, ValueType type, ValueType from);
FoldLoop FindAvx512TestFold(Operation operation, ValueType type, ValueType from);

/// Finds the loops that scan elements of the type `from` in another one, to results of a third.
/// Null if there are none.
ScanLoops FindScanLoops(Operation operation, ValueType type, ValueType from, ValueType to);
ScanLoops FindCommonScanLoops(Operation operation, ValueType type, ValueType from, ValueType to);
ScanLoops FindAvx2ScanLoops(Operation operation, ValueType type, ValueType from, ValueType to);
ScanLoops FindAvx512ScanLoops(Operation operation, ValueType type, ValueType from, ValueType to);

/// Finds the loops that find the least or the greatest value of a type.
PlaceLoops FindPlaceLoops(ValueType type, bool is_least);
PlaceLoops FindCommonPlaceLoops(ValueType type, bool is_least);
PlaceLoops FindAvx2PlaceLoops(ValueType type, bool is_least);
PlaceLoops FindAvx512PlaceLoops(ValueType type, bool is_least);

/// Finds the loops of a method that has some, for values of a type, float32 or float64.
MethodLoops FindMethodLoops(Method method, ValueType from);
MethodLoops FindCommonMethodLoops(Method method, ValueType from);
MethodLoops FindAvx2MethodLoops(Method method, ValueType from);
MethodLoops FindAvx512MethodLoops(Method method, ValueType from);

}  // namespace array_interface
