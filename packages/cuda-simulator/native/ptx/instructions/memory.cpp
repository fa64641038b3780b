#include <algorithm>

#include "families.hpp"
#include "ptx/decode/decoder.hpp"
#include "ptx/run/thread.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

/// Instruction::mode of loads and stores that may race with other threads.
constexpr std::uint32_t strong = 1;

std::uint64_t address_of(const Thread& thread, const Instruction& i) {
  return thread.get<std::uint64_t>(i.slots[0]) + static_cast<std::uint64_t>(i.offset);
}

template <class T>
T read(const std::byte* bytes, bool is_strong) {
  if (is_strong) return __atomic_load_n(reinterpret_cast<const T*>(bytes), __ATOMIC_ACQUIRE);
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <class T>
void write(std::byte* bytes, T value, bool is_strong) {
  if (is_strong) return __atomic_store_n(reinterpret_cast<T*>(bytes), value, __ATOMIC_RELEASE);
  std::memcpy(bytes, &value, sizeof value);
}

template <class T>
void load(Thread& thread, const Instruction& i) {
  const std::byte* bytes = thread.find(i.space, address_of(thread, i), i.count * sizeof(T));
  for (unsigned element = 0; element < i.count; ++element) {
    thread.put<T>(i.slots[element + 1], read<T>(bytes + element * sizeof(T), i.mode == strong));
  }
}

template <class T>
void store(Thread& thread, const Instruction& i) {
  std::byte* bytes = thread.find(i.space, address_of(thread, i), i.count * sizeof(T));
  for (unsigned element = 0; element < i.count; ++element) {
    write<T>(bytes + element * sizeof(T), thread.get<T>(i.slots[element + 1]), i.mode == strong);
  }
}

void nothing(Thread&, const Instruction&) {}

void take_space(Decoder& decoder, Instruction& i) {
  if (decoder.take("global")) i.space = Space::global;
  if (decoder.take("const")) i.space = Space::constant;
  if (decoder.take("local")) i.space = Space::local;
  if (decoder.take("shared") || decoder.take("shared::cta")) i.space = Space::shared;
  if (decoder.take("param") || decoder.take("param::entry") || decoder.take("param::func")) {
    i.space = Space::parameter;
  }
}

/// Takes the memory order, and returns whether there is one. Threads take turns here, so only other
/// streams can observe a difference.
bool take_order(Decoder& decoder) {
  bool ordered = false;
  for (const char* order : {"volatile", "relaxed", "acquire", "release", "mmio"}) {
    if (decoder.take(order)) ordered = true;
  }
  for (const char* scope : {"weak", "cta", "cluster", "gpu", "sys"}) decoder.take(scope);
  return ordered;
}

/// Skips cache hints, which do not affect values.
void take_cache_hints(Decoder& decoder) {
  for (const char* hint : {"ca",
                           "cg",
                           "cs",
                           "lu",
                           "cv",
                           "wb",
                           "wt",
                           "nc",
                           "L1::evict_normal",
                           "L1::evict_unchanged",
                           "L1::evict_first",
                           "L1::evict_last",
                           "L1::no_allocate",
                           "L2::evict_normal",
                           "L2::evict_first",
                           "L2::evict_last",
                           "L2::64B",
                           "L2::128B",
                           "L2::256B",
                           "unified"}) {
    decoder.take(hint);
  }
}

bool decode_access(Decoder& decoder, Instruction& i, bool loads) {
  decoder.require_operands(2);
  take_space(decoder, i);
  i.mode = take_order(decoder) ? strong : 0;
  take_cache_hints(decoder);
  i.count = decoder.take("v2") ? 2 : decoder.take("v4") ? 4 : decoder.take("v8") ? 8 : 1;
  const Type type = decoder.take_type();
  const std::vector<Operand> elements = decoder.elements(loads ? 0 : 1);
  if (elements.size() != i.count || i.count * size_of(type) > 32) {
    decoder.refuse("expected as many registers as the vector has elements, in at most 32 bytes");
  }
  i.slots[0] = decoder.address(loads ? 1 : 0, i);
  for (std::size_t element = 0; element < elements.size(); ++element) {
    i.slots[element + 1] =
        loads ? decoder.destination(elements[element]) : decoder.source(elements[element], type);
  }
  const auto by_type = [loads](auto tag) -> Instruction::Execute {
    using T = Of<decltype(tag)>;
    return loads ? &load<T> : &store<T>;
  };
  if (type == Type::pred) return false;
  return decoder.set(
      i, is_float(type) ? for_sizes(size_of(type), by_type) : for_integers(type, by_type));
}

bool decode_prefetch(Decoder& decoder, Instruction& i) {
  decoder.require_operands(1);
  take_space(decoder, i);
  decoder.take_one_of({"L1", "L2", "L2::evict_last", "L2::evict_normal"});
  decoder.address(0, i);
  return decoder.set(i, nothing);
}

}  // namespace

bool decode_memory(Decoder& decoder, Instruction& i) {
  if (decoder.is_one_of({"ld", "ldu"})) return decode_access(decoder, i, true);
  if (decoder.is("st")) return decode_access(decoder, i, false);
  if (decoder.is_one_of({"prefetch", "prefetchu"})) return decode_prefetch(decoder, i);
  return false;
}

}  // namespace array_interface::cuda_simulator::ptx
