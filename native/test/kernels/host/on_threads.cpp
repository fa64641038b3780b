#include "kernels/host/on_threads.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "test/kernels/sections.hpp"
#include "test/support/check.hpp"

using array_interface::on_threads;

namespace {

/// `count` threads run at once, even on a busy machine.
void check_together(std::size_t count) {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t here = 0;
  on_threads(count, [&](std::size_t) {
    std::unique_lock lock(mutex);
    ++here;
    changed.notify_all();
    CHECK(changed.wait_for(lock, std::chrono::seconds(10), [&] { return here == count; }));
  });
  CHECK(here == count);
}

void check_failure() {
  std::atomic<int> done{0};
  const auto fail = [&] {
    on_threads(5, [&](std::size_t index) {
      if (index == 3) throw std::invalid_argument("three");
      ++done;
    });
  };
  CHECK(refusal(fail) == "three");
  CHECK(done == 4);
}

}  // namespace

void check_on_threads() {
  for (const std::size_t count : {0, 1, 2, 3, 17}) {
    std::vector<std::atomic<int>> calls(count);
    on_threads(count, [&](std::size_t index) { ++calls[index]; });
    for (const auto& times : calls) CHECK(times == 1);
  }
  check_together(4);
  check_failure();
}
