#include "fault.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <string>

#include "driver_api.hpp"
#include "error_names.hpp"
#include "immortal.hpp"

namespace array_interface::cuda_simulator {
namespace {

struct Fault {
  std::string call;  ///< base name or exported symbol
  CUresult error = CUDA_SUCCESS;
  bool always = false;
  long left = 0;  ///< calls until it fires; negative once it has
};

struct Plan {
  std::mutex mutex;
  std::list<Fault> faults;
  std::map<std::string, unsigned long> failed;  // failed calls, by exported name
};

std::atomic<bool> is_any_planned{false};  // read without the lock by every call
thread_local bool is_spared = false;

Plan& plan() { return immortal<Plan>(); }

/// Returns the base name of an exported symbol, or nullptr if the table has no such symbol.
const char* base_name(const char* symbol) {
#define ROW(base, exported, version, parameters) \
  if (std::strcmp(#exported, symbol) == 0) return #base;
  CUDA_SIMULATOR_FUNCTIONS(ROW, ROW)
#undef ROW
  return nullptr;
}

bool is_known(const std::string& call) {
#define ROW(base, exported, version, parameters) \
  if (call == #base || call == #exported) return true;
  CUDA_SIMULATOR_FUNCTIONS(ROW, ROW)
#undef ROW
  return false;
}

/// Returns the likely failure of a call: out of memory if it returns an object or memory, otherwise
/// a failed launch.
CUresult usual_error(const std::string& call) {
  const bool gives =
      call.find("Alloc") != std::string::npos || call.find("Create") != std::string::npos ||
      call.find("Load") != std::string::npos || call.find("Retain") != std::string::npos;
  return gives ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_LAUNCH_FAILED;
}

bool plan_fault(const std::string& text, std::list<Fault>& plan) {
  const std::size_t first = text.find(':');
  if (first == std::string::npos) return false;
  const std::size_t second = text.find(':', first + 1);
  const std::string count = text.substr(first + 1, second - first - 1);
  const std::string call = text.substr(0, first);
  char* end = nullptr;
  const bool always = count == "*";
  const long number = always ? 1 : std::strtol(count.c_str(), &end, 10);
  const bool is_number = always || (!count.empty() && *end == '\0' && number >= 1);
  if (!is_number || !is_known(call)) return false;
  CUresult error = usual_error(call);
  if (second != std::string::npos && !find_error(text.substr(second + 1), error)) return false;
  plan.push_back({call, error, always, number});
  return true;
}

}  // namespace

bool plan_faults(const char* text) {
  std::list<Fault> added;
  const std::string all = text;
  for (std::size_t start = 0; start <= all.size();) {
    const std::size_t comma = std::min(all.find(',', start), all.size());
    if (!plan_fault(all.substr(start, comma - start), added)) return false;
    start = comma + 1;
  }
  std::lock_guard lock(plan().mutex);
  plan().faults.splice(plan().faults.end(), added);
  is_any_planned = true;
  return true;
}

CUresult planned_fault(const char* symbol) {
  if (!is_any_planned || is_spared) return CUDA_SUCCESS;
  const char* base = base_name(symbol);
  CUresult error = CUDA_SUCCESS;
  std::lock_guard lock(plan().mutex);
  for (Fault& fault : plan().faults) {
    const bool meant = fault.call == symbol || (base != nullptr && fault.call == base);
    if (meant && (fault.always || --fault.left == 0)) error = fault.error;
  }
  if (error != CUDA_SUCCESS) ++plan().failed[symbol];
  return error;
}

bool is_sticky(CUresult error) {
  return error == 214 || error == 220 || error == CUDA_ERROR_ILLEGAL_ADDRESS || error == 702 ||
         (error >= 710 && error <= 719 && error != 711 &&
          error != CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED &&
          error != CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

}  // namespace array_interface::cuda_simulator

using namespace array_interface::cuda_simulator;

int simcuda_fail(const char* text) {
  if (text != nullptr && *text != '\0') return plan_faults(text) ? 0 : 1;
  std::lock_guard lock(plan().mutex);
  plan().faults.clear();
  is_any_planned = false;
  return 0;
}

void simcuda_spare(int spares) { is_spared = spares != 0; }

unsigned long simcuda_failed(const char* name) {
  if (name == nullptr) return 0;
  std::lock_guard lock(plan().mutex);
  unsigned long failed = 0;
  for (const auto& [symbol, count] : plan().failed) {
    const char* base = base_name(symbol.c_str());
    if (symbol == name || (base != nullptr && std::strcmp(base, name) == 0)) failed += count;
  }
  return failed;
}
