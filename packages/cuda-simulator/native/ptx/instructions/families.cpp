#include "families.hpp"

#include <algorithm>
#include <string>

namespace array_interface::cuda_simulator::ptx {
namespace {

/// The families. Each checks whether the instruction belongs to it.
constexpr bool (*families[])(Decoder&, Instruction&) = {
    decode_move,    decode_memory,      decode_integer, decode_float,   decode_bits,
    decode_compare, decode_convert,     decode_control, decode_barrier, decode_warp,
    decode_atomic,  decode_approximate, decode_carry,
};

}  // namespace

void decode(const Statement& statement, Function& function, Scopes& scopes, Linker& linker) {
  Decoder decoder(statement, function, scopes, linker);
  Instruction instruction;
  if (!statement.guard.empty()) {
    const Entity guard = scopes.find(statement.guard);
    if (guard.kind != Entity::Kind::register_ || guard.type != Type::pred) {
      refuse(statement.line, "expected a predicate, got '" + std::string(statement.guard) + "'");
    }
    instruction.guard = guard.slot;
    instruction.guard_negated = statement.guard_negated;
  }
  const bool known = std::any_of(std::begin(families), std::end(families),
                                 [&](const auto& family) { return family(decoder, instruction); });
  if (!known || instruction.execute == nullptr || decoder.parts_.size() != 1) {
    decoder.refuse_instruction();
  }
  function.code.push_back(instruction);
  function.lines.push_back({statement.line, statement.source_file, statement.source_line,
                            std::string(statement.opcode)});
}

}  // namespace array_interface::cuda_simulator::ptx
