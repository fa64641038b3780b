#include <cstdio>

#include "check.hpp"
#include "sections.hpp"

int main() {
  check_poller();
  std::printf("%ld checks, 0 failed\n", checks);
}
