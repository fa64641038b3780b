#include <algorithm>
#include <type_traits>

#include "families.hpp"
#include "operation.hpp"
#include "ptx/decode/decoder.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

void invert(Thread& thread, const Instruction& i) {
  thread.put(i.slots[0], ~thread.get<std::uint64_t>(i.slots[1]));
}

template <class T>
void is_zero(Thread& thread, const Instruction& i) {
  thread.put<T>(i.slots[0], thread.get<T>(i.slots[1]) == 0);
}

/// A shift by at least the width leaves nothing, or the sign.
template <class T>
void shift_left(Thread& thread, const Instruction& i) {
  const auto amount = thread.get<std::uint32_t>(i.slots[2]);
  const std::uint64_t value = thread.get<std::uint64_t>(i.slots[1]);
  thread.put<T>(i.slots[0], amount < sizeof(T) * 8 ? static_cast<T>(value << amount) : T{0});
}

template <class T>
void shift_right(Thread& thread, const Instruction& i) {
  const std::uint32_t most = std::is_signed_v<T> ? 63 : 64;
  const std::uint32_t amount = std::min(thread.get<std::uint32_t>(i.slots[2]), most);
  using Extended = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  const auto value = Extended{thread.get<T>(i.slots[1])};
  thread.put<T>(i.slots[0], amount == 64 ? T{0} : static_cast<T>(value >> amount));
}

/// shf: mode 0 left, 1 right; the amount is clamped to 32 or, with .wrap, taken modulo 32.
void funnel(Thread& thread, const Instruction& i) {
  const std::uint64_t low = thread.get<std::uint32_t>(i.slots[1]);
  const std::uint64_t whole = std::uint64_t{thread.get<std::uint32_t>(i.slots[2])} << 32 | low;
  const auto given = thread.get<std::uint32_t>(i.slots[3]);
  const std::uint32_t amount = i.negated ? given & 31 : std::min(given, 32u);
  const std::uint64_t result = i.mode == 0 ? whole << amount >> 32 : whole >> amount;
  thread.put<std::uint32_t>(i.slots[0], static_cast<std::uint32_t>(result));
}

template <class T>
void reverse(Thread& thread, const Instruction& i) {
  const auto value = thread.get<T>(i.slots[1]);
  T result = 0;
  for (std::size_t bit = 0; bit < sizeof(T) * 8; ++bit)
    result = static_cast<T>(result << 1 | (value >> bit & 1));
  thread.put<T>(i.slots[0], result);
}

template <class T>
void count_ones(Thread& thread, const Instruction& i) {
  thread.put<std::uint32_t>(
      i.slots[0], static_cast<std::uint32_t>(__builtin_popcountll(thread.get<T>(i.slots[1]))));
}

template <class T>
std::uint32_t leading_zeros(T value) {
  const auto width = static_cast<std::uint32_t>(sizeof(T) * 8);
  return value == 0 ? width : static_cast<std::uint32_t>(__builtin_clzll(value)) - (64 - width);
}

template <class T>
void count_leading_zeros(Thread& thread, const Instruction& i) {
  thread.put<std::uint32_t>(i.slots[0], leading_zeros(thread.get<T>(i.slots[1])));
}

/// Returns the position of the highest bit that differs from the sign; all ones if there is none.
/// With .shiftamt (`negated`), returns how far to shift that bit to the top.
template <class T>
void find_highest(Thread& thread, const Instruction& i) {
  using Unsigned = std::make_unsigned_t<T>;
  const T value = thread.get<T>(i.slots[1]);
  const auto bits = static_cast<Unsigned>(value < 0 ? ~value : value);
  const std::uint32_t zeros = leading_zeros(bits);
  const auto top = static_cast<std::uint32_t>(sizeof(T) * 8 - 1);
  const std::uint32_t found = bits == 0 ? ~0u : i.negated ? zeros : top - zeros;
  thread.put<std::uint32_t>(i.slots[0], found);
}

/// Only the low bytes of position and length count.
struct Field {
  Field(const Thread& thread, Slot position_slot, Slot length_slot)
      : position(thread.get<std::uint32_t>(position_slot) & 0xff),
        length(thread.get<std::uint32_t>(length_slot) & 0xff) {}
  std::uint32_t position;
  std::uint32_t length;
};

