#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

/// The number of checks made so far.
inline long checks = 0;

/// What is being checked, for the message of a failure or a crash. Empty if the line is clear by
/// itself.
inline std::string subject;

/// Sets the subject while this object exists.
class Subject {
 public:
  explicit Subject(std::string text) { subject = std::move(text); }
  ~Subject() { subject.clear(); }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
};

/// Prints what failed and its subject, and ends the program: later failures are seldom worth
/// reading.
[[noreturn]] inline void check_failed(const char* file, int line, const char* expected) {
  std::printf("%s:%d: expected %s\n", file, line, expected);
  if (!subject.empty()) std::printf("of %s\n", subject.c_str());
  const char* const seed = std::getenv("FAST_CHECK_SEED");
  std::printf("with FAST_CHECK_SEED=%s\n", seed == nullptr ? "0" : seed);
  std::printf("%ld checks, 1 failed\n", checks);
  std::fflush(stdout);
  std::_Exit(1);
}

/// Counts a check, and ends the program if it fails.
#define CHECK(condition)                                            \
  do {                                                              \
    ++checks;                                                       \
    if (!(condition)) check_failed(__FILE__, __LINE__, #condition); \
  } while (0)

/// Returns the message of the std::invalid_argument that `call` throws, or "" if it throws none.
template <typename Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}
