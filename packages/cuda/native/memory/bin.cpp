#include "memory/bin.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace array_interface::cuda {

namespace {

using std::chrono::milliseconds;

// Looks become rare: they cost, and must not be what makes a lazy device work.
constexpr milliseconds kLongestPause{1000};
constexpr int kEagerLooks = 6;

constexpr std::size_t kSmallestStaging = 4096;

milliseconds PauseAfter(int looks) {
  return looks >= 10 ? kLongestPause : std::min(kLongestPause, milliseconds(1 << looks));
}

/// A size that many copies can share: a power of two, above 1 MiB a multiple of that.
std::size_t StagingSize(std::size_t size) {
  constexpr std::size_t kStep = std::size_t{1} << 20;
  if (size > kStep) return (size + kStep - 1) / kStep * kStep;
  std::size_t rounded = kSmallestStaging;
  while (rounded < size) rounded *= 2;
  return rounded;
}

/// Whether the event is reached; work that failed has ended, too.
bool IsReached(const Event& event, bool wait) {
  try {
    if (wait) event.Synchronize();
    return wait || event.Query();
  } catch (const DriverError&) {
    return true;
  }
}

/// Drops what is done; whether all was.
template <class List, class IsDone>
bool DropDone(List& list, const IsDone& is_done) {
  list.erase(std::remove_if(list.begin(), list.end(), is_done), list.end());
  return list.empty();
}

}  // namespace

Bin::~Bin() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Bin::Put(std::unique_ptr<Block> block, std::vector<std::shared_ptr<Event>> pending,
              std::vector<std::shared_ptr<Lease>> leases) {
  Entry entry;
  entry.block = std::move(block);
  entry.pending = std::move(pending);
  entry.leases = std::move(leases);
  Add(std::move(entry));
}

void Bin::PutUnknown(std::unique_ptr<Block> block, std::vector<std::shared_ptr<Lease>> leases) {
  Entry entry;
  entry.block = std::move(block);
  entry.leases = std::move(leases);
  entry.waits_for_context = true;
  Add(std::move(entry));
}

void Bin::Add(Entry entry) {
  {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
    Start();
  }
  changed_.notify_all();
}

// Without a thread the memory stays until one can be had: a leak, rather than an exception out of a
// finalizer.
void Bin::Start() {
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error&) {
  }
}

std::unique_ptr<Block> Bin::Staging(const std::shared_ptr<Context>& context, std::size_t size) {
  const std::size_t rounded = StagingSize(size);
  {
    const std::lock_guard lock(mutex_);
    const auto fits = [&](const std::unique_ptr<Block>& block) {
      return block->size() == rounded && block->context() == context;
    };
    const auto found = std::find_if(kept_.begin(), kept_.end(), fits);
    if (found != kept_.end()) {
      auto block = std::move(*found);
      kept_.erase(found);
      kept_bytes_ -= rounded;
      block->Count(true);
      return block;
    }
  }
  return std::make_unique<Block>(context, MemoryKind::kStaging, rounded);
}

void Bin::Look() {
  {
    const std::lock_guard lock(mutex_);
    if (entries_.empty()) return;
    for (auto& entry : entries_) {
      if (entry.looks < kEagerLooks) entry.next = {};
    }
  }
  changed_.notify_all();
}

bool Bin::Drain() {
  std::unique_lock lock(mutex_);
  if (entries_.empty() && kept_.empty() && !busy_) return false;
  draining_ = true;
  for (auto& entry : entries_) entry.next = {};  // their openers may have left since the last look
  changed_.notify_all();
  changed_.wait(lock, [this] { return IsQuiet(); });
  draining_ = false;
  ReleaseKept(lock);
  return true;
}

std::vector<Bin::Entry> Bin::Due() {
  const auto now = Clock::now();
  const auto is_later = [&](const Entry& entry) {
    const bool is_hurried = ending_ || (draining_ && !entry.pending.empty());
    return !is_hurried && entry.next > now;
  };
  const auto due = std::stable_partition(entries_.begin(), entries_.end(), is_later);
  std::vector<Entry> found(std::make_move_iterator(due), std::make_move_iterator(entries_.end()));
  entries_.erase(due, entries_.end());
  return found;
}

/// Waits for work when it is to, but never for another process.
bool Bin::IsDone(Entry& entry, bool wait) {
  const auto is_reached = [&](const auto& event) { return IsReached(*event, wait); };
  const auto has_ended = [](const auto& lease) { return lease->TryEnd(); };
  if (!DropDone(entry.pending, is_reached) || !DropDone(entry.leases, has_ended)) return false;
  if (entry.waits_for_context) entry.waits_for_context = !entry.block->WaitForContext();
  return !entry.waits_for_context;
}

/// Whether nothing is left but what, at a look since the drain began, other processes had open or
/// somebody's capture kept from being waited for: its end may be up to who drains.
bool Bin::IsQuiet() const {
  const auto is_left = [](const Entry& entry) {
    const bool was_looked_at = entry.next != Clock::time_point{};
    return was_looked_at && entry.pending.empty();
  };
  return !busy_ && std::all_of(entries_.begin(), entries_.end(), is_left);
}

void Bin::Finish(Entry entry) {
  auto& block = entry.block;
  if (block->kind() == MemoryKind::kStaging) {
    const std::lock_guard lock(mutex_);
    if (!draining_ && !ending_ && kept_bytes_ + block->size() <= kKept) {
      block->Count(false);
      kept_bytes_ += block->size();
      kept_.push_back(std::move(block));
      return;
    }
  }
  block->Release();
}

/// Another process has it open, and waits for its events: it stays until this process ends. Never
/// destroyed: the driver may be gone when static objects are.
void Bin::KeepForGood(Entry entry) {
  static auto& mutex = *new std::mutex;
  static auto& kept = *new std::vector<Entry>;
  const std::lock_guard lock(mutex);
  kept.push_back(std::move(entry));
}

void Bin::ReleaseKept(std::unique_lock<std::mutex>& lock) {
  auto kept = std::move(kept_);
  kept_.clear();
  kept_bytes_ = 0;
  lock.unlock();
  for (const auto& block : kept) block->Release();
  lock.lock();
}

void Bin::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    auto due = Due();
    if (due.empty()) {
      if (ending_) break;
      if (entries_.empty()) {
        changed_.wait(lock);
        continue;
      }
      const auto sooner = [](const Entry& a, const Entry& b) { return a.next < b.next; };
      const auto next = std::min_element(entries_.begin(), entries_.end(), sooner)->next;
      changed_.wait_until(lock, next);
      continue;
    }
    busy_ = true;
    const bool wait = draining_ || ending_;
    const bool is_last = ending_;
    lock.unlock();
    std::vector<Entry> again;
    for (auto& entry : due) {
      if (IsDone(entry, wait)) {
        Finish(std::move(entry));
      } else if (!is_last) {
        entry.next = Clock::now() + PauseAfter(entry.looks++);
        again.push_back(std::move(entry));
      } else {
        KeepForGood(std::move(entry));
      }
    }
    lock.lock();
    for (auto& entry : again) entries_.push_back(std::move(entry));
    busy_ = false;
    changed_.notify_all();
  }
  ReleaseKept(lock);
}

}  // namespace array_interface::cuda
