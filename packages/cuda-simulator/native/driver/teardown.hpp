#pragma once

#include <atomic>

namespace array_interface::cuda_simulator {

struct Context;

/// Has the driver end when the process exits, as a real one does: its handles and memory go, every
/// later call is CUDA_ERROR_DEINITIALIZED. Calls of other threads at that moment, and later ones,
/// are reported on stderr: a real driver may crash there. May be called repeatedly.
void tear_down_at_exit();

/// Ends a context: waits for its work, unless it failed, then frees all that was made in it.
void destroy_context(Context& context);

/// Calls under way, which are counted once the driver is to end at exit.
inline std::atomic<int> under_way{0};
inline std::atomic<bool> ends_at_exit{false};
inline std::atomic<bool> torn_down{false};

/// Says on stderr that a call came after the driver's end.
void report_late_call(const char* symbol);

/// Whether the driver has ended. Reports the call that asks.
inline bool is_torn_down(const char* symbol) {
  if (!torn_down) return false;
  report_late_call(symbol);
  return true;
}

/// Counts a call that is under way.
class UnderWay {
 public:
  UnderWay() : is_counted_(ends_at_exit) {
    if (is_counted_) ++under_way;
  }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
  ~UnderWay() {
    if (is_counted_) --under_way;
  }

 private:
  bool is_counted_;
};

}  // namespace array_interface::cuda_simulator
