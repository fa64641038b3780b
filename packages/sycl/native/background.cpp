#include "background.hpp"

#include <chrono>
#include <cstdlib>
#include <utility>

namespace array_interface::sycl {

namespace {

/// What the last environment waits at most for memory on its way back.
constexpr std::chrono::seconds kPatience{10};

void RunQuietly(const std::function<void()>& job) {
  try {
    job();
  } catch (...) {
    // nobody is left to be told, or whoever needs it will try again, and be
  }
}

}  // namespace

thread_local bool Background::inside_ = false;

Background& Background::Instance() {
  // never destroyed: its threads may outlive static objects
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
  if (IsLeft()) builder_.Drain();  // the job that runs: the rest is dropped, unless another came
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
        delete held;  // here, for what it holds may end in the runtime
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
  Background& background = Instance();
  const std::unique_lock lock(background.gate_);
  const Inside inside;  // what `last` lets go of may pass
  try {
    if (background.last_) background.last_();
  } catch (...) {
    // the process ends anyway
  }
  background.closed_ = true;
}

}  // namespace array_interface::sycl
