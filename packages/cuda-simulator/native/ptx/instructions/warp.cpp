#include "families.hpp"
#include "operation.hpp"
#include "ptx/decode/decoder.hpp"
#include "ptx/run/block.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

// slots: result, second result, mask of lanes, a, b, c. Threads that meet may be at different
// instructions of one kind, so each thread's own instruction is used.

enum Place : std::size_t { result, second, mask = mask_slot, first_input };

void wait(Thread& thread, const Instruction& i) { thread.wait(i); }

void set_result(Thread& thread, std::uint64_t value) {
  thread.put(thread.waiting_at->slots[result], value);
}

void set_second(Thread& thread, bool value) {
  const Slot slot = thread.waiting_at->slots[second];
  if (slot != nowhere) thread.put<std::uint32_t>(slot, value);
}

template <class T>
T input(const Thread& thread, std::size_t index = 0) {
  return thread.get<T>(thread.waiting_at->slots[first_input + index]);
}

enum class Shuffle : std::uint8_t { up, down, butterfly, index };

/// Returns the lane to read from, and whether it is in the thread's own segment.
template <Shuffle shuffle>
std::uint32_t partner(const Thread& thread, bool& inside) {
  const std::uint32_t lane = thread.position().lane();
  const std::uint32_t b = input<std::uint32_t>(thread, 1) & 31;
  const auto c = input<std::uint32_t>(thread, 2);
  const std::uint32_t segment = c >> 8 & 31;
  const std::uint32_t lowest = lane & segment;
  const std::uint32_t limit = lowest | (c & 31 & ~segment);
  std::uint32_t other = lowest | (b & ~segment);
  if (shuffle == Shuffle::up) other = lane - b;
  if (shuffle == Shuffle::down) other = lane + b;
  if (shuffle == Shuffle::butterfly) other = lane ^ b;
  inside = shuffle == Shuffle::up
               ? static_cast<std::int32_t>(other) >= static_cast<std::int32_t>(limit)
               : other <= limit;
  return inside ? other : lane;
}

/// A lane that did not arrive provides nothing, and the thread keeps its own value.
template <Shuffle shuffle>
void exchange(Meeting& meeting) {
  std::uint32_t values[32] = {};
  for (const Thread* thread : meeting.threads()) {
    values[thread->position().lane()] = input<std::uint32_t>(*thread);
  }
  const std::uint32_t lanes = meeting.lanes();
  for (Thread* thread : meeting.threads()) {
    bool inside = false;
    const std::uint32_t other = partner<shuffle>(*thread, inside);
    const bool came = (lanes >> other & 1) != 0;
    set_result(*thread, values[came ? other : thread->position().lane()]);
    set_second(*thread, inside);
  }
}

bool votes(const Thread& thread) {
  const Instruction& i = *thread.waiting_at;
  return thread.predicate(i.slots[first_input]) != i.negated;
}

enum class Vote : std::uint8_t { all, any, uniform, ballot };

template <Vote vote>
void count_votes(Meeting& meeting) {
  std::uint32_t ballot = 0;
  for (const Thread* thread : meeting.threads()) {
    if (votes(*thread)) ballot |= std::uint32_t{1} << thread->position().lane();
  }
  const bool all = ballot == meeting.lanes();
  for (Thread* thread : meeting.threads()) {
    const bool truth = vote == Vote::all   ? all
                       : vote == Vote::any ? ballot != 0
                                           : all || ballot == 0;
    set_result(*thread, vote == Vote::ballot ? ballot : truth);
  }
}

template <class T, bool all>
void match(Meeting& meeting) {
  for (Thread* thread : meeting.threads()) {
    std::uint32_t same = 0;
    for (const Thread* other : meeting.threads()) {
      if (input<T>(*other) == input<T>(*thread))
        same |= std::uint32_t{1} << other->position().lane();
    }
    const bool everyone = same == meeting.lanes();
    set_result(*thread, all && !everyone ? 0 : same);
    set_second(*thread, everyone);
  }
}

template <class T, class Operation>
void reduce(Meeting& meeting) {
  T sum = input<T>(*meeting.threads().front());
  for (std::size_t index = 1; index < meeting.threads().size(); ++index) {
    sum = Operation::of(sum, input<T>(*meeting.threads()[index]));
  }
  for (Thread* thread : meeting.threads()) set_result(*thread, static_cast<std::uint32_t>(sum));
}

