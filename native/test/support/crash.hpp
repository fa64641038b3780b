#pragma once

#include <csignal>
#include <cstdio>

#include "check.hpp"

#ifdef __SANITIZE_ADDRESS__
/// AddressSanitizer hears of crashes itself and says more.
inline void hear_of_crashes() {}
#else
[[noreturn]] inline void crash(int number) { check_failed("signal", number, "no crash"); }

/// A wrong address ends the program here, with the subject that was being checked.
inline void hear_of_crashes() {
  // The heap may be what is broken, and locked: so what is said then needs none.
  static char buffer[BUFSIZ];
  std::setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(number, &crash);
}
#endif
