#include <csignal>
#include <cstdio>

#include "check.hpp"
#include "sections.hpp"

namespace {

#ifdef __SANITIZE_ADDRESS__
/// AddressSanitizer hears of crashes itself and says more.
void HearOfCrashes() {}
#else
[[noreturn]] void Crash(int number) { check_failed("signal", number, "no crash"); }

/// A wrong address ends the program here, with the subject that was being checked.
void HearOfCrashes() {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(number, &Crash);
}
#endif

}  // namespace

int main() {
  HearOfCrashes();
  check_strided_copy();
  check_launch();
  check_host();
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
