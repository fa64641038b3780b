#include "kernels/host/on_threads.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace array_interface {
namespace {

/// Starts `count` threads, or as many as the system allows.
std::vector<std::thread> started(std::size_t count, const std::function<void()>& run) {
  std::vector<std::thread> threads;
  threads.reserve(count);
  try {
    while (threads.size() < count) threads.emplace_back(run);
  } catch (...) {  // the calling thread alone is enough
  }
  return threads;
}

}  // namespace

void on_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto run = [&] {
    for (std::size_t index = next++; index < count; index = next++) {
      try {
        work(index);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others = started(count < 2 ? 0 : count - 1, run);
  run();
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace array_interface
