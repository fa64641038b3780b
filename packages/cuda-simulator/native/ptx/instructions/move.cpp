#include <chrono>

#include "families.hpp"
#include "ptx/decode/decoder.hpp"
#include "ptx/program/address.hpp"
#include "ptx/run/thread.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

void move(Thread& thread, const Instruction& i) {
  thread.put(i.slots[0], thread.get<std::uint64_t>(i.slots[1]));
}

/// Packs {a, b} into one register: slots[1] and following into slots[0].
void pack(Thread& thread, const Instruction& i) {
  const unsigned bits = i.size * 8u;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t value = 0;
  for (unsigned part = 0; part < i.count; ++part) {
    value |= (thread.get<std::uint64_t>(i.slots[part + 1]) & mask) << (part * bits);
  }
  thread.put(i.slots[0], value);
}

/// Unpacks one register into {a, b}: slots[0] into slots[1] and following.
void unpack(Thread& thread, const Instruction& i) {
  const unsigned bits = i.size * 8u;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const auto value = thread.get<std::uint64_t>(i.slots[0]);
  for (unsigned part = 0; part < i.count; ++part) {
    thread.put(i.slots[part + 1], value >> (part * bits) & mask);
  }
}

/// %clock counts the thread's own instructions.
void read_clock(Thread& thread, const Instruction& i) { thread.put(i.slots[0], thread.steps); }

void read_timer(Thread& thread, const Instruction& i) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  thread.put<std::uint64_t>(i.slots[0],
                            static_cast<std::uint64_t>(
                                std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()));
}

bool decode_vector_move(Decoder& decoder, Instruction& i, Type type) {
  const bool packs = decoder.operand(1).kind == Operand::Kind::vector;
  const std::size_t vector = packs ? 1 : 0;
  const std::vector<Operand> parts = decoder.elements(vector);
  if ((parts.size() != 2 && parts.size() != 4) || size_of(type) % parts.size() != 0) {
    decoder.refuse("expected a vector of 2 or 4 parts that fill the type");
  }
  i.count = static_cast<std::uint8_t>(parts.size());
  i.size = static_cast<std::uint8_t>(size_of(type) / parts.size());
  const Type part_type = i.size == 4 ? Type::b32 : i.size == 2 ? Type::b16 : Type::b8;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    i.slots[part + 1] =
        packs ? decoder.source(parts[part], part_type) : decoder.destination(parts[part]);
  }
  i.slots[0] = packs ? decoder.destination(0) : decoder.source(1, type);
  return decoder.set(i, packs ? pack : unpack);
}

bool decode_mov(Decoder& decoder, Instruction& i) {
  decoder.require_operands(2);
  const Type type = decoder.take_type();
  if (decoder.operand(0).kind == Operand::Kind::vector ||
      decoder.operand(1).kind == Operand::Kind::vector) {
    return decode_vector_move(decoder, i, type);
  }
  const std::string_view source = decoder.operand(1).name;
  if (source == "%clock" || source == "%clock64" || source == "%clock_hi" ||
      source == "%globaltimer" || source == "%globaltimer_lo") {
    i.slots[0] = decoder.destination(0);
    return decoder.set(i, source[1] == 'c' ? read_clock : read_timer);
  }
  decoder.set_operands(i, type);
  return decoder.set(i, move);
}

std::uint64_t window_of(std::size_t space) {
  constexpr std::uint64_t windows[] = {0, 0, shared_window, local_window, parameter_window};
  return windows[space];
}

void to_generic(Thread& thread, const Instruction& i) {
  thread.put(i.slots[0], thread.get<std::uint64_t>(i.slots[1]) | window_of(i.mode));
}

void from_generic(Thread& thread, const Instruction& i) {
  const auto address = thread.get<std::uint64_t>(i.slots[1]);
  thread.put(i.slots[0], window_of(i.mode) == 0 ? address : address & window_mask);
}

void is_in_space(Thread& thread, const Instruction& i) {
  const std::uint64_t window = thread.get<std::uint64_t>(i.slots[1]) & ~window_mask;
  thread.put<std::uint32_t>(i.slots[0], window == window_of(i.mode));
}

std::uint32_t take_space(Decoder& decoder) {
  if (decoder.take("shared::cta") || decoder.take("shared::cluster")) return 2;
  if (decoder.take("param::entry") || decoder.take("param::func")) return 4;
  return static_cast<std::uint32_t>(
      decoder.take_one_of({"global", "const", "shared", "local", "param"}));
}

bool decode_address_conversion(Decoder& decoder, Instruction& i) {
  decoder.require_operands(2);
  const bool to_space = decoder.take("to");
  i.mode = take_space(decoder);
  const Type type = decoder.take_type();
  if (type != Type::u64) return false;
  decoder.set_operands(i, type);
  return decoder.set(i, to_space ? from_generic : to_generic);
}

}  // namespace

bool decode_move(Decoder& decoder, Instruction& i) {
  if (decoder.is("mov")) return decode_mov(decoder, i);
  if (decoder.is("cvta")) return decode_address_conversion(decoder, i);
  if (!decoder.is("isspacep")) return false;
  decoder.require_operands(2);
  i.mode = take_space(decoder);
  decoder.set_operands(i, Type::u64);
  return decoder.set(i, is_in_space);
}

}  // namespace array_interface::cuda_simulator::ptx
