#include "find_loop.hpp"
#include "loops.hpp"

namespace array_interface {

Loop FindCommonLoop(Operation operation, ValueType type, ValueType from) {
  return LoopOf(operation, type, from);
}

}  // namespace array_interface
