#include "background.hpp"

#include <cstdlib>
#include <utility>

namespace array_interface::sycl {

namespace {

void RunQuietly(const std::function<void()>& job) {
  try {
    job();
  } catch (...) {
    // nobody is left to be told, or whoever needs it will try again, and be
  }
}

}  // namespace

Background& Background::Instance() {
  // never destroyed: its thread may outlive static objects
  static auto* instance = new Background();
  return *instance;
}

void Background::Enter() {
  std::lock_guard lock(environments_mutex_);
  ++environments_;
}

void Background::Leave() {
  {
    std::lock_guard lock(environments_mutex_);
    if (--environments_ > 0) return;
  }
  builder_.Drain();  // the job that runs: the rest is dropped, unless another worker came
  reaper_.Drain();
}

bool Background::IsLeft() {
  std::lock_guard lock(environments_mutex_);
  return environments_ == 0;
}

void Background::Post(std::function<void()> job) {
  auto* held = new std::function<void()>(std::move(job));
  const auto run = [this, held] {
    Pass([held] {
      RunQuietly(*held);
      delete held;
    });
  };
  if (IsLeft()) {
    run();
  } else {
    reaper_.Post(run);
  }
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): deleted by the job, if it ever runs
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
  std::unique_lock lock(background.gate_);
  try {
    if (background.last_) background.last_();
  } catch (...) {
    // the process ends anyway
  }
  background.closed_ = true;
}

}  // namespace array_interface::sycl
