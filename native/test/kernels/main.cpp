#include <cstdio>

#include "sections.hpp"
#include "test/support/check.hpp"
#include "test/support/crash.hpp"

int main() {
  hear_of_crashes();
  check_strided_copy();
  check_tiling();
  check_launch();
  check_copy();
  check_rounding();
  check_explain();
  check_pieces();
  check_on_threads();
  check_grid();
  check_registry();
  check_row_copy();
  check_tile_copy();
  check_block_copy();
  std::printf("%ld checks, 0 failed\n", checks);
}
