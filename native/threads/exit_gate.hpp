#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <new>
#include <optional>
#include <shared_mutex>
#include <utility>

namespace array_interface {

/// Keeps background threads out of a driver once the process is exiting: exit() runs exit handlers,
/// the driver's among them, while other threads still run. There is one for an addon, which is
/// never destroyed.
class ExitGate {
 public:
  using Milliseconds = std::chrono::milliseconds;

  static ExitGate& Instance() {
    static auto* const instance = new ExitGate();
    return *instance;
  }

  /// Runs a call into the driver on a background thread, and delays the end of the process until it
  /// returns. Returns false, without the call, if the process is exiting. Calls may nest.
  template <class Call>
  bool Pass(Call&& call) {
    if (inside_) {
      call();
      return true;
    }
    const std::shared_lock lock(mutex_);
    if (closed_) return false;
    const Inside inside;
    call();
    return true;
  }

  /// Whether the process is exiting.
  bool is_closed() const { return closed_; }

  /// Destroys an object whose destructor calls the driver, on any thread. Leaks it if the process
  /// is exiting.
  template <class Thing>
  void Drop(Thing thing) noexcept {
    auto* const held = new (std::nothrow) Thing(std::move(thing));
    Pass([held] { delete held; });
    // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): deleted unless the process ends
  }

  /// Closes the gate when the process exits, after the calls in progress have returned. Waits for
  /// them for at most `timeout`, if it is given. Runs `last`, if any, just before. Call it once,
  /// after the driver was loaded, so that this handler runs before the driver's own exit handlers.
  void CloseAtExit(std::optional<Milliseconds> timeout, std::function<void()> last = nullptr);
  /// Closes the gate now, in the same way.
  void Close(std::optional<Milliseconds> timeout, const std::function<void()>& last = nullptr);

 private:
  struct Inside {
    Inside() { inside_ = true; }
    ~Inside() { inside_ = false; }
  };

  static inline thread_local bool inside_ = false;
  std::shared_timed_mutex mutex_;
  std::atomic<bool> closed_{false};
};

}  // namespace array_interface
