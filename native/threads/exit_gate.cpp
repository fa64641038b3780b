#include "threads/exit_gate.hpp"

#include <cstdlib>
#include <mutex>

namespace array_interface {

// A function without captures, since atexit() takes only a function pointer. `how` is never
// destroyed.
void ExitGate::CloseAtExit(std::optional<Milliseconds> timeout, std::function<void()> last) {
  static auto& how = *new std::pair(timeout, std::move(last));
  std::atexit([] { Instance().Close(how.first, how.second); });
}

void ExitGate::Close(std::optional<Milliseconds> timeout, const std::function<void()>& last) {
  // A driver's compiler may call exit() for truncated code. This thread would then wait for itself,
  // and its exit handlers would abort. Exiting here has the same result, and the compiler has
  // already printed the reason.
  if (inside_) std::_Exit(EXIT_FAILURE);
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!timeout) {
    lock.lock();
  } else if (!lock.try_lock_for(*timeout)) {
    closed_ = true;  // a call inside did not return in time; no other may enter
    return;
  }
  const Inside inside;  // lets objects pass that `last` drops
  try {
    if (last) last();
  } catch (...) {
    // The process ends anyway.
  }
  closed_ = true;
}

}  // namespace array_interface
