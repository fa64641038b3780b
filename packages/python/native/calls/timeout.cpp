#include "calls/timeout.hpp"

#include <cstdlib>

namespace array_interface {

std::chrono::duration<double> Timeout() {
  static const auto timeout = [] {
    constexpr double kUsual = 5;
    constexpr double kDay = 86'400;
    const char* const text = std::getenv("ARRAY_INTERFACE_PYTHON_TIMEOUT");
    const double seconds = text == nullptr ? kUsual : std::strtod(text, nullptr);
    const bool is_usable = seconds > 0 && seconds <= kDay;
    return std::chrono::duration<double>(is_usable ? seconds : kUsual);
  }();
  return timeout;
}

}  // namespace array_interface
