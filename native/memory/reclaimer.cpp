#include "memory/reclaimer.hpp"

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

#include "threads/own_thread.hpp"

namespace array_interface {

namespace {

using std::chrono::milliseconds;

// Looks become rare: each costs something, and looks must not make a lazy device work.
constexpr milliseconds kLongestPause{1000};
constexpr int kEagerLooks = 6;
/// How long a thread that released memory waits for more.
constexpr std::chrono::seconds kLinger{10};
/// The pause while somebody waits for memory.
constexpr milliseconds kImpatientPause{1};

milliseconds PauseAfter(int looks) {
  return looks >= 10 ? kLongestPause : std::min(kLongestPause, milliseconds(1 << looks));
}

}  // namespace

// Without memory for a list, the block leaks: better than to end the process out of a finalizer.
void Reclaimer::Take(std::unique_ptr<Block> block) noexcept try {
  Ended ended;
  {
    const std::lock_guard order(block->order().mutex());
    ended.rest = block->order().End();
  }
  if (block->allocation_ != nullptr && block->allocation_->ReleaseInOrder(ended.rest)) {
    block->allocation_ = nullptr;
  }
  ended.block = std::move(block);
  const bool has_ended = ended.rest.IsEmpty() && HasEnded(ended);
  Lock lock(mutex_);
  if (has_ended) {
    ++in_hand_;
    Settle(lock, std::move(ended.block));
  } else {
    ended_.push_back(std::move(ended));
    StartLooking();
  }
  changed_.notify_all();
} catch (...) {
}

void Reclaimer::Watch(std::weak_ptr<Block> block) {
  const Lock lock(mutex_);
  watched_.push_back({std::move(block), {}});
  StartLooking();
  changed_.notify_all();
}

Reclaimer::Tried Reclaimer::Try(const void* place, int kind, std::size_t size,
                                Milliseconds patience,
                                const std::function<std::unique_ptr<Allocation>()>& allocate) {
  const auto deadline = Clock::now() + patience;
  for (bool is_first = true;; is_first = false) {
    Tried tried;
    {
      const Lock lock(mutex_);
      tried.allocation = FindKept(place, kind, size);
      tried.seen = returned_;
    }
    if (tried.allocation == nullptr) tried.allocation = allocate();
    if (tried.allocation != nullptr) return tried;
    Lock lock(mutex_);
    ReleaseAll(place);
    if (is_first) AskAgain(place);
    tried.on_their_way = BytesOnTheirWay(place);
    if (returned_ != tried.seen) continue;
    if (tried.on_their_way == 0 || Clock::now() >= deadline) return tried;
    ++impatient_;
    changed_.notify_all();
    changed_.wait_until(lock, deadline,
                        [&] { return returned_ != tried.seen || BytesOnTheirWay(place) == 0; });
    --impatient_;
  }
}

/// Asks again, since blocks that kept memory may have let go of it since the last look, which can
/// be long ago.
void Reclaimer::AskAgain(const void* place) {
  for (auto& one : ended_) {
    const Allocation* const allocation = one.block->allocation();
    if (one.comes || allocation == nullptr || allocation->place() != place) continue;
    one.comes = true;
    one.looks.next = {};
  }
}

bool Reclaimer::HasReturned(std::uint64_t seen) {
  const Lock lock(mutex_);
  return returned_ != seen;
}

std::uint64_t Reclaimer::returned() {
  const Lock lock(mutex_);
  return returned_;
}

std::shared_ptr<void> Reclaimer::Hasten() {
  const auto end = [](void* reclaimer) {
    auto* const self = static_cast<Reclaimer*>(reclaimer);
    const Lock lock(self->mutex_);
    --self->impatient_;
  };
  {
    const Lock lock(mutex_);
    ++impatient_;
    // The last attempt may have found no thread.
    if (!ended_.empty() || !watched_.empty()) StartLooking();
    for (auto& [place, releases] : releases_) {
      if (!releases.waiting.empty()) StartReleasing(place);
    }
  }
  changed_.notify_all();
  return {this, end};
}

std::size_t Reclaimer::OnTheirWay(const void* place) {
  const Lock lock(mutex_);
  return BytesOnTheirWay(place);
}

void Reclaimer::ReleaseKept(const void* place) {
  const Lock lock(mutex_);
  ReleaseAll(place);
}

std::size_t Reclaimer::kept() {
  const Lock lock(mutex_);
  return kept_.size();
}

std::size_t Reclaimer::ending() {
  const Lock lock(mutex_);
  return ended_.size() + in_hand_ + CountReleases();
}

std::size_t Reclaimer::releasing() {
  const Lock lock(mutex_);
  return CountReleases();
}

std::size_t Reclaimer::CountReleases() const {
  std::size_t count = 0;
  for (const auto& [place, releases] : releases_) {
    count += releases.waiting.size() + (releases.under_way > 0 ? 1 : 0);
  }
  return count;
}

void Reclaimer::Hurry() {
  const Lock lock(mutex_);
  if (ended_.empty() && watched_.empty()) return;
  for (auto& one : ended_) {
    if (one.looks.count < kEagerLooks) one.looks.next = {};
  }
  for (auto& one : watched_) {
    if (one.looks.count < kEagerLooks) one.looks.next = {};
  }
  changed_.notify_all();
}

void Reclaimer::Enter() {
  const Lock lock(mutex_);
  ++environments_;
}

void Reclaimer::Leave(Milliseconds patience) {
  Lock lock(mutex_);
  if (--environments_ > 0) return;
  ReleaseAll(nullptr);
  ++impatient_;
  changed_.notify_all();
  changed_.wait_for(lock, patience, [this] {
    ReleaseAll(nullptr);
    return IsIdle();
  });
  --impatient_;
}

// Without a thread the memory stays until there is one: a leak, rather than an exception out of a
// finalizer.
void Reclaimer::StartLooking() {
  if (looks_) return;
  try {
    std::thread([this] { Look(); }).detach();
    looks_ = true;
  } catch (const std::system_error&) {
  }
}

void Reclaimer::Look() {
  OwnThread::Mark();
  Lock lock(mutex_);
  while (true) {
    for (auto& ended : LookAtDue(lock, ended_, HasEnded)) Settle(lock, std::move(ended.block));
    in_hand_ -= LookAtDue(lock, watched_, HasRested).size();
    if (ended_.empty() && watched_.empty()) {
      changed_.wait(lock, [this] { return !ended_.empty() || !watched_.empty(); });
      continue;
    }
    auto next = Clock::now() + (impatient_ > 0 ? kImpatientPause : kLongestPause);
    for (const auto& one : ended_) next = std::min(next, one.looks.next);
    for (const auto& one : watched_) next = std::min(next, one.looks.next);
    changed_.wait_until(lock, next);
  }
}

/// Looks at what is due, without the lock. Keeps for later what is not done. Gives what is done,
/// which still counts as in hand.
template <class Thing, class IsDone>
std::vector<Thing> Reclaimer::LookAtDue(Lock& lock, std::vector<Thing>& things,
                                        const IsDone& is_done) {
  const auto now = Clock::now();
  const auto is_later = [&](const Thing& thing) {
    return impatient_ == 0 && thing.looks.next > now;
  };
  const auto first = std::stable_partition(things.begin(), things.end(), is_later);
  std::vector<Thing> due(std::make_move_iterator(first), std::make_move_iterator(things.end()));
  things.erase(first, things.end());
  if (due.empty()) return due;
  in_hand_ += due.size();
  lock.unlock();
  std::vector<Thing> done;
  std::vector<Thing> again;
  for (auto& thing : due) {
    if (is_done(thing)) {
      done.push_back(std::move(thing));
    } else {
      thing.looks.next = Clock::now() + PauseAfter(thing.looks.count++);
      again.push_back(std::move(thing));
    }
  }
  lock.lock();
  in_hand_ -= again.size();
  for (auto& thing : again) things.push_back(std::move(thing));
  changed_.notify_all();
  return done;
}

bool Reclaimer::HasEnded(Ended& ended) {
  const std::size_t unmarked = ended.rest.unmarked.size();
  const Progress progress = ended.rest.Ask();
  if (ended.rest.unmarked.size() < unmarked) ended.looks.count = 0;  // a new point is reached soon
  ended.comes = progress != Progress::kUnknown;
  if (progress != Progress::kReached) return false;
  Tenants* const tenants = ended.block->tenants();
  ended.comes = tenants == nullptr || tenants->HaveLeft();
  return ended.comes;
}

bool Reclaimer::HasRested(Watched& watched) {
  const auto block = watched.block.lock();
  if (block == nullptr) return true;
  // These outlive the lock, since their ends may come back here, or wait.
  std::vector<std::shared_ptr<void>> ended;
  std::shared_ptr<void> kept;
  const std::unique_lock order(block->order().mutex(), std::try_to_lock);
  if (!order.owns_lock()) return false;  // somebody works on it, and may wait for that
  const bool rests = block->Pending().empty();
  ended = block->order().TakeEnded();
  if (!rests) return false;
  kept = block->TakeKeptWhilePending();
  return true;
}

/// Decides where the memory of a block in hand goes once no work on it is pending. What the block
/// kept ends here.
void Reclaimer::Settle(Lock& lock, std::unique_ptr<Block> block) {
  auto allocation = std::move(block->allocation_);
  lock.unlock();
  block = nullptr;
  lock.lock();
  --in_hand_;
  ++returned_;
  changed_.notify_all();
  if (allocation == nullptr) return;
  const std::size_t limit = allocation->kept_at_most();
  if (allocation->size() > limit) return Release(lock, std::move(allocation));
  std::size_t bytes = allocation->size();
  const auto is_alike = [&](const std::unique_ptr<Allocation>& one) {
    return one->place() == allocation->place() && one->kind() == allocation->kind();
  };
  for (const auto& one : kept_) bytes += is_alike(one) ? one->size() : 0;
  while (bytes > limit) {
    const auto oldest = std::find_if(kept_.begin(), kept_.end(), is_alike);
    auto gone = std::move(*oldest);
    kept_.erase(oldest);
    bytes -= gone->size();
    Release(lock, std::move(gone));
  }
  kept_.push_back(std::move(allocation));
}

/// The allocation that was kept last, or null.
std::unique_ptr<Allocation> Reclaimer::FindKept(const void* place, int kind, std::size_t size) {
  const auto fits = [&](const std::unique_ptr<Allocation>& one) {
    return one->size() == size && one->kind() == kind && one->place() == place;
  };
  const auto found = std::find_if(kept_.rbegin(), kept_.rend(), fits);
  if (found != kept_.rend()) {
    auto taken = std::move(*found);
    kept_.erase(std::next(found).base());
    return taken;
  }
  const auto releases = releases_.find(place);
  if (releases == releases_.end()) return nullptr;
  auto& waiting = releases->second.waiting;
  const auto late = std::find_if(waiting.rbegin(), waiting.rend(), fits);
  if (late == waiting.rend() || (*late)->kept_at_most() == 0) return nullptr;
  auto taken = std::move(*late);
  waiting.erase(std::next(late).base());
  return taken;
}

void Reclaimer::Release(Lock&, std::unique_ptr<Allocation> allocation) {
  const void* const place = allocation->place();
  releases_[place].waiting.push_back(std::move(allocation));
  StartReleasing(place);
}

void Reclaimer::ReleaseAll(const void* place) {
  std::deque<std::unique_ptr<Allocation>> left;
  std::deque<std::unique_ptr<Allocation>> gone;
  for (auto& one : kept_) {
    (place == nullptr || one->place() == place ? gone : left).push_back(std::move(one));
  }
  kept_ = std::move(left);
  for (auto& one : gone) {
    const void* const of = one->place();
    releases_[of].waiting.push_back(std::move(one));
  }
  for (auto& [of, releases] : releases_) {
    if (!releases.waiting.empty()) StartReleasing(of);
  }
}

/// Starts one thread for each place that has something to release. It ends when there has been
/// nothing more for a while.
void Reclaimer::StartReleasing(const void* place) {
  Releases& releases = releases_[place];
  if (releases.has_thread) return changed_.notify_all();
  const auto run = [this, &releases] {
    OwnThread::Mark();
    Lock lock(mutex_);
    while (changed_.wait_for(lock, kLinger, [&] { return !releases.waiting.empty(); })) {
      auto next = std::move(releases.waiting.front());
      releases.waiting.pop_front();
      releases.under_way = std::max<std::size_t>(1, next->size());
      lock.unlock();
      next->Release();
      next = nullptr;
      lock.lock();
      releases.under_way = 0;
      ++returned_;
      changed_.notify_all();
    }
    releases.has_thread = false;
    changed_.notify_all();
  };
  try {
    std::thread(run).detach();
    releases.has_thread = true;
  } catch (const std::system_error&) {
    // It stays until there is a thread.
  }
}

std::size_t Reclaimer::BytesOnTheirWay(const void* place) const {
  std::size_t bytes = in_hand_ > 0 ? 1 : 0;  // nobody knows yet
  const auto is_here = [&](const Allocation* one) {
    return one != nullptr && (place == nullptr || one->place() == place);
  };
  for (const auto& one : ended_) {
    const Allocation* const allocation = one.block->allocation();
    if (one.comes && is_here(allocation)) bytes += allocation->size();
  }
  for (const auto& [of, releases] : releases_) {
    if (place != nullptr && of != place) continue;
    bytes += releases.under_way;
    for (const auto& one : releases.waiting) bytes += one->size();
  }
  return bytes;
}

bool Reclaimer::IsIdle() const {
  const auto comes = [](const Ended& one) { return one.comes; };
  return std::none_of(ended_.begin(), ended_.end(), comes) && BytesOnTheirWay(nullptr) == 0;
}

}  // namespace array_interface
