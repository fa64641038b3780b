#include "background.hpp"

#include <chrono>
#include <utility>

#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

namespace {

/// The longest time for which the last environment waits for memory that is being freed.
constexpr std::chrono::seconds kTimeout{10};

void RunQuietly(const std::function<void()>& job) {
  try {
    job();
  } catch (...) {
    // No caller is left, or the code that needs the kernel tries again and gets the error.
  }
}

}  // namespace

Background& Background::Instance() {
  // Never destroyed, since its threads may outlive static objects.
  static auto* instance = new Background();
  return *instance;
}

void Background::Enter() {
  const std::lock_guard lock(environments_mutex_);
  ++environments_;
  allocator_.Enter();
}

void Background::Leave() {
  {
    const std::lock_guard lock(environments_mutex_);
    --environments_;
  }
  if (IsLeft()) builder_.Drain();  // waits for the running job; the rest is dropped
  allocator_.Leave(kTimeout);
}

bool Background::IsLeft() {
  const std::lock_guard lock(environments_mutex_);
  return environments_ == 0;
}

void Background::Prepare(std::function<void()> job) {
  auto* held = new std::function<void()>(std::move(job));
  try {
    builder_.Post([this, held] {
      ExitGate::Instance().Pass([this, held] {
        if (prepares_ && !IsLeft()) RunQuietly(*held);
        delete held;  // here, since destroying its captures may call the runtime
      });
    });
  } catch (...) {
    delete held;
  }
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): deleted by the job, if it ever runs
}

void Background::EndBuilding() {
  prepares_ = false;
  builder_.Drain();
}

}  // namespace array_interface::sycl
