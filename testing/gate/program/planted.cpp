#include "planted.hpp"

#include <cstdio>
#include <string>

/// Ends with 0 when what was planted passed unseen.
int main(int count, char** arguments) {
  const std::string which = count == 2 ? arguments[1] : "";
  int result = 0;
  if (which == "overflow") {
    result = planted::overflow();
  } else if (which == "undefined") {
    result = planted::undefined();
  } else if (which == "race") {
    result = planted::race();
  } else {
    std::fprintf(stderr, "expected overflow, undefined or race\n");
    return 2;
  }
  std::printf("%s passed unseen, with %d\n", which.c_str(), result);
  return 0;
}
