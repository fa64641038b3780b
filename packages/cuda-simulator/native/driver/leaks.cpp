#include "leaks.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/driver_api.hpp"
#include "base/settings.hpp"
#include "code/module.hpp"
#include "memory/allocation_table.hpp"
#include "memory/pool.hpp"
#include "state/event.hpp"
#include "state/stream.hpp"

namespace array_interface::cuda_simulator {
namespace {

std::atomic<std::size_t> lost_streams{0};
std::atomic<std::size_t> lost_events{0};
std::atomic<std::size_t> lost_allocations{0};

const char* name_of(Allocation::Kind kind) {
  switch (kind) {
    case Allocation::Kind::device:
      return "device memory";
    case Allocation::Kind::managed:
      return "managed memory";
    case Allocation::Kind::pinned:
      return "pinned memory";
    default:
      return "registered memory";
  }
}

void print(const Allocation& allocation) {
  std::fprintf(stderr, "cuda-simulator: left: %zu bytes of %s at 0x%zx, device %d\n",
               allocation.size, name_of(allocation.kind),
               static_cast<std::size_t>(allocation.start()), allocation.device);
}

/// Returns the memory that the program allocated and has not freed, of one context or, for null, of
/// all. Omits the variables of modules, which live and end with their modules.
std::vector<AllocationPtr> live_memory(const Context* context) {
  std::vector<AllocationPtr> live = allocations().of(context);
  const auto is_no_longer = [](const AllocationPtr& allocation) {
    return allocation->source == Allocation::Source::variable ||
           allocation->source == Allocation::Source::heap || allocation->given_up;
  };
  live.erase(std::remove_if(live.begin(), live.end(), is_no_longer), live.end());
  return live;
}

std::size_t live_pools() {
  return pools().count_if([](const Pool& pool) { return !pool.is_default; });
}

/// The count that simcuda_live and the report return.
struct Kind {
  const char* name;
  std::size_t (*count)();
};

constexpr Kind kinds[] = {
    {"allocations", [] { return live_memory(nullptr).size(); }},
    {"streams", [] { return streams().size(); }},
    {"events", [] { return events().size(); }},
    {"modules", [] { return modules().size(); }},
    {"pools", live_pools},
};

std::string count(std::size_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

void report() {
  for (const AllocationPtr& allocation : live_memory(nullptr)) print(*allocation);
  std::fprintf(stderr, "cuda-simulator: leaks: %s, %s, %s\n",
               count(lost_allocations + simcuda_live("allocations"), "allocation").c_str(),
               count(lost_streams + simcuda_live("streams"), "stream").c_str(),
               count(lost_events + simcuda_live("events"), "event").c_str());
}

}  // namespace

void report_leaks_at_exit() {
  static const int once = std::atexit(report);
  (void)once;
}

void note_lost_with(const Context& context) {
  if (!settings().leaks) return;
  for (const AllocationPtr& allocation : live_memory(&context)) {
    print(*allocation);
    ++lost_allocations;
  }
  lost_streams += streams().count_if([&](const Stream& s) { return s.context == &context; });
  lost_events += events().count_if([&](const Event& e) { return e.context == &context; });
}

}  // namespace array_interface::cuda_simulator

using namespace array_interface::cuda_simulator;

unsigned long simcuda_live(const char* kind) {
  for (const Kind& known : kinds) {
    if (kind != nullptr && std::strcmp(known.name, kind) == 0) return known.count();
  }
  return ULONG_MAX;
}
