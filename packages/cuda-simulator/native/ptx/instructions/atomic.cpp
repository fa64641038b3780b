#include "families.hpp"
#include "operation.hpp"
#include "ptx/decode/decoder.hpp"
#include "real.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

// slots: result (nowhere for red), address, b, c.

struct Exchange {
  template <class T>
  static T of(T, T b) {
    return b;
  }
};
/// The only operation with a third operand.
struct CompareAndSwap {};
struct Sum {
  template <class T>
  static T of(T old, T b) {
    if constexpr (sizeof(T) == 2) {
      return stored<T>(odd_sum(widen(old), widen(b)));
    } else if constexpr (std::is_floating_point_v<T>) {
      return stored<T>(old + b);
    } else {
      return Add::of(old, b);
    }
  }
};
/// Counts up to b, then restarts at 0.
struct Increment {
  template <class T>
  static T of(T old, T b) {
    return old >= b ? T{0} : static_cast<T>(old + 1);
  }
};
/// Counts down to 0, then restarts at b.
struct Decrement {
  template <class T>
  static T of(T old, T b) {
    return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
};

template <class Operation, class T>
T changed_by(T old, T b, T c) {
  if constexpr (std::is_same_v<Operation, CompareAndSwap>) {
    return old == b ? c : old;
  } else {
    return Operation::of(old, b);
  }
}

template <class T>
using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

/// Also atomic with respect to other streams, which run on their own threads.
template <class T, class Operation>
void change(Thread& thread, const Instruction& i) {
  const auto address = thread.get<std::uint64_t>(i.slots[1]) + static_cast<std::uint64_t>(i.offset);
  auto* place = reinterpret_cast<Bits<T>*>(thread.find(i.space, address, sizeof(T)));
  const T b = thread.get<T>(i.slots[2]);
  const T c = i.slots[3] == nowhere ? T{} : thread.get<T>(i.slots[3]);
  Bits<T> old = __atomic_load_n(place, __ATOMIC_SEQ_CST);
  Bits<T> changed;
  do {
    changed = bits_as<Bits<T>>(changed_by<Operation>(bits_as<T>(old), b, c));
  } while (!__atomic_compare_exchange_n(place, &old, changed, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST));
  if (i.slots[0] != nowhere) thread.put<T>(i.slots[0], bits_as<T>(old));
}

template <class Operation>
Instruction::Execute of_integers(Type type) {
  return for_integers(type, [](auto tag) -> Instruction::Execute {
    using T = Of<decltype(tag)>;
    if constexpr (sizeof(T) >= 4) return &change<T, Operation>;
    return nullptr;
  });
}

Instruction::Execute find_add(Type type) {
  if (!is_float(type)) return of_integers<Sum>(type);
  return for_floats(
      type, [](auto tag) -> Instruction::Execute { return &change<Of<decltype(tag)>, Sum>; });
}

Instruction::Execute find_compare_and_swap(Type type) {
  if (type == Type::b16) return &change<std::uint16_t, CompareAndSwap>;
  return of_integers<CompareAndSwap>(type);
}

Instruction::Execute find_operation(std::size_t operation, Type type) {
  switch (operation) {
    case 0:
      return of_integers<And>(type);
    case 1:
      return of_integers<Or>(type);
    case 2:
      return of_integers<Xor>(type);
    case 3:
      return of_integers<Exchange>(type);
    case 4:
      return find_compare_and_swap(type);
    case 5:
      return find_add(type);
    case 6:
      return type == Type::u32 ? &change<std::uint32_t, Increment> : nullptr;
    case 7:
      return type == Type::u32 ? &change<std::uint32_t, Decrement> : nullptr;
    case 8:
      return of_integers<Minimum>(type);
    default:
      return of_integers<Maximum>(type);
  }
}

void take_space(Decoder& decoder, Instruction& i) {
  if (decoder.take("global")) i.space = Space::global;
  if (decoder.take("shared") || decoder.take("shared::cta")) i.space = Space::shared;
}

}  // namespace

bool decode_atomic(Decoder& decoder, Instruction& i) {
  if (!decoder.is_one_of({"atom", "red"})) return false;
  const bool gives = decoder.is("atom");
  take_space(decoder, i);
  for (const char* modifier :
       {"relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu", "sys", "noftz"}) {
    decoder.take(modifier);
  }
  const std::size_t operation =
      decoder.take_one_of({"and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max"});
  const Type type = decoder.take_type();
  const bool three = operation == 4;
  if (!gives && (operation == 3 || three)) return false;
  decoder.require_operands((gives ? 3 : 2) + (three ? 1 : 0));
  std::size_t next = 0;
  if (gives) i.slots[0] = decoder.destination(next++);
  i.slots[1] = decoder.address(next++, i);
  i.slots[2] = decoder.source(next++, type);
  if (three) i.slots[3] = decoder.source(next, type);
  return decoder.set(i, find_operation(operation, type));
}

}  // namespace array_interface::cuda_simulator::ptx
