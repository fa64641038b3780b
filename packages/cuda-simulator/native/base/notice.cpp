#include "notice.hpp"

#include <cstdio>

namespace array_interface::cuda_simulator {

void notice(const std::string& text) noexcept {
  std::fprintf(stderr, "cuda-simulator: %s\n", text.c_str());
}

}  // namespace array_interface::cuda_simulator
