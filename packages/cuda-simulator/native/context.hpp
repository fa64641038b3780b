#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "cuda_abi.hpp"

namespace array_interface::cuda_simulator {

struct Stream;

/// The primary context of a device. There is one object for each device, at the same place for the
/// whole life of the process; it comes and goes with `active`.
struct Context {
  explicit Context(CUdevice ordinal);

  const CUdevice device;
  std::atomic<bool> active{false};
  std::atomic<unsigned> flags{0};
  std::atomic<std::uint64_t> id{0};             ///< new each time it becomes active
  std::atomic<CUresult> failure{CUDA_SUCCESS};  ///< sticky: what every later call returns

  // Guarded by the Schedule's lock.
  std::shared_ptr<Stream> legacy;                               ///< stream 0 and 1
  std::map<std::uint64_t, std::shared_ptr<Stream>> per_thread;  ///< stream 2, by thread
  std::vector<std::shared_ptr<Stream>> streams;                 ///< all but `legacy`

  // Guarded by `mutex`.
  std::mutex mutex;
  unsigned retained = 0;
  std::set<const Context*> peers;  ///< whose memory kernels of this context may touch

  CUcontext handle() { return reinterpret_cast<CUcontext>(this); }
};

/// The context of a device; throws Failure INVALID_DEVICE for an ordinal that does not exist.
Context& context_of(CUdevice device);

/// The context behind a handle, or null if it is none.
Context* find_context(CUcontext handle);

/// What the calling thread has current, or null.
Context* current_context();

/// Ends a context: waits for its work (unless it failed), then frees all that was made in it.
void destroy_context(Context& context);

}  // namespace array_interface::cuda_simulator
