#include "notice.hpp"

#include <cstdio>
#include <deque>
#include <map>
#include <mutex>

#include "immortal.hpp"

namespace array_interface::cuda_simulator {
namespace {

using Listener = std::function<void(const std::string&)>;

constexpr std::size_t most_kept = 100;

struct Notices {
  std::mutex mutex;
  std::deque<std::string> kept;
  unsigned count = 0;
  std::map<unsigned, Listener> listeners;
  unsigned last_listener = 0;
};

Notices& notices() { return immortal<Notices>(); }

/// Keeps a notice. Returns the listeners.
std::map<unsigned, Listener> keep(const std::string& text) {
  Notices& all = notices();
  const std::lock_guard lock(all.mutex);
  all.kept.push_back(text);
  ++all.count;
  if (all.kept.size() > most_kept) all.kept.pop_front();
  return all.listeners;
}

}  // namespace

void notice(const std::string& text) noexcept {
  std::fprintf(stderr, "cuda-simulator: %s\n", text.c_str());
  try {
    for (const auto& [number, listener] : keep(text)) listener(text);
  } catch (...) {  // without memory it is dropped
  }
}

unsigned notice_count() {
  const std::lock_guard lock(notices().mutex);
  return notices().count;
}

std::vector<std::string> notices_from(unsigned& next) {
  Notices& all = notices();
  const std::lock_guard lock(all.mutex);
  const auto oldest = all.count - static_cast<unsigned>(all.kept.size());
  std::vector<std::string> found;
  for (unsigned number = next < oldest ? oldest : next; number < all.count; ++number) {
    found.push_back(all.kept[number - oldest]);
  }
  next = all.count;
  return found;
}

unsigned listen_to_notices(Listener listener) {
  const std::lock_guard lock(notices().mutex);
  notices().listeners[++notices().last_listener] = std::move(listener);
  return notices().last_listener;
}

bool stop_listening(unsigned listener) {
  const std::lock_guard lock(notices().mutex);
  return notices().listeners.erase(listener) != 0;
}

}  // namespace array_interface::cuda_simulator