/// bfe: positions above the top bit read as the sign; for unsigned numbers, as zero.
template <class T>
void extract(Thread& thread, const Instruction& i) {
  const T value = thread.get<T>(i.slots[1]);
  const Field field(thread, i.slots[2], i.slots[3]);
  const std::uint32_t top = sizeof(T) * 8 - 1;
  const auto bit = [&](std::uint32_t place) { return (value >> std::min(place, top) & 1) != 0; };
  const bool sign = std::is_signed_v<T> && field.length != 0 &&
                    bit(std::min(field.position + field.length - 1, top));
  std::uint64_t result = sign ? ~std::uint64_t{0} : 0;
  for (std::uint32_t place = 0; place <= top && place < field.length; ++place) {
    const std::uint64_t one = std::uint64_t{1} << place;
    if (field.position + place > top) break;
    result = bit(field.position + place) ? result | one : result & ~one;
  }
  thread.put<T>(i.slots[0], static_cast<T>(result));
}

/// bfi: inserts a into b.
template <class T>
void insert(Thread& thread, const Instruction& i) {
  const auto from = thread.get<T>(i.slots[1]);
  auto into = thread.get<T>(i.slots[2]);
  const Field field(thread, i.slots[3], i.slots[4]);
  for (std::uint32_t place = 0; place < field.length; ++place) {
    if (field.position + place >= sizeof(T) * 8 || place >= sizeof(T) * 8) break;
    const T one = static_cast<T>(T{1} << (field.position + place));
    into = static_cast<T>((from >> place & 1) != 0 ? into | one : into & ~one);
  }
  thread.put<T>(i.slots[0], into);
}

