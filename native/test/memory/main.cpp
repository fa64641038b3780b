#include <cstdio>

#include "sections.hpp"
#include "test/support/check.hpp"
#include "test/support/crash.hpp"

int main() {
  hear_of_crashes();
  check_order();
  check_block_table();
  check_cache();
  check_looks();
  check_caching_allocator();
  std::printf("%ld checks, 0 failed\n", checks);
}
