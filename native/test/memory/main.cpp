#include <cstdio>

#include "check.hpp"
#include "sections.hpp"

int main() {
  check_order();
  check_block_table();
  check_reclaimer();
  std::printf("%ld checks, 0 failed\n", checks);
}
