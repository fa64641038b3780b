#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "threads/background_thread.hpp"
#include "threads/job_thread.hpp"

namespace array_interface {

/// Builds kernels one after another on its own thread. There is one per process, never destroyed,
/// since its thread may outlive static objects.
///
/// `Policy::Run` calls a build on the builder's thread, or leaves it out while the process exits.
/// `Policy::kTimeout` is how long the end of an environment or of the process waits for a build:
/// std::nullopt if builds always end.
template <class Policy>
class KernelBuilder {
 public:
  static KernelBuilder& Instance() {
    static auto* const instance = new KernelBuilder();
    return *instance;
  }

  /// An environment (the main thread or a worker) begins. Each must call Leave. Nothing is built
  /// without an environment.
  void Enter() { ++environments_; }
  /// An environment ends. The last one drops builds that have not begun, and blocks until the
  /// current one has ended.
  void Leave() {
    if (--environments_ == 0) WaitForPosted();
  }
  /// Whether no environment is left.
  bool IsLeft() const { return environments_ == 0; }
  /// Stops building: drops builds that have not begun, and blocks until the current one has ended.
  /// Must be called before exit(): the exit handlers of the driver's compiler may run before the
  /// exit gate closes, and would shut down the compiler during a build.
  void End() {
    has_ended_ = true;
    WaitForPosted();
  }

  /// Runs `build` later on the builder's thread, or drops it. Ignores what it throws. Throws if
  /// there is no memory or thread for it.
  void Post(std::function<void()> build) {
    auto held = std::make_unique<std::function<void()>>(std::move(build));
    thread_.Post([this, build = held.get()] {
      BackgroundThread::Mark();
      Policy::Run([this, build] {
        // Destroyed here, since destroying its captures may call the driver.
        const std::unique_ptr<std::function<void()>> owned(build);
        if (!has_ended_ && !IsLeft()) RunQuietly(*owned);
      });
    });
    [[maybe_unused]] auto* const of_job = held.release();
  }

  /// Posts a build that is ahead of need. Drops it if there is no memory or thread for it.
  void Offer(std::function<void()> build) noexcept {
    try {
      Post(std::move(build));
    } catch (...) {
      // The code that needs the kernel requests it again, or builds it.
    }
  }

  /// Number of builds posted so far.
  std::uint64_t posted() { return thread_.posted(); }
  /// Whether the first `count` builds have ended or were dropped. Does not block.
  bool HasBuilt(std::uint64_t count) { return thread_.HasRun(count); }

 private:
  KernelBuilder() = default;

  static void RunQuietly(const std::function<void()>& build) noexcept {
    try {
      build();
    } catch (...) {
      // No caller is left, or the code that needs the kernel tries again and gets the error.
    }
  }

  void WaitForPosted() {
    if constexpr (Policy::kTimeout.has_value()) {
      constexpr std::chrono::milliseconds kPause{1};
      const std::uint64_t asked = posted();
      const auto deadline = std::chrono::steady_clock::now() + *Policy::kTimeout;
      while (!HasBuilt(asked) && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(kPause);
      }
    } else {
      thread_.Drain();
    }
  }

  std::atomic<bool> has_ended_{false};
  std::atomic<int> environments_{0};
  JobThread thread_;
};

}  // namespace array_interface
