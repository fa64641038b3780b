#include "decoder.hpp"

#include <algorithm>

#include "ptx/program/float16.hpp"
#include "special_register.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

/// Returns the bits of a literal float, converted to another type.
std::uint64_t float_literal(double value, Type type) {
  switch (type) {
    case Type::f64:
    case Type::b64:
      return bits_as<std::uint64_t>(value);
    case Type::f16:
      return to_half(value).bits;
    case Type::bf16:
      return to_brain_float(value).bits;
    default:
      return bits_as<std::uint32_t>(static_cast<float>(value));
  }
}

}  // namespace

Decoder::Decoder(const Statement& statement, Function& its_function, Scopes& its_scopes,
                 Linker& its_linker)
    : function(its_function), scopes(its_scopes), linker(its_linker), statement_(statement) {
  std::string_view rest = statement.opcode;
  for (;;) {
    const std::size_t dot = rest.find('.');
    parts_.push_back(rest.substr(0, dot));
    if (dot == std::string_view::npos) break;
    rest = rest.substr(dot + 1);
  }
}

bool Decoder::is_one_of(std::initializer_list<std::string_view> names) const {
  return std::find(names.begin(), names.end(), parts_[0]) != names.end();
}

bool Decoder::has(std::string_view modifier) const {
  return std::find(parts_.begin() + 1, parts_.end(), modifier) != parts_.end();
}

bool Decoder::take(std::string_view modifier) {
  const auto found = std::find(parts_.begin() + 1, parts_.end(), modifier);
  if (found == parts_.end()) return false;
  parts_.erase(found);
  return true;
}

std::size_t Decoder::take_one_of(std::initializer_list<std::string_view> modifiers) {
  for (auto modifier = modifiers.begin(); modifier != modifiers.end(); ++modifier) {
    if (take(*modifier)) return static_cast<std::size_t>(modifier - modifiers.begin());
  }
  refuse_instruction();
}

Type Decoder::peek_type() const {
  for (std::size_t index = 1; index < parts_.size(); ++index) {
    const Type type = type_named(parts_[index]);
    if (type != Type::none) return type;
  }
  return Type::none;
}

Type Decoder::take_type() {
  const auto is_type = [](std::string_view part) { return type_named(part) != Type::none; };
  const auto part = std::find_if(parts_.begin() + 1, parts_.end(), is_type);
  if (part == parts_.end()) refuse_instruction();
  const Type type = type_named(*part);
  parts_.erase(part);
  return type;
}

bool Decoder::take_rounding(Rounding& rounding, std::initializer_list<RoundingName> names) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [this](const RoundingName& name) { return take(name.first); });
  if (found == names.end()) return false;
  rounding = found->second;
  return true;
}

bool Decoder::take_rounding(Rounding& rounding) {
  return take_rounding(rounding, {{"rn", Rounding::nearest},
                                  {"rz", Rounding::zero},
                                  {"rm", Rounding::down},
                                  {"rp", Rounding::up},
                                  {"rna", Rounding::away}});
}

void Decoder::require_operands(std::size_t least, std::size_t most) const {
  if (operand_count() >= least && operand_count() <= most) return;
  refuse("expected " + std::to_string(least) +
         (most == least ? "" : " to " + std::to_string(most)) + " operands");
}

Slot Decoder::named(const Operand& operand) {
  const Entity entity = scopes.find(operand.name);
  const auto offset = static_cast<std::int64_t>(entity.offset) + operand.offset;
  switch (entity.kind) {
    case Entity::Kind::register_:
      if (operand.offset == 0) return entity.slot;
      refuse("expected a register without an offset");
    case Entity::Kind::parameter:
      return scopes.filled(Fill::Source::parameter_base, offset);
    case Entity::Kind::local:
      return scopes.filled(Fill::Source::local_base, offset);
    default:
      break;
  }
  Fill::Source special{};
  if (find_special_register(operand.name, special)) return scopes.filled(special);
  if (operand.name == "WARP_SZ") return scopes.constant(32);
  const Symbol symbol = linker.find(operand.name);
  if (symbol.kind == Symbol::Kind::none) {
    refuse("expected a declared name, got '" + std::string(operand.name) + "'");
  }
  return scopes.relocated(symbol, operand.offset, statement_.line);
}

