#pragma once

#include <csignal>

#include "check.hpp"

#ifdef __SANITIZE_ADDRESS__
/// AddressSanitizer hears of crashes itself and says more.
inline void hear_of_crashes() {}
#else
[[noreturn]] inline void crash(int number) { check_failed("signal", number, "no crash"); }

/// A wrong address ends the program here, with the subject that was being checked.
inline void hear_of_crashes() {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(number, &crash);
}
#endif
