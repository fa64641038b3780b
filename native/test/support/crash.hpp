#pragma once

#include <csignal>
#include <cstdio>

#include "check.hpp"

#ifdef __SANITIZE_ADDRESS__
/// AddressSanitizer handles crashes itself and reports more.
inline void hear_of_crashes() {}
#else
[[noreturn]] inline void crash(int number) { check_failed("signal", number, "no crash"); }

/// Installs signal handlers, so that a crash ends the program with the current subject.
inline void hear_of_crashes() {
  // The heap may be corrupt or locked, so the handler's output must not allocate.
  static char buffer[BUFSIZ];
  std::setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(number, &crash);
}
#endif
