#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "launch.hpp"
#include "ptx/program/float16.hpp"
#include "ptx/program/instruction.hpp"
#include "ptx/program/program.hpp"

namespace array_interface::cuda_simulator::ptx {

class Block;

/// The source of a thread's own special registers.
struct Position {
  Dimensions thread;
  unsigned linear = 0;  ///< number in the block

  unsigned lane() const { return linear % 32; }
  unsigned warp() const { return linear / 32; }
};

/// One CUDA thread. It runs until it ends, waits for other threads, or has used up its slice.
class Thread {
 public:
  enum class State : std::uint8_t { ready, waiting, ended };

  /// Puts the thread at the start of the kernel of `block`.
  void start(Block& block, const Position& position);

  /// Runs at most `steps` instructions. Returns how many it ran. Throws Fault.
  std::uint64_t run(std::uint64_t steps);

  // For instructions.

  template <class T>
  T get(Slot slot) const {
    T value;
    std::memcpy(&value, registers_ + slot, sizeof value);
    return value;
  }

  /// Sign-extends signed integers, and zero-extends everything else.
  template <class T>
  void put(Slot slot, T value) {
    if constexpr (std::is_integral_v<T>) {
      registers_[slot] = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    } else {
      registers_[slot] = 0;
      std::memcpy(registers_ + slot, &value, sizeof value);
    }
  }

  bool predicate(Slot slot) const { return (registers_[slot] & 1) != 0; }

  void jump(std::uint32_t target) { next_ = code_ + target; }
  void call(const Function& function, const CallSite& site);
  void leave();
  void end() { state = State::ended; }
  /// Suspends the thread until those that wait with this one have met.
  void wait(const Instruction& instruction);
  /// Continues after the instruction at which it waited.
  void resume() { state = State::ready; }

  /// Returns where `size` bytes, a power of two, are. Throws Fault if they may not be accessed.
  std::byte* find(Space space, std::uint64_t address, std::size_t size);

  /// Returns the fault with the thread, the block and the line of the last instruction, unless it
  /// has them.
  Fault located(Fault fault) const;

  const Function& function() const { return *frames_.back().function; }
  Block& block() const { return *block_; }
  const Position& position() const { return position_; }

  State state = State::ended;
  bool carry = false;                       ///< of add.cc and similar
  const Instruction* waiting_at = nullptr;  ///< while waiting
  std::uint64_t steps = 0;                  ///< so far; %clock

 private:
  struct Frame {
    const Function* function;
    const Instruction* back;  ///< where the caller continues
    const CallSite* site;
    std::size_t registers;
    std::size_t parameters;
    std::size_t locals;
  };

  std::uint64_t run_steps(std::uint64_t most);
  void enter(const Function& function, const Instruction* back, const CallSite* site);
  void fill();
  std::uint64_t value_of(Fill::Source source) const;
  std::byte* variable_of_caller(const CallSite::Value& value);
  std::byte* formal(const Parameter& parameter, const CallSite::Value& value);

  Block* block_ = nullptr;
  Position position_;
  std::uint64_t* registers_ = nullptr;  ///< of the innermost frame
  const Instruction* code_ = nullptr;
  const Instruction* next_ = nullptr;
  std::vector<Frame> frames_;
  std::vector<std::uint64_t> register_stack_;
  std::vector<std::byte> parameter_stack_;
  std::vector<std::byte> local_stack_;
};

}  // namespace array_interface::cuda_simulator::ptx
