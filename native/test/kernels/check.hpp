#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>

/// Checks made and checks failed in this program.
inline long checks = 0;
inline long failures = 0;

/// Counts a check; says where it failed. The program goes on.
#define CHECK(condition)                                                              \
  do {                                                                                \
    ++checks;                                                                         \
    if (!(condition)) {                                                               \
      ++failures;                                                                     \
      if (failures <= 20) std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                                 \
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
