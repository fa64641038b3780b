#include "interpreter/releases.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <iterator>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "interpreter/entry.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

namespace {

/// How long an idle process waits before it drops released references. A busy one drops them at its
/// next entry.
constexpr std::chrono::milliseconds kTimeout{5};

/// How long exit() waits for destructors of Python that have begun. Python itself would wait for
/// ever.
constexpr std::chrono::seconds kPatience{5};

/// Never destroyed, since finalizers run at the very end.
struct Releases {
  std::mutex mutex;
  std::condition_variable given;
  std::condition_variable settled;  ///< told when a thread has dropped what it took
  int dropping = 0;                 ///< calls of DropReleased that have begun
  bool has_ended = false;           ///< no call begins any more
  std::vector<PyObject*> objects;
  std::atomic<bool> any{false};
  bool dropped = false;  ///< since the functions in `after` were called
  std::vector<std::function<bool()>> after;
  bool has_after = false;  ///< once true, always true
  bool has_thread = false;
};

Releases& TheReleases() {
  static auto* releases = new Releases;
  return *releases;
}

/// How many of the calls that have begun are this thread's: a destructor may call exit().
thread_local int dropping_here = 0;

/// Must be called on the one thread that calls these, without the lock: the functions may release
/// references.
void CallAfter() {
  Releases& releases = TheReleases();
  std::vector<std::function<bool()>> after;
  {
    const std::lock_guard lock(releases.mutex);
    if (!releases.dropped) return;
    releases.dropped = false;
    after.swap(releases.after);
  }
  const auto is_over = [](const std::function<bool()>& then) { return !then(); };
  after.erase(std::remove_if(after.begin(), after.end(), is_over), after.end());
  const std::lock_guard lock(releases.mutex);
  std::move(after.begin(), after.end(), std::back_inserter(releases.after));
}

/// Drops what no entry has dropped. Never returns: it ends with the process, since nothing waits
/// for it.
[[noreturn]] void DropForever() {
  Releases& releases = TheReleases();
  while (true) {
    {
      std::unique_lock lock(releases.mutex);
      releases.given.wait(lock, [&] { return !releases.objects.empty() || releases.dropped; });
    }
    std::this_thread::sleep_for(kTimeout);
    if (releases.any) {
      const Attached attached;
      DropReleased();
    }
    CallAfter();
  }
}

/// If no thread can be started, the next entry drops the references, and the next release tries
/// again.
bool StartThread() {
  try {
    std::thread(DropForever).detach();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

void ReleaseLater(PyObject* object) {
  Releases& releases = TheReleases();
  const std::lock_guard lock(releases.mutex);
  releases.objects.push_back(object);
  releases.any = true;
  if (!releases.has_thread) releases.has_thread = StartThread();
  releases.given.notify_one();
}

void DropReleased() {
  Releases& releases = TheReleases();
  if (!releases.any) return;
  std::vector<PyObject*> objects;
  {
    const std::lock_guard lock(releases.mutex);
    if (releases.has_ended) return;
    objects.swap(releases.objects);
    releases.any = false;
    ++releases.dropping;
  }
  ++dropping_here;
  // A Python destructor may release more, so no lock is held.
  for (PyObject* object : objects) Py().Py_DecRef(object);
  --dropping_here;
  const std::lock_guard lock(releases.mutex);
  --releases.dropping;
  releases.settled.notify_all();
  if (!releases.has_after) return;
  releases.dropped = true;
  releases.given.notify_one();
}

void EndReleases() {
  Releases& releases = TheReleases();
  std::unique_lock lock(releases.mutex);
  releases.has_ended = true;
  releases.settled.wait_for(lock, kPatience, [&] { return releases.dropping == dropping_here; });
}

void AfterDrops(std::function<bool()> then) {
  Releases& releases = TheReleases();
  const std::lock_guard lock(releases.mutex);
  releases.after.push_back(std::move(then));
  releases.has_after = true;
}

Hold::~Hold() { ReleaseLater(object_); }

}  // namespace array_interface
