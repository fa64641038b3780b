#include "call_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "base/driver_api.hpp"
#include "base/error_names.hpp"
#include "base/settings.hpp"

namespace array_interface::cuda_simulator {
namespace {

struct Count {
  const char* base;
  std::atomic<unsigned long> calls{0};
  std::atomic<unsigned long> errors{0};
};

using Counts = std::unordered_map<std::string_view, Count>;

/// Returns the counts by exported symbol. The map is built once, so that lookups need no lock.
Counts& counts() {
  static Counts& counts = *[] {  // outlives every thread
    auto* all = new Counts;
#define ROW(name, symbol, version, parameters) (*all)[#symbol].base = #name;
    CUDA_SIMULATOR_FUNCTIONS(ROW, ROW)
#undef ROW
    return all;
  }();
  return counts;
}

/// Returns the count of a symbol, or null. Each thread caches counts by the address of the name,
/// which is a constant of its function. Hashing the characters would take longer than most calls.
Count* count_of(const char* symbol) {
  struct Known {
    const char* symbol = nullptr;
    Count* count = nullptr;
  };
  thread_local std::array<Known, 256> known{};
  Known& one = known[reinterpret_cast<std::uintptr_t>(symbol) / 4 % known.size()];
  if (one.symbol != symbol) {
    const auto found = counts().find(symbol);
    one = {symbol, found == counts().end() ? nullptr : &found->second};
  }
  return one.count;
}

unsigned long sum_of(const char* name, std::atomic<unsigned long> Count::*number) {
  if (name == nullptr) return 0;
  unsigned long sum = 0;
  for (const auto& [symbol, count] : counts()) {
    if (symbol == name || std::strcmp(count.base, name) == 0) sum += count.*number;
  }
  return sum;
}

int log_file() {
  static const int file =
      settings().log.empty()
          ? -1
          : open(settings().log.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  return file;
}

}  // namespace

void note_call(const char* symbol, CUresult result) noexcept {
  if (Count* const count = count_of(symbol)) {
    ++count->calls;
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY) ++count->errors;
  }
  if (log_file() < 0) return;
  char line[160];
  const int size = std::snprintf(line, sizeof line, "%s %s\n", symbol, name_of(result));
  if (size > 0 && write(log_file(), line, static_cast<std::size_t>(size)) < 0) return;
}

}  // namespace array_interface::cuda_simulator

using namespace array_interface::cuda_simulator;

unsigned long simcuda_calls(const char* name) { return sum_of(name, &Count::calls); }

unsigned long simcuda_refused(const char* name) {
  return sum_of(name, &Count::errors) - simcuda_failed(name);
}
