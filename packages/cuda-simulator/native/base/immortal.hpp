#pragma once

namespace array_interface::cuda_simulator {

/// Returns the one object of this type and these arguments. It is made at first use and never
/// destroyed, so that threads can use it while the process ends.
template <class Object, auto... arguments>
Object& immortal() {
  static Object& object = *new Object(arguments...);
  return object;
}

}  // namespace array_interface::cuda_simulator
