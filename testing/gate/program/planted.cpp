#include "planted.hpp"

#include <cstdio>
#include <string>
#include <thread>

namespace {

int shared = 0;

/// Two threads write the same variable.
int race() {
  std::thread other([] { ++shared; });
  ++shared;
  other.join();
  return shared;
}

}  // namespace

/// Ends with 0 when what was planted passed unseen.
int main(int count, char** arguments) {
  const std::string which = count == 2 ? arguments[1] : "";
  int result = 0;
  if (which == "overflow") {
    result = planted::overflow();
  } else if (which == "undefined") {
    result = planted::undefined();
  } else if (which == "race") {
    result = race();
  } else {
    std::fprintf(stderr, "expected overflow, undefined or race\n");
    return 2;
  }
  std::printf("%s passed unseen, with %d\n", which.c_str(), result);
  return 0;
}
