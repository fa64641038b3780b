// A libcuda.so.1 for tests: the driver that SLOW_COMPILER_DRIVER names, but for its compiler, which
// takes SLOW_COMPILER_MS longer. Writes a line to stderr when it begins and when it ends: whether
// the main thread waits for it.

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

using GetProcAddress = int (*)(const char*, void**, int, std::uint64_t, int*);
using ModuleLoadDataEx = int (*)(void**, const void*, unsigned, int*, void**);

ModuleLoadDataEx load = nullptr;

void* Driver() {
  // NOLINTNEXTLINE(clang-analyzer-optin.taint.GenericTaint): the tests name it
  static void* const driver = dlopen(std::getenv("SLOW_COMPILER_DRIVER"), RTLD_NOW);
  return driver;
}

void Say(const char* what) {
  const bool is_main = syscall(SYS_gettid) == getpid();
  std::fprintf(stderr, "%s %s\n", what, is_main ? "main" : "other");
}

int LoadSlowly(void** module, const void* image, unsigned count, int* options, void** values) {
  Say("begin");
  const char* asked = std::getenv("SLOW_COMPILER_MS");
  const std::chrono::milliseconds longer(asked == nullptr ? 0 : std::atoi(asked));
  std::this_thread::sleep_for(longer);
  const int result = load(module, image, count, options, values);
  Say("end");
  return result;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int cuGetProcAddress_v2(const char* name, void** function, int version,
                                 std::uint64_t flags, int* status) {
  static const auto ask = reinterpret_cast<GetProcAddress>(dlsym(Driver(), "cuGetProcAddress_v2"));
  const int result = ask(name, function, version, flags, status);
  if (std::strcmp(name, "cuModuleLoadDataEx") != 0) return result;
  load = reinterpret_cast<ModuleLoadDataEx>(*function);
  *function = reinterpret_cast<void*>(&LoadSlowly);
  return result;
}
