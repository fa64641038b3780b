#include "interpreter/releases.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "interpreter/entry.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

namespace {

/// What an idle process waits before it drops what was given up. A busy one drops it at its next
/// entry.
constexpr std::chrono::milliseconds kPatience{5};

/// Never destroyed: finalizers run at the very end.
struct Releases {
  std::mutex mutex;
  std::condition_variable given;
  std::vector<PyObject*> objects;
  std::atomic<bool> any{false};
  bool has_thread = false;
};

Releases& TheReleases() {
  static auto* releases = new Releases;
  return *releases;
}

/// Drops what no entry has dropped. It ends with the process, since nothing waits for it.
[[noreturn]] void DropForever() {
  Releases& releases = TheReleases();
  while (true) {
    {
      std::unique_lock lock(releases.mutex);
      releases.given.wait(lock, [&] { return !releases.objects.empty(); });
    }
    std::this_thread::sleep_for(kPatience);
    if (!releases.any) continue;
    const Attached attached;
    DropReleased();
  }
}

}  // namespace

void ReleaseLater(PyObject* object) {
  Releases& releases = TheReleases();
  const std::lock_guard lock(releases.mutex);
  releases.objects.push_back(object);
  releases.any = true;
  if (!releases.has_thread) {
    releases.has_thread = true;
    std::thread(DropForever).detach();
  }
  releases.given.notify_one();
}

void DropReleased() {
  Releases& releases = TheReleases();
  if (!releases.any) return;
  std::vector<PyObject*> objects;
  {
    const std::lock_guard lock(releases.mutex);
    objects.swap(releases.objects);
    releases.any = false;
  }
  // A destructor of Python's may give up more, so that no lock is held.
  for (PyObject* object : objects) Py().Py_DecRef(object);
}

Hold::~Hold() { ReleaseLater(object_); }

}  // namespace array_interface
