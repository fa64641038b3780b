#pragma once

#include "ptx/run/thread.hpp"

namespace array_interface::cuda_simulator::ptx {

__extension__ using Wide = __int128;

/// Computes sums and differences in 128 bits, which cannot overflow.
template <class T>
Wide wide(T value) {
  return value;
}

// Operations on two integers of one type.

struct Add {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(wide(a) + b);
  }
};
struct Minimum {
  template <class T>
  static T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  static T of(T a, T b) {
    return a < b ? b : a;
  }
};
struct And {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

/// The instruction of an operation: slots[0] = slots[1] operation slots[2].
template <class T, class Operation>
void binary(Thread& thread, const Instruction& i) {
  thread.put<T>(i.slots[0], Operation::of(thread.get<T>(i.slots[1]), thread.get<T>(i.slots[2])));
}

}  // namespace array_interface::cuda_simulator::ptx
