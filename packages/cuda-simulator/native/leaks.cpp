#include "leaks.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "allocation.hpp"
#include "event.hpp"
#include "settings.hpp"
#include "stream.hpp"

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

/// What the program made and left: not the variables of modules, which come and go with those.
std::vector<AllocationPtr> left_of(const Context* context) {
  std::vector<AllocationPtr> left = allocations().of(context);
  const auto is_variable = [](const AllocationPtr& allocation) {
    return allocation->source == Allocation::Source::variable;
  };
  left.erase(std::remove_if(left.begin(), left.end(), is_variable), left.end());
  return left;
}

std::string count(std::size_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

void report() {
  const auto left = left_of(nullptr);
  for (const AllocationPtr& allocation : left) print(*allocation);
  std::fprintf(stderr, "cuda-simulator: leaks: %s, %s, %s\n",
               count(lost_allocations + left.size(), "allocation").c_str(),
               count(lost_streams + streams().size(), "stream").c_str(),
               count(lost_events + events().size(), "event").c_str());
}

}  // namespace

void report_leaks_at_exit() {
  static const int once = std::atexit(report);
  (void)once;
}

void note_lost_with(const Context& context) {
  if (!settings().leaks) return;
  for (const AllocationPtr& allocation : left_of(&context)) {
    print(*allocation);
    ++lost_allocations;
  }
  lost_streams += streams().count_if([&](const Stream& s) { return s.context == &context; });
  lost_events += events().count_if([&](const Event& e) { return e.context == &context; });
}

}  // namespace array_interface::cuda_simulator
