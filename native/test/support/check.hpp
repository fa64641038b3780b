#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

/// Checks made in this program.
inline long checks = 0;

/// What is checked, in words for whoever reads of a failure or a crash; "" where the line says it.
inline std::string subject;

/// Names what is checked as long as this lives.
class Subject {
 public:
  explicit Subject(std::string text) { subject = std::move(text); }
  ~Subject() { subject.clear(); }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
};

/// Says what failed and of what, and ends the program: what fails after it is seldom worth reading.
[[noreturn]] inline void check_failed(const char* file, int line, const char* expected) {
  std::printf("%s:%d: expected %s\n", file, line, expected);
  if (!subject.empty()) std::printf("of %s\n", subject.c_str());
  const char* const seed = std::getenv("FAST_CHECK_SEED");
  std::printf("with FAST_CHECK_SEED=%s\n", seed == nullptr ? "0" : seed);
  std::printf("%ld checks, 1 failed\n", checks);
  std::fflush(stdout);
  std::_Exit(1);
}

/// Counts a check; ends the program where it fails.
#define CHECK(condition)                                            \
  do {                                                              \
    ++checks;                                                       \
    if (!(condition)) check_failed(__FILE__, __LINE__, #condition); \
  } while (0)

/// The message of the std::invalid_argument that `call` throws, or "" if it throws none.
template <typename Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}
