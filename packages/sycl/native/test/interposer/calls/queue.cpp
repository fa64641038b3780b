// Queues, and the commands that are submitted to them.

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "calls.hpp"
#include "world/fault.hpp"
#include "world/functions.hpp"
#include "world/world.hpp"

namespace array_interface::sycl::interposer {

namespace {

/// What a command does, and what it uses.
struct Use {
  const char* what;
  std::vector<const void*> pointers = {};
  std::size_t bytes = 0;
  bool directly = false;  ///< its device dereferences the pointers
  bool is_barrier = false;
};

/// Submits a command to the runtime with `now`, or keeps what `later` returns until it may be
/// submitted. Returns a reference to its event, or null if the runtime refuses the command.
template <class Now, class Later>
void* Enqueue(void* reference, const Use& use, void** events, std::size_t count, Now now,
              Later later) {
  if (reference == nullptr || (events == nullptr && count > 0)) return nullptr;
  Visit visit;
  auto queue = visit->QueueOf(reference);
  std::vector<CommandPointer> awaited;
  std::vector<void*> awaited_events;
  for (std::size_t i = 0; i < count; ++i) {
    auto command = visit->CommandOf(events[i]);
    if (command != nullptr) {
      awaited.push_back(std::move(command));
    } else if (visit->references.IsGone(Kind::kEvent, events[i])) {
      visit->journal.Fault("an event that was deleted is awaited");
    } else {
      awaited_events.push_back(events[i]);
    }
  }
  auto& schedule = visit->schedule;
  const auto command = schedule.Prepare(queue, use.what, use.is_barrier, awaited, awaited_events);
  void* event = nullptr;
  Submission submission;
  if (schedule.GoesNow(*command)) {
    for (const auto& one : awaited) {
      if (one->event != nullptr) awaited_events.push_back(one->event);
    }
    event = now(awaited_events.data(), awaited_events.size());
    if (event == nullptr) return nullptr;
  } else {
    submission = later();
  }
  visit->journal.Note({use.what, queue->number, command->number, use.pointers, use.bytes});
  visit->Touch(command, *queue, use.pointers, use.directly);
  visit.Drop(queue->last);
  schedule.Add(command, use.is_barrier, event, std::move(submission));
  visit.Drop(std::move(queue));
  return visit->GiveEvent(command);
}

/// A reference that lives as long as the command that needs it, whatever its owner does.
std::shared_ptr<void> KeptQueue(void* queue) {
  return {real().Queue_Copy(queue), real().Queue_Delete};
}

/// For a command that may be submitted later, when its queue's reference may have been deleted.
template <class Function>
void* EnqueueOn(void* queue, const Use& use, void** events, std::size_t count, Function function) {
  return Enqueue(
      queue, use, events, count,
      [&](void** awaited, std::size_t number) { return function(queue, awaited, number); },
      [&] {
        return Submission([function, kept = KeptQueue(queue)](void** awaited, std::size_t number) {
          return function(kept.get(), awaited, number);
        });
      });
}

constexpr int kPointerArgument = 10;
constexpr int kStructArgument = 13;

/// What RawKernelArg_Create returns here: the real library's reference cannot be copied.
using StructBytes = std::vector<std::byte>;

/// The items of a kernel, and of its groups, if it has any.
struct Items {
  std::array<std::size_t, 3> range = {1, 1, 1};
  std::array<std::size_t, 3> group = {1, 1, 1};
  bool has_groups = false;
  std::size_t rank = 1;
};

void* SubmitItems(void* kernel, void* queue, void** arguments, const int* types, std::size_t count,
                  const Items& items, void** events, std::size_t event_count) {
  std::vector<void*> values(arguments, arguments + count);
  std::vector<std::shared_ptr<void>> structs;
  for (std::size_t i = 0; i < count; ++i) {
    if (types[i] != kStructArgument || values[i] == nullptr) continue;
    StructBytes& bytes = *static_cast<StructBytes*>(values[i]);
    structs.emplace_back(real().RawKernelArg_Create(bytes.data(), bytes.size()),
                         real().RawKernelArg_Delete);
    values[i] = structs.back().get();
  }
  arguments = values.data();
  if (!items.has_groups) {
    return real().Queue_SubmitRange(kernel, queue, arguments, types, count, items.range.data(),
                                    items.rank, events, event_count);
  }
  return real().Queue_SubmitNDRange(kernel, queue, arguments, types, count, items.range.data(),
                                    items.group.data(), items.rank, events, event_count);
}

/// A copy of the arguments of a kernel.
class Arguments {
 public:
  Arguments(void** values, const int* types, std::size_t count)
      : types_(types, types + count), values_(values, values + count), copies_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t size = SizeOf(types[i]);
      if (size > 0 && values[i] != nullptr) std::memcpy(copies_[i].data(), values[i], size);
      if (types[i] != kStructArgument || values[i] == nullptr) continue;
      structs_.push_back(std::make_shared<StructBytes>(*static_cast<StructBytes*>(values[i])));
      values_[i] = structs_.back().get();
    }
  }

