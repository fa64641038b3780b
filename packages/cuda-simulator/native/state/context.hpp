#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "base/cuda_abi.hpp"

namespace array_interface::cuda_simulator {

struct Allocation;
struct Stream;

/// A context. The object stays for the life of the process. A primary one, one for each device,
/// comes and goes with `active`. One that the program made is not used again.
struct Context {
  Context(CUdevice ordinal, bool is_primary);

  /// Begins a new life of the context.
  void activate();

  const CUdevice device;
  const bool primary;
  std::atomic<bool> active{false};
  std::atomic<unsigned> flags{0};
  std::atomic<std::uint64_t> id{0};             ///< new each time it becomes active
  std::atomic<CUresult> failure{CUDA_SUCCESS};  ///< sticky: what every later call returns

  std::atomic<int> cache_config{0};
  std::atomic<int> shared_config{0};

  // Guarded by the Schedule's lock.
  std::shared_ptr<Stream> legacy;                               ///< stream 0 and 1
  std::map<std::uint64_t, std::shared_ptr<Stream>> per_thread;  ///< stream 2, by thread
  std::vector<std::shared_ptr<Stream>> streams;                 ///< all but `legacy`

  // Guarded by `mutex`.
  std::mutex mutex;
  unsigned retained = 0;
  std::size_t limits[8] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0, 0};  ///< by CUlimit
  std::set<const Context*> peers;  ///< whose memory kernels of this context may touch

  CUcontext handle() { return reinterpret_cast<CUcontext>(this); }
};

/// The primary context of a device; throws Failure INVALID_DEVICE for an ordinal that does not
/// exist.
Context& context_of(CUdevice device);

/// A new context beside the primary one: active, and current nowhere.
Context& make_context(CUdevice device);

/// The context behind a handle, or null.
Context* find_context(CUcontext handle);

/// The contexts that are in use, those of devices first.
std::vector<Context*> active_contexts();

/// The calling thread's current context, or null.
Context* current_context();

/// Makes a context current in place of the one that is, if any.
void set_context(Context& context);

/// Puts a context on top of the calling thread's stack. Throws Failure where that is full.
void push_context(Context& context);

/// Takes the current context off the stack. Null: there is none.
Context* pop_context();

/// Waits for all work of the devices that can reach the memory, whoever enqueued it and whether or
/// not it uses the memory. A driver may do that when memory is freed.
void wait_for_devices(const Allocation& allocation);

}  // namespace array_interface::cuda_simulator
