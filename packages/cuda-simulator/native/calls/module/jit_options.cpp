#include "jit_options.hpp"

#include <cstdint>
#include <cstdio>

namespace array_interface::cuda_simulator {
namespace {

enum Option : int { info_buffer = 3, info_size = 4, error_buffer = 5, error_size = 6 };

void put(const JitOptions& options, int buffer_option, int size_option, const char* text) {
  void* buffer = nullptr;
  std::size_t size = 0;
  const bool readable = options.numbers != nullptr && options.values != nullptr;
  for (unsigned index = 0; readable && index < options.count; ++index) {
    void* const value = options.values[index];
    if (options.numbers[index] == buffer_option) buffer = value;
    if (options.numbers[index] == size_option) {
      size = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(value));
    }
  }
  if (buffer != nullptr && size > 0) {
    std::snprintf(static_cast<char*>(buffer), size, "%s", text);
  }
}

}  // namespace

void JitOptions::explain(const std::string& reason) const {
  put(*this, error_buffer, error_size, reason.c_str());
}

void JitOptions::clear_logs() const {
  put(*this, info_buffer, info_size, "");
  put(*this, error_buffer, error_size, "");
}

}  // namespace array_interface::cuda_simulator