  void* Submit(void* kernel, void* queue, const Items& items, void** events, std::size_t count) {
    std::vector<void*> values = values_;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (SizeOf(types_[i]) > 0 && values[i] != nullptr) values[i] = copies_[i].data();
    }
    return SubmitItems(kernel, queue, values.data(), types_.data(), values.size(), items, events,
                       count);
  }

 private:
  using Copy = std::array<std::uint64_t, 5>;

  // The integers and floats of the C library's types, then a description of local memory. Later
  // types are passed unchanged.
  static std::size_t SizeOf(int type) {
    static constexpr std::array<std::size_t, 12> kSizes = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 40};
    const auto index = static_cast<std::size_t>(type);
    return index < kSizes.size() ? kSizes[index] : 0;
  }

  std::vector<int> types_;
  std::vector<void*> values_;
  std::vector<Copy> copies_;
  std::vector<std::shared_ptr<StructBytes>> structs_;
};

}  // namespace

void* Calls::Queue_Create(void* context, void* device, void (*handler)(int), int properties) {
  if (handler == nullptr && !IsThisThreadSpared()) {
    Visit()->journal.Fault("a queue is made without a handler: an error of its work ends all");
  }
  void* queue = real().Queue_Create(context, device, handler, properties);
  if (queue == nullptr) return nullptr;
  Visit visit;
  visit->AddQueue(queue, visit->references.MarkOf(Kind::kDevice, device));
  return queue;
}

void* Calls::Queue_CreateForDevice(void* device, void (*handler)(int), int properties) {
  void* queue = more().Queue_CreateForDevice(device, handler, properties);
  if (queue == nullptr) return nullptr;
  Visit visit;
  visit->AddQueue(queue, visit->references.MarkOf(Kind::kDevice, device));
  return queue;
}

void* Calls::Queue_Copy(void* queue) {
  void* copy = real().Queue_Copy(queue);
  if (copy == nullptr) return nullptr;
  Visit visit;
  visit->AddCopy(copy, visit->QueueOf(queue));
  return copy;
}

void* Calls::Queue_GetContext(void* queue) {
  void* context = real().Queue_GetContext(queue);
  return Visit()->Give(Kind::kContext, context);
}

void* Calls::Queue_GetDevice(void* queue) {
  void* device = real().Queue_GetDevice(queue);
  if (device == nullptr) return nullptr;
  Visit visit;
  return visit->Give(Kind::kDevice, device, visit->QueueOf(queue)->device);
}

void Calls::Queue_Wait(void* queue) {
  if (queue == nullptr) return real().Queue_Wait(queue);
  std::shared_ptr<Queue> waited;
  {
    Visit visit;
    waited = visit->QueueOf(queue);
    visit->schedule.ForceAll(waited.get(), visit.lock());
  }
  real().Queue_Wait(waited->own);
  Visit visit;
  visit->journal.Note({"wait for queue", waited->number, 0, {}});
  visit.Drop(std::move(waited));
}

void Calls::Queue_Delete(void* queue) {
  {
    Visit visit;
    if (!visit->references.Remove(Kind::kQueue, queue)) return;
    visit.Drop(visit->RemoveQueue(queue));
  }
  real().Queue_Delete(queue);
}

