#include "threads/exit_gate.hpp"

#include <cstdlib>
#include <mutex>

namespace array_interface {

// exit() takes no more than a function.
void ExitGate::CloseAtExit(std::optional<Milliseconds> timeout, std::function<void()> last) {
  static auto& how = *new std::pair(timeout, std::move(last));
  std::atexit([] { Instance().Close(how.first, how.second); });
}

void ExitGate::Close(std::optional<Milliseconds> timeout, const std::function<void()>& last) {
  // A driver's compiler may call exit() for code that is cut short. This thread waits for itself
  // then, and its exit handlers abort: the end is the same, and the compiler has said why.
  if (inside_) std::_Exit(EXIT_FAILURE);
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!timeout) {
    lock.lock();
  } else if (!lock.try_lock_for(*timeout)) {
    closed_ = true;  // who is inside does not come back in time; nobody else goes in
    return;
  }
  const Inside inside;  // lets pass what `last` lets go of
  try {
    if (last) last();
  } catch (...) {
    // The process ends anyway.
  }
  closed_ = true;
}

}  // namespace array_interface
