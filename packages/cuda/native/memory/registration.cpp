#include "memory/registration.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "driver/driver.hpp"
#include "memory/process_memory.hpp"
#include "threads/background_thread.hpp"

namespace array_interface::cuda {

namespace {

using Clock = std::chrono::steady_clock;

/// How long the end of the process waits; all its memory is freed then. A worker's memory may be
/// reused at once, so a worker's end waits as long as the device may still access it. If the driver
/// does not report progress, it waits for this long.
constexpr std::chrono::milliseconds kTimeout{1000};
constexpr std::chrono::milliseconds kPause{1};

bool IsProcessEnd() { return syscall(SYS_gettid) == getpid(); }

template <class IsDone>
bool WaitUntil(Clock::time_point deadline, const IsDone& is_done) {
  while (!is_done()) {
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

/// Returns true once the work on the memory has ended, or the timeout has passed for work whose
/// progress is unknown.
bool WaitForRest(PendingWork& rest, Clock::time_point deadline) {
  const auto until = std::min(deadline, Clock::now() + kTimeout);
  return WaitUntil(deadline, [&] {
    const Progress progress = rest.Poll();
    return progress == Progress::kComplete ||
           (progress == Progress::kUnknown && Clock::now() >= until);
  });
}

/// Releases on a separate thread, since the driver may wait for all work of the device. Returns a
/// flag that is set once the release has ended; the flag lives as long as the result.
std::shared_ptr<std::atomic<bool>> ReleaseAside(std::shared_ptr<Block> block) {
  auto is_over = std::make_shared<std::atomic<bool>>(false);
  try {
    std::thread([block = std::move(block), is_over]() mutable {
      BackgroundThread::Mark();
      block->allocation()->Release();
      block = nullptr;
      *is_over = true;
    }).detach();
  } catch (const std::system_error&) {
    *is_over = true;  // the memory stays registered
  }
  return is_over;
}

}  // namespace

RegisteredAllocation::RegisteredAllocation(std::shared_ptr<Context> context, std::byte* host,
                                           std::size_t size, std::shared_ptr<void> kept)
    : CudaAllocation(std::move(context), MemoryKind::kRegistered, size), kept_(std::move(kept)) {
  const ContextScope scope(*this->context());
  Cuda().cuMemHostRegister(host, size, kRegisterPortable | kRegisterDeviceMap);
  DevicePointer pointer = 0;
  try {
    Cuda().cuMemHostGetDevicePointer(&pointer, host, 0);
  } catch (const DriverError&) {
    Cuda().cuMemHostUnregister.Try(host);
    throw;
  }
  Begin(pointer, host);
}

RegisteredAllocation::~RegisteredAllocation() {
  Release();
  // If the driver did not unregister the memory, the device may still access it.
  if (kept_ != nullptr && !context()->is_gone()) KeepForGood(std::move(kept_));
}

void RegisteredAllocation::GiveBack() {
  if (Cuda().cuMemHostUnregister.Try(host()) == kSuccess) kept_ = nullptr;
}

void Registrations::Add(const std::shared_ptr<Block>& block, std::weak_ptr<void> kept) {
  const auto is_gone = [](const Registered& one) { return one.kept.expired(); };
  registered_.erase(std::remove_if(registered_.begin(), registered_.end(), is_gone),
                    registered_.end());
  registered_.push_back({block, std::move(kept)});
  end_.Renew();
}

void Registrations::End() {
  const auto deadline = IsProcessEnd() ? Clock::now() + kTimeout : Clock::time_point::max();
  ProcessAllocator().PollSoon();
  for (const auto& [weak, kept] : registered_) {
    auto block = weak.lock();
    if (block != nullptr) {
      block->GiveUp();
      PendingWork rest;
      {
        const std::lock_guard lock(block->tracker().mutex());
        rest = block->tracker().End();
      }
      if (!WaitForRest(rest, deadline)) continue;
      const auto is_over = ReleaseAside(std::move(block));
      // If the driver does not unregister the bytes, they are never freed.
      WaitUntil(deadline, [&, &kept = kept] { return *is_over || kept.expired(); });
      continue;
    }
    WaitUntil(deadline, [&kept = kept] { return kept.expired(); });
  }
}

}  // namespace array_interface::cuda
