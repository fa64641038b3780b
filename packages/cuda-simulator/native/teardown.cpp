#include "teardown.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "context.hpp"
#include "schedule.hpp"

namespace array_interface::cuda_simulator {
namespace {

/// As long as a driver takes, so that who still calls it is seen.
constexpr std::chrono::milliseconds takes{20};

void tear_down() {
  torn_down = true;
  const int calls = under_way;
  if (calls > 0) {
    std::fprintf(stderr, "cuda-simulator: teardown: %d calls of other threads are under way\n",
                 calls);
  }
  fail_contexts(CUDA_ERROR_DEINITIALIZED);
  // Where work does not stop in time, its memory stays: it would crash, and not the program.
  if (schedule().halt()) free_contexts();
  std::this_thread::sleep_for(takes);
}

}  // namespace

void tear_down_at_exit() {
  static const int once = std::atexit(tear_down);
  ends_at_exit = true;
  (void)once;
}

void report_late_call(const char* symbol) {
  std::fprintf(stderr, "cuda-simulator: teardown: %s was called after it\n", symbol);
}

}  // namespace array_interface::cuda_simulator
