#include <cstdio>

#include "check.hpp"
#include "sections.hpp"

int main() {
  check_strided_copy();
  check_launch();
  check_host();
  check_pieces();
  check_on_threads();
  check_grid();
  check_registry();
  check_special();
  check_block_copy();
  std::printf("%ld checks, %ld failed\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
