#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linker.hpp"
#include "ptx/program/instruction.hpp"
#include "ptx/program/type.hpp"
#include "ptx/syntax/statement.hpp"
#include "scope.hpp"

namespace array_interface::cuda_simulator::ptx {

/// One statement that is being decoded. Instruction families take its modifiers and operands. If
/// any is left over at the end, the instruction is unknown.
class Decoder {
 public:
  Decoder(const Statement& statement, Function& function, Scopes& scopes, Linker& linker);

  bool is(std::string_view name) const { return parts_[0] == name; }
  bool is_one_of(std::initializer_list<std::string_view> names) const;

  bool has(std::string_view modifier) const;
  /// Takes a modifier, at any position.
  bool take(std::string_view modifier);
  /// Takes the modifier that is present, and returns its index in the list. Refuses the instruction
  /// if there is none.
  std::size_t take_one_of(std::initializer_list<std::string_view> modifiers);
  /// Takes the first modifier that is a type. Refuses the instruction if there is none.
  Type take_type();
  /// Returns the first type without taking it.
  Type peek_type() const;
  using RoundingName = std::pair<std::string_view, Rounding>;
  /// Takes the first of the modifiers that is present. Returns false if there is none.
  bool take_rounding(Rounding& rounding, std::initializer_list<RoundingName> names);
  /// .rn .rz .rm .rp .rna.
  bool take_rounding(Rounding& rounding);

  std::size_t operand_count() const { return statement_.operands.size(); }
  void require_operands(std::size_t count) const { require_operands(count, count); }
  void require_operands(std::size_t least, std::size_t most) const;
  const Operand& operand(std::size_t index) const { return statement_.operands[index]; }

  Slot destination(std::size_t index) { return destination(operand(index)); }
  Slot destination(const Operand& operand);
  Slot source(std::size_t index, Type type) { return source(operand(index), type); }
  Slot source(const Operand& operand, Type type);
  /// Sets the first two slots: d|p, or d alone.
  void set_results(Instruction& instruction);
  /// A predicate, possibly negated.
  Slot predicate(std::size_t index, bool& negated);
  /// The elements of a vector operand, or the operand alone.
  std::vector<Operand> elements(std::size_t index) const;
  /// An address: returns the slot of its base, and stores the offset in the instruction.
  Slot address(std::size_t index, Instruction& instruction);
  /// Returns the value of an operand, which must be a constant.
  std::uint64_t constant(std::size_t index) const;

  /// Sets `slots` in order: the destination, then sources of the type.
  void set_operands(Instruction& instruction, Type type);
  /// Takes the type, and sets `slots` as set_operands does. Returns the type.
  Type take_operands(Instruction& instruction);

  /// Throws Refusal: "expected …, got 'add.foo …'".
  [[noreturn]] void refuse(const std::string& expected) const;
  /// Sets the handler that a family found for its types. Refuses the instruction if it is null.
  /// Returns true, as the family does then.
  bool set(Instruction& instruction, Instruction::Execute execute) const;

  Function& function;
  Scopes& scopes;
  Linker& linker;
  unsigned line() const { return statement_.line; }

 private:
  friend void decode(const Statement&, Function&, Scopes&, Linker&);

  [[noreturn]] void refuse_instruction() const;
  Slot named(const Operand& operand);

  const Statement& statement_;
  std::vector<std::string_view> parts_;
};

}  // namespace array_interface::cuda_simulator::ptx
