#pragma once

namespace array_interface::cuda_simulator {

/// Has the driver end when the process exits, as a real one does: its handles and memory go, every
/// later call is CUDA_ERROR_DEINITIALIZED. Calls of other threads at that moment, and later ones,
/// are reported on stderr: a real driver may crash there. May be called repeatedly.
void tear_down_at_exit();

/// Whether the driver has ended. Counts and reports the call that asks.
bool is_torn_down(const char* symbol);

/// Counts a call that is under way.
class UnderWay {
 public:
  UnderWay();
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
  ~UnderWay();
};

}  // namespace array_interface::cuda_simulator