Slot Decoder::destination(const Operand& operand) {
  const bool plain = operand.kind == Operand::Kind::name && operand.offset == 0 && !operand.negated;
  if (plain && operand.name == "_") return scopes.sink();
  const Entity entity = plain ? scopes.find(operand.name) : Entity{};
  if (entity.kind != Entity::Kind::register_) refuse("expected a register for the result");
  return entity.slot;
}

Slot Decoder::source(const Operand& operand, Type type) {
  switch (operand.kind) {
    case Operand::Kind::name:
      if (operand.negated) break;
      return named(operand);
    case Operand::Kind::integer:
      if (is_float(type))
        return scopes.constant(
            float_literal(static_cast<double>(static_cast<std::int64_t>(operand.bits)), type));
      return scopes.constant(operand.bits);
    case Operand::Kind::single_bits:
      if (type == Type::f32 || type == Type::b32) return scopes.constant(operand.bits);
      return scopes.constant(
          float_literal(bits_as<float>(static_cast<std::uint32_t>(operand.bits)), type));
    case Operand::Kind::double_bits:
      if (type == Type::f64 || type == Type::b64) return scopes.constant(operand.bits);
      return scopes.constant(float_literal(bits_as<double>(operand.bits), type));
    default:
      break;
  }
  refuse("expected a register or a constant");
}

void Decoder::set_results(Instruction& instruction) {
  const Operand& result = operand(0);
  const bool is_pair = result.kind == Operand::Kind::pair;
  instruction.slots[0] = destination(is_pair ? result.elements[0] : result);
  if (is_pair) instruction.slots[1] = destination(result.elements[1]);
}

Slot Decoder::predicate(std::size_t index, bool& negated) {
  const Operand& wanted = operand(index);
  if (wanted.kind == Operand::Kind::integer) return scopes.constant(wanted.bits != 0);
  const Entity entity = scopes.find(wanted.name);
  const bool good = wanted.kind == Operand::Kind::name && entity.kind == Entity::Kind::register_ &&
                    entity.type == Type::pred;
  if (!good) refuse("expected a predicate");
  negated = wanted.negated;
  return entity.slot;
}

std::vector<Operand> Decoder::elements(std::size_t index) const {
  const Operand& wanted = operand(index);
  if (wanted.kind == Operand::Kind::vector) return wanted.elements;
  return {wanted};
}

Slot Decoder::address(std::size_t index, Instruction& instruction) {
  const Operand& wanted = operand(index);
  if (wanted.kind != Operand::Kind::address) refuse("expected an address in brackets");
  instruction.offset = wanted.offset;
  if (wanted.name.empty()) return scopes.constant(0);
  Operand base;
  base.name = wanted.name;
  return named(base);
}

std::uint64_t Decoder::constant(std::size_t index) const {
  if (operand(index).kind != Operand::Kind::integer) refuse("expected a constant");
  return operand(index).bits;
}

void Decoder::set_operands(Instruction& instruction, Type type) {
  instruction.slots[0] = destination(0);
  for (std::size_t index = 1; index < operand_count(); ++index) {
    instruction.slots[index] = source(index, type);
  }
}

Type Decoder::take_operands(Instruction& instruction) {
  const Type type = take_type();
  set_operands(instruction, type);
  return type;
}

bool Decoder::set(Instruction& instruction, Instruction::Execute execute) const {
  if (execute == nullptr) refuse_instruction();
  instruction.execute = execute;
  return true;
}

void Decoder::refuse(const std::string& expected) const {
  ptx::refuse(statement_.line, expected + ", got '" + std::string(statement_.opcode) + "' with " +
                                   std::to_string(operand_count()) + " operands");
}

void Decoder::refuse_instruction() const {
  ptx::refuse(statement_.line, "expected an instruction that the CUDA simulator knows, got '" +
                                   std::string(statement_.opcode.substr(0, 120)) + "'");
}

}  // namespace array_interface::cuda_simulator::ptx
