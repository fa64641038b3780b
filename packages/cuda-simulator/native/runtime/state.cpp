#include "state.hpp"

#include <array>
#include <mutex>

namespace array_interface::cuda_runtime {
namespace {

constexpr int most_devices = 16;

struct Primary {
  CUcontext context = nullptr;
  bool retained = false;
};

std::mutex mutex;
std::array<Primary, most_devices> primaries;

thread_local int chosen_device = 0;
thread_local cudaError_t last = cudaSuccess;
thread_local bool zero_is_per_thread = false;

/// Whether the driver is of this library's major version, or of a later one.
CUresult require_driver() {
  static const bool is_sufficient = [] {
    int version = 0;
    return cuDriverGetVersion(&version) == CUDA_SUCCESS && version >= CUDART_MAJOR * 1000;
  }();
  return is_sufficient ? CUDA_SUCCESS : static_cast<CUresult>(cudaErrorInsufficientDriver);
}

/// Makes the primary context of a device current.
CUresult enter_primary(int device) {
  CUcontext context = nullptr;
  return in_turn([&] { return primary_of(device, &context); },
                 [&] { return cuCtxSetCurrent(context); });
}

/// Whether a context is one of ours that a reset has ended.
bool has_ended(CUcontext context) {
  const std::lock_guard lock(mutex);
  for (const Primary& primary : primaries) {
    if (primary.context == context) return !primary.retained;
  }
  return false;
}

}  // namespace

CUresult initialize() {
  return in_turn(require_driver, [] { return cuInit(0); });
}

CUresult bind() {
  CUcontext current = nullptr;
  const auto get = [&] { return cuCtxGetCurrent(&current); };
  CUresult result = in_turn(require_driver, get);
  if (result == CUDA_ERROR_NOT_INITIALIZED) result = in_turn(initialize, get);
  if (result != CUDA_SUCCESS) return result;
  if (current != nullptr && !has_ended(current)) return CUDA_SUCCESS;
  return enter_primary(chosen_device);
}

CUresult primary_of(int device, CUcontext* context) {
  const std::lock_guard lock(mutex);
  if (device < 0 || device >= most_devices) return CUDA_ERROR_INVALID_DEVICE;
  Primary& primary = primaries[static_cast<std::size_t>(device)];
  if (!primary.retained) {
    const CUresult result = cuDevicePrimaryCtxRetain(&primary.context, device);
    if (result != CUDA_SUCCESS) return result;
    primary.retained = true;
  }
  *context = primary.context;
  return CUDA_SUCCESS;
}

cudaError_t note(int error) noexcept {
  if (error != cudaSuccess) last = error;
  return error;
}

cudaError_t last_error(bool forgets) noexcept {
  return forgets ? std::exchange(last, cudaSuccess) : last;
}

CUresult choose_device(int device) {
  int count = 0;
  const CUresult result = in_turn(initialize, [&] { return cuDeviceGetCount(&count); });
  if (result != CUDA_SUCCESS) return result;
  if (device < 0 || device >= count) return CUDA_ERROR_INVALID_DEVICE;
  chosen_device = device;
  return enter_primary(device);
}

CUresult device_of_thread(int* device) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = initialize();
  if (result != CUDA_SUCCESS) return result;
  CUcontext current = nullptr;
  cuCtxGetCurrent(&current);
  const bool has_context = current != nullptr && !has_ended(current);
  if (has_context && cuCtxGetDevice(device) == CUDA_SUCCESS) return CUDA_SUCCESS;
  *device = chosen_device;
  return CUDA_SUCCESS;
}

CUresult reset_device() {
  int device = 0;
  const CUresult result = device_of_thread(&device);
  if (result != CUDA_SUCCESS) return result;
  const std::lock_guard lock(mutex);
  primaries[static_cast<std::size_t>(device)].retained = false;
  return cuDevicePrimaryCtxReset_v2(device);
}

PerThread::PerThread() : before_(zero_is_per_thread) { zero_is_per_thread = true; }
PerThread::~PerThread() { zero_is_per_thread = before_; }

bool zero_is_own() noexcept { return zero_is_per_thread; }

CUstream named(cudaStream_t stream) {
  const bool is_own = stream == nullptr && zero_is_per_thread;
  return is_own ? reinterpret_cast<CUstream>(CU_STREAM_PER_THREAD) : stream;
}

}  // namespace array_interface::cuda_runtime

/// Only the simulator's runtime library has this symbol.
extern "C" __attribute__((visibility("default"))) const int simcudart_marker = CUDART_MAJOR;
