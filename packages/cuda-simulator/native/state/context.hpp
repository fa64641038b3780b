#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "base/cuda_abi.hpp"
#include "base/failure.hpp"

namespace array_interface::cuda_simulator {

struct Allocation;
class DeviceHeap;
struct Stream;

/// A context. The object lives as long as the process. A primary one, one per device, becomes
/// active and inactive. One that the program created is never used again.
struct Context {
  Context(CUdevice ordinal, bool is_primary);

  /// Starts a new life of the context.
  void activate();

  const CUdevice device;
  const bool primary;
  std::atomic<bool> active{false};
  std::atomic<unsigned> flags{0};
  std::atomic<std::uint64_t> id{0};  ///< new each time it becomes active

  std::atomic<int> cache_config{0};
  std::atomic<int> shared_config{0};

  // Guarded by the Schedule's lock.
  std::shared_ptr<Stream> legacy;                               ///< stream 0 and 1
  std::map<std::uint64_t, std::shared_ptr<Stream>> per_thread;  ///< stream 2, by thread
  std::vector<std::shared_ptr<Stream>> streams;                 ///< all but `legacy`

  // Guarded by `mutex`, which work never locks: it is held while the context ends.
  std::mutex mutex;
  unsigned retained = 0;
  std::set<const Context*> peers;  ///< peers whose memory its kernels may access

  // Guarded by `limits_mutex`.
  std::mutex limits_mutex;
  std::size_t limits[8] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0, 0};  ///< by CUlimit
  std::shared_ptr<DeviceHeap> heap;  ///< once a kernel has used it

  /// Makes every later call fail like this, unless the context has failed before.
  void fail(const Failure& failure);
  bool failed() const { return has_failed_; }
  /// Throws the Failure, if there is one.
  void require_no_failure() {
    if (has_failed_) throw_failure();
  }

  CUcontext handle() { return reinterpret_cast<CUcontext>(this); }

 private:
  void throw_failure();

  std::atomic<bool> has_failed_{false};
  std::mutex failure_mutex_;
  Failure failure_{CUDA_SUCCESS};  ///< guarded by its mutex
};

/// Returns the primary context of a device. Throws Failure INVALID_DEVICE for an ordinal that does
/// not exist.
Context& context_of(CUdevice device);

/// Creates a context in addition to the primary one: active, and current nowhere.
Context& make_context(CUdevice device);

/// Returns the context of a handle, or null.
Context* find_context(CUcontext handle);

/// Returns the active contexts, primary ones first.
std::vector<Context*> active_contexts();

/// Returns the calling thread's current context, or null.
Context* current_context();

/// Makes a context current, replacing the current one, if any.
void set_context(Context& context);

/// Pushes a context onto the calling thread's stack. Throws Failure if the stack is full.
void push_context(Context& context);

/// Pops the current context off the stack. Returns null if there is none.
Context* pop_context();

/// Waits for all work of the devices that can access the memory, whoever enqueued it and whether or
/// not it uses the memory. A driver may do that when memory is freed.
void wait_for_devices(const Allocation& allocation);

}  // namespace array_interface::cuda_simulator