void report_lanes(Meeting& meeting) {
  for (Thread* thread : meeting.threads()) set_result(*thread, meeting.lanes());
}

bool decode_shuffle(Decoder& decoder, Instruction& i) {
  constexpr Instruction::Meet meets[] = {exchange<Shuffle::up>, exchange<Shuffle::down>,
                                         exchange<Shuffle::butterfly>, exchange<Shuffle::index>};
  i.meet = meets[decoder.take_one_of({"up", "down", "bfly", "idx"})];
  decoder.require_operands(5);
  decoder.set_results(i);
  for (std::size_t index = 0; index < 3; ++index) {
    i.slots[first_input + index] = decoder.source(index + 1, Type::b32);
  }
  i.slots[mask] = decoder.source(4, Type::b32);
  return decoder.take_type() == Type::b32;
}

bool decode_vote(Decoder& decoder, Instruction& i) {
  constexpr Instruction::Meet meets[] = {count_votes<Vote::all>, count_votes<Vote::any>,
                                         count_votes<Vote::uniform>, count_votes<Vote::ballot>};
  const std::size_t vote = decoder.take_one_of({"all", "any", "uni", "ballot"});
  i.meet = meets[vote];
  decoder.require_operands(3);
  i.slots[result] = decoder.destination(0);
  i.slots[first_input] = decoder.predicate(1, i.negated);
  i.slots[mask] = decoder.source(2, Type::b32);
  return decoder.take_type() == (vote == 3 ? Type::b32 : Type::pred);
}

bool decode_match(Decoder& decoder, Instruction& i) {
  const bool all = decoder.take_one_of({"any", "all"}) == 1;
  const Type type = decoder.take_type();
  decoder.require_operands(3);
  decoder.set_results(i);
  i.slots[first_input] = decoder.source(1, type);
  i.slots[mask] = decoder.source(2, Type::b32);
  if (type == Type::b32) i.meet = all ? match<std::uint32_t, true> : match<std::uint32_t, false>;
  if (type == Type::b64) i.meet = all ? match<std::uint64_t, true> : match<std::uint64_t, false>;
  return i.meet != nullptr;
}

template <class T>
Instruction::Meet find_reduction(std::size_t operation) {
  constexpr Instruction::Meet meets[] = {reduce<T, Add>, reduce<T, Minimum>, reduce<T, Maximum>,
                                         reduce<T, And>, reduce<T, Or>,      reduce<T, Xor>};
  return meets[operation];
}

bool decode_reduction(Decoder& decoder, Instruction& i) {
  const std::size_t operation = decoder.take_one_of({"add", "min", "max", "and", "or", "xor"});
  const Type type = decoder.take_type();
  decoder.require_operands(3);
  i.slots[result] = decoder.destination(0);
  i.slots[first_input] = decoder.source(1, type);
  i.slots[mask] = decoder.source(2, Type::b32);
  i.meet = type == Type::s32 ? find_reduction<std::int32_t>(operation)
                             : find_reduction<std::uint32_t>(operation);
  return size_of(type) == 4 && !is_float(type);
}

bool decode_operation(Decoder& decoder, Instruction& i) {
  if (decoder.is("shfl")) return decode_shuffle(decoder, i);
  if (decoder.is("vote")) return decode_vote(decoder, i);
  if (decoder.is("match")) return decode_match(decoder, i);
  return decode_reduction(decoder, i);
}

}  // namespace

bool decode_warp(Decoder& decoder, Instruction& i) {
  i.mode = static_cast<std::uint32_t>(Gathering::warp);
  decoder.set(i, wait);
  if (decoder.is("activemask")) {
    i.mode = static_cast<std::uint32_t>(Gathering::converged);
    i.meet = report_lanes;
    decoder.require_operands(1);
    i.slots[result] = decoder.destination(0);
    return decoder.take_type() == Type::b32;
  }
  if (decoder.is_one_of({"bar", "barrier"}) && decoder.take("warp")) {
    decoder.require_operands(1);
    i.slots[mask] = decoder.source(0, Type::b32);
    return decoder.take("sync");
  }
  // Without .sync they need threads in lockstep, which no device has guaranteed since sm_70.
  const bool known = decoder.is_one_of({"shfl", "vote", "match", "redux"}) && decoder.take("sync");
  return known && decode_operation(decoder, i);
}

}  // namespace array_interface::cuda_simulator::ptx
