#include "families.hpp"
#include "ptx/decode/decoder.hpp"
#include "ptx/program/address.hpp"
#include "ptx/run/block.hpp"
#include "ptx/run/thread.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

void branch(Thread& thread, const Instruction& i) { thread.jump(i.target); }

/// brx.idx. An index past the end of the table is an error that devices do not detect.
void branch_by_index(Thread& thread, const Instruction& i) {
  const auto& table = thread.function().branch_tables[i.target];
  const auto index = thread.get<std::uint32_t>(i.slots[0]);
  if (index >= table.size()) throw Fault{CUDA_ERROR_INVALID_PC};
  thread.jump(table[index]);
}

/// The address of a function is its number.
void call(Thread& thread, const Instruction& i) {
  const Program& program = *thread.block().launch().program;
  const std::uint64_t number = thread.get<std::uint64_t>(i.slots[0]) - function_window;
  if (number >= program.function_count()) throw Fault{CUDA_ERROR_INVALID_PC};
  thread.call(program.function(static_cast<std::uint32_t>(number)),
              thread.function().calls[i.target]);
}

void leave(Thread& thread, const Instruction&) { thread.leave(); }
void end(Thread& thread, const Instruction&) { thread.end(); }
[[noreturn]] void trap(Thread&, const Instruction&) {
  throw Fault{CUDA_ERROR_LAUNCH_FAILED, "executes trap"};
}
void nothing(Thread&, const Instruction&) {}

std::vector<CallSite::Value> read_values(Decoder& decoder, const Operand& list) {
  std::vector<CallSite::Value> values;
  for (const Operand& operand : list.elements) {
    const Entity entity = decoder.scopes.find(operand.name);
    if (operand.kind != Operand::Kind::name || entity.kind != Entity::Kind::parameter) {
      decoder.refuse("expected values of a call in .param variables");
    }
    values.push_back({decoder.source(operand, Type::u64), entity.size});
  }
  return values;
}

/// call (results), function, (arguments), prototype. All but the function are optional.
bool decode_call(Decoder& decoder, Instruction& i) {
  decoder.take("uni");
  decoder.require_operands(1, 4);
  CallSite site;
  std::size_t next = 0;
  if (decoder.operand(next).kind == Operand::Kind::list)
    site.results = read_values(decoder, decoder.operand(next++));
  if (next >= decoder.operand_count()) decoder.refuse("expected the name of a function");
  const Operand& callee = decoder.operand(next);
  if (callee.kind == Operand::Kind::name) site.callee = decoder.linker.find(callee.name);
  site.line = decoder.line();
  i.slots[0] = decoder.source(next++, Type::u64);
  if (next < decoder.operand_count()) site.arguments = read_values(decoder, decoder.operand(next));
  i.target = static_cast<std::uint32_t>(decoder.function.calls.size());
  decoder.function.calls.push_back(std::move(site));
  return decoder.set(i, call);
}

bool decode_branch(Decoder& decoder, Instruction& i) {
  decoder.take("uni");
  decoder.require_operands(1);
  decoder.scopes.branch(decoder.operand(0).name, decoder.function.code.size(), decoder.line());
  return decoder.set(i, branch);
}

bool decode_indexed_branch(Decoder& decoder, Instruction& i) {
  if (!decoder.take("idx")) return false;
  decoder.take("uni");
  decoder.require_operands(2);
  const Entity targets = decoder.scopes.find(decoder.operand(1).name);
  if (targets.kind != Entity::Kind::branch_targets)
    decoder.refuse("expected a list of branch targets");
  i.slots[0] = decoder.source(0, Type::u32);
  i.target = static_cast<std::uint32_t>(targets.offset);
  return decoder.set(i, branch_by_index);
}

/// Does nothing. The threads of a block take turns on one host thread, so fences have nothing to
/// order. The other instructions are hints.
bool decode_nothing(Decoder& decoder, Instruction& i) {
  if (decoder.is_one_of({"membar", "fence"})) {
    decoder.require_operands(0);
    for (const char* modifier :
         {"sc", "acq_rel", "acquire", "release", "cta", "gl", "sys", "gpu", "cluster"})
      decoder.take(modifier);
  } else if (decoder.is("nanosleep")) {
    decoder.require_operands(1);
    decoder.source(0, decoder.take_type());
  } else if (decoder.is("pmevent")) {
    decoder.require_operands(1);
    decoder.take("mask");
  } else {
    return false;
  }
  return decoder.set(i, nothing);
}

}  // namespace

Instruction return_instruction() {
  Instruction instruction;
  instruction.execute = leave;
  return instruction;
}

bool decode_control(Decoder& decoder, Instruction& i) {
  if (decoder.is("bra")) return decode_branch(decoder, i);
  if (decoder.is("brx")) return decode_indexed_branch(decoder, i);
  if (decoder.is("call")) return decode_call(decoder, i);
  if (decode_nothing(decoder, i)) return true;
  if (!decoder.is_one_of({"ret", "exit", "trap", "brkpt"})) return false;
  decoder.require_operands(0);
  if (decoder.is("ret")) decoder.take("uni");
  return decoder.set(i, decoder.is("ret") ? leave : decoder.is("exit") ? end : trap);
}

}  // namespace array_interface::cuda_simulator::ptx
