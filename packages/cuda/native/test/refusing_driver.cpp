// A libcuda.so.1 that cannot be used, for tests: as old as 11.2, where functions are found by their
// exported names, and with few of them. REFUSING_DRIVER says how it refuses: `old`, `init`, `empty`
// (no device) or nothing, in which case only most of its functions are missing.

#include <cstdlib>
#include <cstring>

namespace {

bool refuses(const char* how) {
  const char* asked = std::getenv("REFUSING_DRIVER");
  return asked != nullptr && std::strcmp(asked, how) == 0;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int cuDriverGetVersion(int* version) {
  *version = refuses("old") ? 11010 : 11020;
  return 0;
}

EXPORTED int cuInit(unsigned) { return refuses("init") ? 12345 : 0; }

EXPORTED int cuDeviceGetCount(int* count) {
  *count = refuses("empty") ? 0 : 1;
  return 0;
}
