#pragma once

#include "ptx/decode/decoder.hpp"

namespace array_interface::cuda_simulator::ptx {

/// Decodes a statement and appends it to the function's code. Throws Refusal, which names the
/// instruction, if the simulator does not support it.
void decode(const Statement& statement, Function& function, Scopes& scopes, Linker& linker);

/// Returns a `ret` without a guard.
Instruction return_instruction();

// The families of instructions. Each decodes its own instructions, and returns false for others.

bool decode_move(Decoder& decoder, Instruction& instruction);         ///< move.cpp
bool decode_memory(Decoder& decoder, Instruction& instruction);       ///< memory.cpp
bool decode_atomic(Decoder& decoder, Instruction& instruction);       ///< atomic.cpp
bool decode_integer(Decoder& decoder, Instruction& instruction);      ///< integer.cpp
bool decode_carry(Decoder& decoder, Instruction& instruction);        ///< carry.cpp
bool decode_bits(Decoder& decoder, Instruction& instruction);         ///< bits.cpp
bool decode_float(Decoder& decoder, Instruction& instruction);        ///< float.cpp
bool decode_approximate(Decoder& decoder, Instruction& instruction);  ///< approximate.cpp
bool decode_compare(Decoder& decoder, Instruction& instruction);      ///< compare.cpp
bool decode_convert(Decoder& decoder, Instruction& instruction);      ///< convert.cpp
bool decode_control(Decoder& decoder, Instruction& instruction);      ///< control.cpp
bool decode_barrier(Decoder& decoder, Instruction& instruction);      ///< barrier.cpp
bool decode_warp(Decoder& decoder, Instruction& instruction);         ///< warp.cpp

}  // namespace array_interface::cuda_simulator::ptx
