#include "families.hpp"
#include "ptx/decode/decoder.hpp"
#include "ptx/run/thread.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

__extension__ using Wide = unsigned __int128;

/// Stores the low bits, and the carry if the instruction requests it.
template <class T>
void finish(Thread& thread, const Instruction& i, Wide sum) {
  thread.put<T>(i.slots[0], static_cast<T>(sum));
  if (i.carry_out) thread.carry = (sum >> (sizeof(T) * 8) & 1) != 0;
}

std::uint32_t carry_into(const Thread& thread, const Instruction& i) {
  return i.carry_in && thread.carry ? 1 : 0;
}

template <class T>
void add(Thread& thread, const Instruction& i) {
  const Wide a = thread.get<T>(i.slots[1]);
  finish<T>(thread, i, a + thread.get<T>(i.slots[2]) + carry_into(thread, i));
}

/// The carry is the borrow.
template <class T>
void subtract(Thread& thread, const Instruction& i) {
  const Wide a = thread.get<T>(i.slots[1]);
  finish<T>(thread, i, a - thread.get<T>(i.slots[2]) - carry_into(thread, i));
}

template <class T, bool high>
void multiply_add(Thread& thread, const Instruction& i) {
  // The high half depends on signs; the low half does not. Carries are those of unsigned sums.
  __extension__ using Signed = __int128;
  const Wide product = static_cast<Wide>(Signed{thread.get<T>(i.slots[1])}) *
                       static_cast<Wide>(Signed{thread.get<T>(i.slots[2])});
  using Unsigned = std::make_unsigned_t<T>;
  const auto half = static_cast<Unsigned>(high ? product >> (sizeof(T) * 8) : product);
  finish<Unsigned>(thread, i,
                   Wide{half} + thread.get<Unsigned>(i.slots[3]) + carry_into(thread, i));
}

bool decode_sum(Decoder& decoder, Instruction& i, bool subtracts) {
  decoder.require_operands(3);
  const Type type = decoder.take_operands(i);
  const std::size_t size = size_of(type);
  if (size == 4) decoder.set(i, subtracts ? &subtract<std::uint32_t> : &add<std::uint32_t>);
  if (size == 8) decoder.set(i, subtracts ? &subtract<std::uint64_t> : &add<std::uint64_t>);
  return size == 4 || size == 8;
}

bool decode_product(Decoder& decoder, Instruction& i) {
  decoder.require_operands(4);
  const bool high = decoder.take_one_of({"lo", "hi"}) == 1;
  const Type type = decoder.take_operands(i);
  return decoder.set(i, for_integers(type, [high](auto tag) -> Instruction::Execute {
                       using T = Of<decltype(tag)>;
                       if (sizeof(T) < 4) return nullptr;
                       return high ? &multiply_add<T, true> : &multiply_add<T, false>;
                     }));
}

}  // namespace

bool decode_carry(Decoder& decoder, Instruction& i) {
  i.carry_in = decoder.is_one_of({"addc", "subc", "madc"});
  if (!i.carry_in && !decoder.has("cc")) return false;
  i.carry_out = decoder.take("cc");
  if (decoder.is_one_of({"add", "addc"})) return decode_sum(decoder, i, false);
  if (decoder.is_one_of({"sub", "subc"})) return decode_sum(decoder, i, true);
  if (decoder.is_one_of({"mad", "madc"})) return decode_product(decoder, i);
  return false;
}

}  // namespace array_interface::cuda_simulator::ptx
