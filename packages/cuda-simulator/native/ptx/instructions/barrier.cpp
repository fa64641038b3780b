#include "families.hpp"
#include "ptx/decode/decoder.hpp"
#include "ptx/run/block.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

// slots: result, number of the barrier, number of threads, predicate.

void wait(Thread& thread, const Instruction& i) { thread.wait(i); }

void arrive(Thread& thread, const Instruction& i) {
  thread.block().arrive(static_cast<unsigned>(barrier_of(thread, i)));
}

std::uint32_t count_true(const Meeting& meeting) {
  std::uint32_t count = 0;
  for (const Thread* thread : meeting.threads()) {
    const Instruction& i = *thread->waiting_at;
    if (thread->predicate(i.slots[3]) != i.negated) ++count;
  }
  return count;
}

enum class Reduction : std::uint8_t { count, all, any };

template <Reduction reduction>
void reduce(Meeting& meeting) {
  const std::uint32_t count = count_true(meeting);
  const bool all = count == meeting.threads().size();
  for (Thread* thread : meeting.threads()) {
    const std::uint32_t result = reduction == Reduction::count ? count
                                 : reduction == Reduction::all ? all
                                                               : count != 0;
    thread->put<std::uint32_t>(thread->waiting_at->slots[0], result);
  }
}

bool decode_reduction(Decoder& decoder, Instruction& i) {
  const std::size_t operation = decoder.take_one_of({"popc", "and", "or"});
  const Type type = decoder.take_type();
  if (type != (operation == 0 ? Type::u32 : Type::pred)) return false;
  decoder.require_operands(3, 4);
  const std::size_t last = decoder.operand_count() - 1;
  i.slots[0] = decoder.destination(0);
  i.slots[barrier_slot] = decoder.source(1, Type::u32);
  if (last == 3) i.slots[count_slot] = decoder.source(2, Type::u32);
  i.slots[3] = decoder.predicate(last, i.negated);
  constexpr Instruction::Meet meets[] = {reduce<Reduction::count>, reduce<Reduction::all>,
                                         reduce<Reduction::any>};
  i.meet = meets[operation];
  return decoder.set(i, wait);
}

}  // namespace

bool decode_barrier(Decoder& decoder, Instruction& i) {
  if (!decoder.is_one_of({"bar", "barrier"}) || decoder.has("warp") || decoder.has("cluster")) {
    return false;
  }
  i.mode = static_cast<std::uint32_t>(Gathering::block);
  decoder.take("cta");
  decoder.take("aligned");
  if (decoder.take("red")) return decode_reduction(decoder, i);
  const bool arrives = decoder.take_one_of({"sync", "arrive"}) == 1;
  decoder.require_operands(arrives ? 2 : 1, 2);
  i.slots[barrier_slot] = decoder.source(0, Type::u32);
  if (decoder.operand_count() == 2) i.slots[count_slot] = decoder.source(1, Type::u32);
  return decoder.set(i, arrives ? arrive : wait);
}

}  // namespace array_interface::cuda_simulator::ptx
