#if defined(__x86_64__)
#include "find_loop.hpp"
#include "loops.hpp"

namespace array_interface {

Loop FindAvx2Loop(Operation operation, ValueType type, ValueType from) {
  return LoopOf(operation, type, from);
}

}  // namespace array_interface
#endif
