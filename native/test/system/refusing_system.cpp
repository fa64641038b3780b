// A library for LD_PRELOAD that refuses threads or file locks, as the environment variable
// REFUSING_SYSTEM says, which a program may set at any time. Its values are "threads" and "locks",
// or "second threads" and "second locks" to refuse every second one.

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

namespace {

bool Names(const char* what) {
  const char* const refused = std::getenv("REFUSING_SYSTEM");
  return refused != nullptr && std::strstr(refused, what) != nullptr;
}

bool RefusesLock() {
  static std::atomic<unsigned> locks{0};
  return Names("second locks") ? ++locks % 2 == 0 : Names("locks");
}

bool RefusesThread() {
  static std::atomic<unsigned> threads{0};
  return Names("second threads") ? ++threads % 2 == 0 : Names("threads");
}

template <class Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* value) noexcept {
  static const auto next = Next<decltype(pthread_create)>("pthread_create");
  return RefusesThread() ? EAGAIN : next(thread, attributes, run, value);
}

// Both names are the same function: libuv and Node's own code call either.
static int Control(int file, int command, void* value) {
  static const auto next = Next<int(int, int, ...)>("fcntl64");
  const bool locks = command == F_OFD_SETLK && static_cast<struct flock*>(value)->l_type != F_UNLCK;
  if (locks && RefusesLock()) {
    errno = ENOLCK;
    return -1;
  }
  return next(file, command, value);
}

int fcntl(int file, int command, ...) {
  va_list values;
  va_start(values, command);
  void* const value = va_arg(values, void*);
  va_end(values);
  return Control(file, command, value);
}

int fcntl64(int file, int command, ...) {
  va_list values;
  va_start(values, command);
  void* const value = va_arg(values, void*);
  va_end(values);
  return Control(file, command, value);
}
}
#pragma GCC visibility pop
