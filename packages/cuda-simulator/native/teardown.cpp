#include "teardown.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "context.hpp"
#include "schedule.hpp"
#include "settings.hpp"

namespace array_interface::cuda_simulator {
namespace {

/// As long as a driver takes, so that who still calls it is seen.
constexpr std::chrono::milliseconds takes{20};

std::atomic<int> under_way{0};
std::atomic<bool> torn_down{false};

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
  (void)once;
}

bool is_torn_down(const char* symbol) {
  if (!torn_down) return false;
  std::fprintf(stderr, "cuda-simulator: teardown: %s was called after it\n", symbol);
  return true;
}

UnderWay::UnderWay() {
  if (settings().teardown) ++under_way;
}

UnderWay::~UnderWay() {
  if (settings().teardown) --under_way;
}

}  // namespace array_interface::cuda_simulator
