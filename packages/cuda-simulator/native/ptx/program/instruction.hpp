#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "float16.hpp"

namespace array_interface::cuda_simulator::ptx {

class Thread;
class Meeting;
struct Instruction;

using Slot = std::uint32_t;

/// Not a slot.
inline constexpr Slot nowhere = ~Slot{0};

enum class Space : std::uint8_t { generic, global, constant, shared, local, parameter };

/// A decoded instruction: the function to call, and the slots of its operands in the frame.
/// Immediates and special registers have their own slots, so that all operands are read alike.
struct Instruction {
  using Execute = void (*)(Thread&, const Instruction&);
  using Meet = void (*)(Meeting&);

  Execute execute = nullptr;
  Meet meet = nullptr;  ///< called when the threads that wait here have met
  std::array<Slot, 9> slots{nowhere, nowhere, nowhere, nowhere, nowhere,
                            nowhere, nowhere, nowhere, nowhere};
  Slot guard = nowhere;
  bool guard_negated = false;
  bool negated = false;  ///< the predicate operand is negated
  bool flush = false;    ///< .ftz: subnormal inputs and results are zero
  bool saturate = false;
  bool carry_in = false;
  bool carry_out = false;
  Rounding rounding = Rounding::nearest;
  Space space = Space::generic;
  std::uint8_t count = 1;    ///< elements of a vector
  std::uint8_t size = 0;     ///< bytes of an element
  std::uint32_t mode = 0;    ///< meaning depends on the instruction's family
  std::uint32_t target = 0;  ///< of a branch: index of an instruction; else of a table's entry
  std::int64_t offset = 0;   ///< of an address
};

}  // namespace array_interface::cuda_simulator::ptx