void* Calls::Queue_SubmitBarrier(void* queue) {
  Use use{"barrier"};
  use.is_barrier = true;
  return EnqueueOn(queue, use, nullptr, 0,
                   [](void* on, void**, std::size_t) { return real().Queue_SubmitBarrier(on); });
}

void* Calls::Queue_SubmitBarrierForEvents(void* queue, void** events, std::size_t count) {
  Use use{"barrier for events"};
  use.is_barrier = true;
  return EnqueueOn(queue, use, events, count, real().Queue_SubmitBarrierForEvents);
}

void* Calls::Queue_Memcpy(void* queue, void* destination, const void* source, std::size_t size) {
  return Queue_MemcpyWithEvents(queue, destination, source, size, nullptr, 0);
}

void* Calls::Queue_MemcpyWithEvents(void* queue, void* destination, const void* source,
                                    std::size_t size, void** events, std::size_t count) {
  if (destination == nullptr || source == nullptr) return nullptr;
  const auto copy = [=](void* on, void** awaited, std::size_t number) {
    if (number == 0) return real().Queue_Memcpy(on, destination, source, size);
    return more().Queue_MemcpyWithEvents(on, destination, source, size, awaited, number);
  };
  return EnqueueOn(queue, {"copy", {destination, source}, size}, events, count, copy);
}

void* Calls::Queue_Memset(void* queue, void* pointer, std::uint8_t value, std::size_t size) {
  if (pointer == nullptr) return nullptr;
  const auto fill = [=](void* on, void**, std::size_t) {
    return more().Queue_Memset(on, pointer, value, size);
  };
  return EnqueueOn(queue, {"fill", {pointer}, size}, nullptr, 0, fill);
}

namespace {

void* SubmitKernel(void* kernel, void* queue, void** arguments, const int* types, std::size_t count,
                   const Items& items, void** events, std::size_t event_count) {
  Use use{"run"};
  use.directly = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (types[i] == kPointerArgument) use.pointers.push_back(arguments[i]);
  }
  const auto now = [&](void** awaited, std::size_t number) {
    return SubmitItems(kernel, queue, arguments, types, count, items, awaited, number);
  };
  const auto later = [&] {
    const std::shared_ptr<void> kept_kernel(more().Kernel_Copy(kernel), real().Kernel_Delete);
    return Submission([=, kept = KeptQueue(queue), copies = Arguments(arguments, types, count)](
                          void** awaited, std::size_t number) mutable {
      return copies.Submit(kept_kernel.get(), kept.get(), items, awaited, number);
    });
  };
  return Enqueue(queue, use, events, event_count, now, later);
}

}  // namespace

void* Calls::RawKernelArg_Create(void* bytes, std::size_t count) {
  const auto* const first = static_cast<const std::byte*>(bytes);
  return Visit()->Give(Kind::kStruct, new StructBytes(first, first + count));
}

void Calls::RawKernelArg_Delete(void* structure) {
  if (!Visit()->references.Remove(Kind::kStruct, structure)) return;
  delete static_cast<StructBytes*>(structure);
}

void* Calls::Queue_SubmitRange(void* kernel, void* queue, void** arguments, const int* types,
                               std::size_t count, const std::size_t* range, std::size_t rank,
                               void** events, std::size_t event_count) {
  if (kernel == nullptr || queue == nullptr || rank < 1 || rank > 3) return nullptr;
  Items items;
  items.rank = rank;
  std::copy_n(range, rank, items.range.begin());
  return SubmitKernel(kernel, queue, arguments, types, count, items, events, event_count);
}

void* Calls::Queue_SubmitNDRange(void* kernel, void* queue, void** arguments, const int* types,
                                 std::size_t count, const std::size_t* range,
                                 const std::size_t* group, std::size_t rank, void** events,
                                 std::size_t event_count) {
  if (kernel == nullptr || queue == nullptr || rank < 1 || rank > 3) return nullptr;
  Items items;
  items.rank = rank;
  items.has_groups = true;
  std::copy_n(range, rank, items.range.begin());
  std::copy_n(group, rank, items.group.begin());
  return SubmitKernel(kernel, queue, arguments, types, count, items, events, event_count);
}

}  // namespace array_interface::sycl::interposer
