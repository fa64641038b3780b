#pragma once

#include <utility>

#include "abi.hpp"
#include "base/driver_api.hpp"

namespace array_interface::cuda_runtime {

/// What this library says it is, and asks the driver's functions of.
constexpr int runtime_version = CUDART_MAJOR >= 13 ? 13000 : 12080;

/// Initialises the driver, which must be of this major version at least.
CUresult initialize();

/// Makes the calling thread have a context: the one that is current, or the primary one of the
/// thread's device.
CUresult bind();

/// Notes an error as the thread's last one, and returns it.
cudaError_t note(int error) noexcept;

/// Returns the thread's last error, and forgets it if `forgets`.
cudaError_t last_error(bool forgets) noexcept;

/// Returns the primary context of a device, which is retained once for the process.
CUresult primary_of(int device, CUcontext* context);

/// Chooses the thread's device, and makes its primary context current.
CUresult choose_device(int device);

/// Returns the device of the thread's context, or that which it would get.
CUresult device_of_thread(int* device);

/// Ends the primary context of the thread's device.
CUresult reset_device();

/// While alive, stream 0 of the calling thread is its own default stream.
class PerThread {
 public:
  PerThread();
  ~PerThread();
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;

 private:
  bool before_;
};

/// Whether the calling thread's stream 0 is its own default stream.
bool zero_is_own() noexcept;

/// Returns a stream as the driver's calls take it.
CUstream named(cudaStream_t stream);

/// Calls a synchronous function of the driver, by its base name too: which has no parameter for a
/// stream, and a variant for per-thread default streams instead.
template <auto function, class... Arguments>
CUresult in_scope(const char* name, Arguments... arguments) {
  if (!zero_is_own()) return function(arguments...);
  void* variant = nullptr;
  const CUresult result = cuGetProcAddress(name, &variant, CUDART_MAJOR * 1000,
                                           CU_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
  if (result != CUDA_SUCCESS) return result;
  return reinterpret_cast<decltype(function)>(variant)(arguments...);
}

/// A call that needs a context. Its error becomes the thread's last one.
template <class Body>
cudaError_t call(Body body) noexcept {
  const CUresult bound = bind();
  return note(bound == CUDA_SUCCESS ? static_cast<int>(body()) : static_cast<int>(bound));
}

inline CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

/// Calls each function until one fails. Returns its error.
template <class... Steps>
CUresult in_turn(Steps... steps) {
  CUresult result = CUDA_SUCCESS;
  ((result = result == CUDA_SUCCESS ? steps() : result), ...);
  return result;
}

}  // namespace array_interface::cuda_runtime

#define CUDART_EXPORT extern "C" __attribute__((visibility("default"))) cudaError_t

/// Defines the name under which programs that are compiled for per-thread default streams call a
/// function.
#define CUDART_PER_THREAD(name, suffix, parameters, arguments) \
  CUDART_EXPORT name##suffix parameters {                      \
    const array_interface::cuda_runtime::PerThread scope;      \
    return name arguments;                                     \
  }