/// prmt: selects four of eight bytes. Each is chosen by a nibble; its top bit selects copies of the
/// sign instead.
void permute(Thread& thread, const Instruction& i) {
  const std::uint64_t bytes = std::uint64_t{thread.get<std::uint32_t>(i.slots[2])} << 32 |
                              thread.get<std::uint32_t>(i.slots[1]);
  const auto control = thread.get<std::uint32_t>(i.slots[3]);
  const std::uint32_t c = control & 3;
  // f4e, b4e, rc8, ecl, ecr, rc16: the modes other than the default one, by their control bits.
  constexpr std::uint16_t selectors[7][4] = {
      {0, 0, 0, 0},
      {0x3210, 0x4321, 0x5432, 0x6543},
      {0x5670, 0x6701, 0x7012, 0x0123},
      {0x0000, 0x1111, 0x2222, 0x3333},
      {0x3210, 0x3211, 0x3222, 0x3333},
      {0x0000, 0x1110, 0x2210, 0x3210},
      {0x1010, 0x3232, 0x1010, 0x3232},
  };
  const std::uint32_t selector = i.mode == 0 ? control : selectors[i.mode][c];
  std::uint32_t result = 0;
  for (unsigned place = 0; place < 4; ++place) {
    const std::uint32_t choice = selector >> (place * 4);
    auto byte = static_cast<std::uint32_t>(bytes >> ((choice & 7) * 8) & 0xff);
    if ((choice & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (place * 8);
  }
  thread.put<std::uint32_t>(i.slots[0], result);
}

/// lop3: any function of three bits. `mode` is its truth table.
void look_up(Thread& thread, const Instruction& i) {
  const auto a = thread.get<std::uint32_t>(i.slots[1]);
  const auto b = thread.get<std::uint32_t>(i.slots[2]);
  const auto c = thread.get<std::uint32_t>(i.slots[3]);
  std::uint32_t result = 0;
  for (std::uint32_t row = 0; row < 8; ++row) {
    if ((i.mode >> row & 1) == 0) continue;
    result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  }
  thread.put<std::uint32_t>(i.slots[0], result);
}

Instruction::Execute find_logic(const Decoder& decoder) {
  if (decoder.is("not")) return invert;
  if (decoder.is("and")) return binary<std::uint64_t, And>;
  if (decoder.is("or")) return binary<std::uint64_t, Or>;
  return binary<std::uint64_t, Xor>;
}

bool decode_logic(Decoder& decoder, Instruction& i) {
  decoder.require_operands(decoder.is("not") ? 2 : 3);
  return !is_float(decoder.take_operands(i)) && decoder.set(i, find_logic(decoder));
}

bool decode_shift(Decoder& decoder, Instruction& i) {
  decoder.require_operands(3);
  const bool left = decoder.is("shl");
  const Type type = decoder.take_type();
  i.slots[0] = decoder.destination(0);
  i.slots[1] = decoder.source(1, type);
  i.slots[2] = decoder.source(2, Type::u32);
  return decoder.set(i, for_integers(type, [left](auto tag) -> Instruction::Execute {
                       using T = Of<decltype(tag)>;
                       return left ? &shift_left<T> : &shift_right<T>;
                     }));
}

bool decode_funnel(Decoder& decoder, Instruction& i) {
  decoder.require_operands(4);
  i.mode = static_cast<std::uint32_t>(decoder.take_one_of({"l", "r"}));
  i.negated = decoder.take_one_of({"clamp", "wrap"}) == 1;
  decoder.set_operands(i, decoder.take_type());
  return decoder.set(i, funnel);
}

/// brev, popc, clz, cnot, bfind.
bool decode_unary(Decoder& decoder, Instruction& i) {
  decoder.require_operands(2);
  if (decoder.is("bfind")) i.negated = decoder.take("shiftamt");
  const Type type = decoder.take_operands(i);
  return decoder.set(i, for_integers(type, [&](auto tag) -> Instruction::Execute {
                       using T = Of<decltype(tag)>;
                       using Unsigned = std::make_unsigned_t<T>;
                       if (decoder.is("bfind")) return &find_highest<T>;
                       if (decoder.is("brev")) return &reverse<Unsigned>;
                       if (decoder.is("popc")) return &count_ones<Unsigned>;
                       if (decoder.is("clz")) return &count_leading_zeros<Unsigned>;
                       return &is_zero<Unsigned>;
                     }));
}

bool decode_field(Decoder& decoder, Instruction& i) {
  const bool extracts = decoder.is("bfe");
  decoder.require_operands(extracts ? 4 : 5);
  const Type type = decoder.take_operands(i);
  return decoder.set(i, for_integers(type, [extracts](auto tag) -> Instruction::Execute {
                       using T = Of<decltype(tag)>;
                       if (extracts) return &extract<T>;
                       return &insert<std::make_unsigned_t<T>>;
                     }));
}

bool decode_permute(Decoder& decoder, Instruction& i) {
  decoder.require_operands(4);
  const Type type = decoder.take_type();
  constexpr std::string_view modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  for (std::uint32_t mode = 0; mode < 6; ++mode) {
    if (decoder.take(modes[mode])) i.mode = mode + 1;
  }
  decoder.set_operands(i, type);
  return type == Type::b32 && decoder.set(i, permute);
}

bool decode_look_up(Decoder& decoder, Instruction& i) {
  decoder.require_operands(5);
  const Type type = decoder.take_type();
  i.slots[0] = decoder.destination(0);
  for (std::size_t index = 1; index < 4; ++index) i.slots[index] = decoder.source(index, type);
  i.mode = static_cast<std::uint32_t>(decoder.constant(4) & 0xff);
  return type == Type::b32 && decoder.set(i, look_up);
}

}  // namespace

bool decode_bits(Decoder& decoder, Instruction& i) {
  if (decoder.is_one_of({"and", "or", "xor", "not"})) return decode_logic(decoder, i);
  if (decoder.is_one_of({"shl", "shr"})) return decode_shift(decoder, i);
  if (decoder.is("shf")) return decode_funnel(decoder, i);
  if (decoder.is_one_of({"brev", "popc", "clz", "cnot", "bfind"})) return decode_unary(decoder, i);
  if (decoder.is_one_of({"bfe", "bfi"})) return decode_field(decoder, i);
  if (decoder.is("prmt")) return decode_permute(decoder, i);
  if (decoder.is("lop3")) return decode_look_up(decoder, i);
  return false;
}

}  // namespace array_interface::cuda_simulator::ptx
