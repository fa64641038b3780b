#include <cstring>
#include <utility>

#include "base/driver_api.hpp"
#include "base/refused_api.hpp"
#include "base/settings.hpp"
#include "driver/call.hpp"
#include "state/stream.hpp"

using namespace array_interface::cuda_simulator;

extern "C" {
#define REFUSED(base, symbol, version) CUresult symbol();
CUDA_SIMULATOR_REFUSED(REFUSED)
#undef REFUSED
}

namespace {

/// A function that resolves stream 0 as the per-thread variants of the driver's functions do.
template <auto function>
struct PerThread;

template <class... Arguments, CUresult (*function)(Arguments...)>
struct PerThread<function> {
  static CUresult call(Arguments... arguments) {
    const PerThreadDefault per_thread;
    return function(arguments...);
  }
};

struct Row {
  const char* name;
  int version;
  void* function;
  void* per_thread;
};

template <class Function>
void* pointer_to(Function* function) {
  return reinterpret_cast<void*>(function);
}

#define PLAIN(base, symbol, version, parameters) \
  {#base, version, pointer_to(&symbol), pointer_to(&symbol)},
#define STREAM(base, symbol, version, parameters) \
  {#base, version, pointer_to(&symbol), pointer_to(&PerThread<&symbol>::call)},
#define REFUSED(base, symbol, version) PLAIN(base, symbol, version, )
const Row rows[] = {CUDA_SIMULATOR_FUNCTIONS(PLAIN, STREAM) CUDA_SIMULATOR_REFUSED(REFUSED)};
#undef PLAIN
#undef STREAM
#undef REFUSED

/// Finds the newest variant that is not newer than `version`. If it returns null, `status` is the
/// reason.
void* find(const char* symbol, int version, std::uint64_t flags, int& status) {
  const Row* best = nullptr;
  status = CU_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  for (const Row& row : rows) {
    if (std::strcmp(row.name, symbol) != 0 || row.version > settings().driver_version) continue;
    if (status == CU_PROC_ADDRESS_SYMBOL_NOT_FOUND) status = CU_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
    if (row.version <= version && (best == nullptr || row.version > best->version)) best = &row;
  }
  if (best == nullptr) return nullptr;
  status = CU_PROC_ADDRESS_SUCCESS;
  return (flags & CU_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0 ? best->per_thread
                                                                  : best->function;
}

bool acceptable(const char* symbol, void** function, int version, std::uint64_t flags) {
  return symbol != nullptr && *symbol != '\0' && function != nullptr && flags <= 2 &&
         version <= settings().driver_version;
}

}  // namespace

CUresult cuGetProcAddress(const char* symbol, void** function, int version, std::uint64_t flags) {
  return plain_call(__func__, [&] {
    require(acceptable(symbol, function, version, flags));
    int status = 0;
    *function = find(symbol, version, flags, status);
    require(*function != nullptr, CUDA_ERROR_NOT_FOUND);
  });
}

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, std::uint64_t flags,
                             int* status) {
  return plain_call(__func__, [&] {
    require(acceptable(symbol, function, version, flags));
    int reason = 0;
    *function = find(symbol, version, flags, reason);
    if (status != nullptr) *status = reason;
  });
}

/// Returns none of the driver's undocumented tables. NVRTC requests one before cuInit. It accepts a
/// refusal, but not a driver without the call.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  if (table == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}
