#include "background.hpp"

#include <chrono>
#include <cstdlib>
#include <utility>

namespace array_interface::sycl {

namespace {

/// How long the last environment waits for memory on its way back.
constexpr std::chrono::seconds kPatience{10};

void RunQuietly(const std::function<void()>& job) {
  try {
    job();
  } catch (...) {
    // Nobody is left to be told, or the code that needs the kernel tries again and is told.
  }
}

}  // namespace

thread_local bool Background::inside_ = false;

Background& Background::Instance() {
  // Never destroyed, since its threads may outlive static objects.
  static auto* instance = new Background();
  return *instance;
}

void Background::Enter() {
  const std::lock_guard lock(environments_mutex_);
  ++environments_;
  reclaimer_.Enter();
}

void Background::Leave() {
  {
    const std::lock_guard lock(environments_mutex_);
    --environments_;
  }
  if (IsLeft()) builder_.Drain();  // waits for the running job; the rest is dropped
  reclaimer_.Leave(kPatience);
}

bool Background::IsLeft() {
  const std::lock_guard lock(environments_mutex_);
  return environments_ == 0;
}

void Background::Prepare(std::function<void()> job) {
  auto* held = new std::function<void()>(std::move(job));
  try {
    builder_.Post([this, held] {
      Pass([this, held] {
        if (prepares_ && !IsLeft()) RunQuietly(*held);
        delete held;  // here, since the end of what it holds may call the runtime
      });
    });
  } catch (...) {
    delete held;
  }
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): deleted by the job, if it ever runs
}

void Background::EndPreparing() {
  prepares_ = false;
  builder_.Drain();
}

void Background::CloseAtExit(std::function<void()> last) {
  last_ = std::move(last);
  std::atexit(&Background::Close);
}

void Background::Close() {
  // Intel's compiler for CPUs calls exit() for a module that is cut short. This thread waits for
  // itself then, and its exit handlers abort: the end is the same, and the compiler has said why.
  if (inside_) std::_Exit(EXIT_FAILURE);
  Background& background = Instance();
  const std::unique_lock lock(background.gate_);
  const Inside inside;  // lets pass what `last` lets go of
  try {
    if (background.last_) background.last_();
  } catch (...) {
    // The process ends anyway.
  }
  background.closed_ = true;
}

}  // namespace array_interface::sycl
