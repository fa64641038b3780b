#pragma once

#include <atomic>

namespace array_interface::cuda_simulator {

struct Context;

/// Ends the driver when the process exits, as a real one does: frees its handles and memory, and
/// makes every later call return CUDA_ERROR_DEINITIALIZED. Reports on stderr the calls of other
/// threads at that moment, and later ones: a real driver may crash there. May be called repeatedly.
void tear_down_at_exit();

/// Ends a context. Waits for its work, unless the context failed, then frees everything created in
/// it.
void destroy_context(Context& context);

/// Calls in progress. They are counted once the driver is registered to end at exit.
inline std::atomic<int> under_way{0};
inline std::atomic<bool> ends_at_exit{false};
inline std::atomic<bool> torn_down{false};

/// Reports on stderr that a call came after the driver's end.
void report_late_call(const char* symbol);

/// Whether the driver has ended. If so, reports the call `symbol`.
inline bool is_torn_down(const char* symbol) {
  if (!torn_down) return false;
  report_late_call(symbol);
  return true;
}

/// Counts a call in progress.
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
