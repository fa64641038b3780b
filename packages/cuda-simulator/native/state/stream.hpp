#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "base/handle_table.hpp"
#include "task.hpp"

namespace array_interface::cuda_simulator {

/// Returns a number that no other stream of the process ever has, since handles are reused.
std::uint64_t new_stream_id();

/// A queue of work. Everything but the constants and the atomics is guarded by the Schedule's lock.
struct Stream {
  explicit Stream(Context& its_context, unsigned its_flags = 0, int its_priority = 0,
                  bool is_legacy = false)
      : context(&its_context), flags(its_flags), priority(its_priority), legacy(is_legacy) {}

  const std::uint64_t id = new_stream_id();
  Context* const context;
  const unsigned flags;
  const int priority;
  const bool legacy;          ///< the default stream that joins the blocking ones
  std::atomic<int> looks{0};  ///< queries since it was last found idle

  std::mutex attributes_mutex;
  std::map<int, std::array<char, 64>> attributes;  ///< kept, and without effect

  TaskPtr tail;                        ///< last task ever enqueued, or null
  bool retired = false;                ///< destroyed by the program; freed when its work is done
  std::deque<TaskPtr> queue;           ///< what its worker has not begun
  std::condition_variable arrived;     ///< for its worker: a task arrived, or it was retired
  std::atomic<bool> is_awaited{true};  ///< for its worker, without the lock: nothing arrived

  bool blocking() const { return (flags & CU_STREAM_NON_BLOCKING) == 0; }
};

/// Streams the program created; not the default ones.
inline HandleTable<Stream, CUstream>& streams() {
  return immortal<HandleTable<Stream, CUstream>, 0x57, CUDA_ERROR_INVALID_HANDLE,
                  Handles::reused>();
}

/// Returns the stream of a handle, for the calling thread. 0 is the legacy default stream, or the
/// thread's own inside a per-thread entry point. Throws Failure INVALID_HANDLE.
std::shared_ptr<Stream> find_stream(CUstream handle, Context& current);

/// While alive, stream 0 means the calling thread's own default stream.
class PerThreadDefault {
 public:
  PerThreadDefault();
  ~PerThreadDefault();
  PerThreadDefault(const PerThreadDefault&) = delete;
  PerThreadDefault& operator=(const PerThreadDefault&) = delete;

 private:
  bool before_;
};

}  // namespace array_interface::cuda_simulator
