#include "teardown.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "code/module.hpp"
#include "leaks.hpp"
#include "memory/ipc_memory.hpp"
#include "state/context.hpp"
#include "state/event.hpp"
#include "state/schedule.hpp"

namespace array_interface::cuda_simulator {
namespace {

/// As long as a real driver takes, so that late callers are detected.
constexpr std::chrono::milliseconds takes{20};

/// Must not be called while anything runs in the context.
void free_all_of(Context& context) {
  forget_opened(context);
  for (const AllocationPtr& allocation : allocations().of(&context)) {
    allocations().remove(allocation->start(), {allocation->kind});
  }
  streams().remove_if([&](const Stream& stream) { return stream.context == &context; });
  events().remove_if([&](const Event& event) { return event.context == &context; });
  modules().remove_if([&](const Module& module) { return module.context == &context; });
  functions().remove_if([&](const Function& function) { return function.context == &context; });
  schedule().forget(context);
  context.peers.clear();
  {
    std::lock_guard lock(context.limits_mutex);
    context.heap = nullptr;
  }
  context.active = false;
}

void tear_down() {
  torn_down = true;
  const int calls = under_way;
  if (calls > 0) {
    std::fprintf(stderr, "cuda-simulator: teardown: %d calls of other threads are under way\n",
                 calls);
  }
  for (Context* context : active_contexts()) context->fail({CUDA_ERROR_DEINITIALIZED});
  // If work does not stop in time, its memory stays: freeing it would crash that work, and the
  // program is not at fault.
  if (schedule().halt()) {
    for (Context* context : active_contexts()) free_all_of(*context);
  }
  std::this_thread::sleep_for(takes);
}

}  // namespace

void destroy_context(Context& context) {
  schedule().wait_all(context);
  note_lost_with(context);
  free_all_of(context);
}

void tear_down_at_exit() {
  static const int once = std::atexit(tear_down);
  ends_at_exit = true;
  (void)once;
}

void report_late_call(const char* symbol) {
  std::fprintf(stderr, "cuda-simulator: teardown: %s was called after it\n", symbol);
}

}  // namespace array_interface::cuda_simulator
