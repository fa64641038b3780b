#include <cstdio>
#include <string>
#include <vector>

#include "driver/driver.hpp"
#include "sections.hpp"
#include "test/support/check.hpp"
#include "test/support/crash.hpp"

int main() {
  hear_of_crashes();
  std::vector<array_interface::Attempt> attempts;
  const auto* const driver = array_interface::cuda::Driver::Load({PAPER_DRIVER}, attempts);
  CHECK(driver != nullptr);
  const auto library = array_interface::Library::Open({PAPER_DRIVER}, attempts);
  CHECK(library != nullptr);
  check_kernels(reinterpret_cast<int (*)()>(library->Symbol("PaperLoads")));
  std::printf("%ld checks, 0 failed\n", checks);
}
