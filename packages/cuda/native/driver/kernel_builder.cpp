#include "driver/kernel_builder.hpp"

#include <thread>
#include <utility>

#include "threads/background_thread.hpp"

namespace array_interface::cuda {

KernelBuilder& KernelBuilder::Instance() {
  static auto* const instance = new KernelBuilder();
  return *instance;
}

void KernelBuilder::Enter() { ++environments_; }

void KernelBuilder::Leave() {
  if (--environments_ == 0) WaitForPosted();
}

void KernelBuilder::End() {
  has_ended_ = true;
  WaitForPosted();
}

void KernelBuilder::Post(std::function<void()> build) {
  thread_.Post([this, build = std::move(build)] {
    BackgroundThread::Mark();
    if (!IsWanted()) return;
    try {
      build();
    } catch (...) {
      // A copy that needs the kernel requests it again, or compiles it and gets the error.
    }
  });
}

void KernelBuilder::WaitForPosted() {
  constexpr Milliseconds kPause{1};
  const std::uint64_t asked = posted();
  const auto deadline = std::chrono::steady_clock::now() + kTimeout;
  while (!HasBuilt(asked) && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace array_interface::cuda
