#pragma once

#include <pthread.h>

#include <cstddef>

/// The system refuses new threads while this object exists, because their stacks do not fit.
class WithoutThreads {
 public:
  WithoutThreads() {
    pthread_attr_t attributes;
    pthread_getattr_default_np(&attributes);
    pthread_attr_getstacksize(&attributes, &usual_);
    pthread_attr_destroy(&attributes);
    Set(kTooMuch);
  }
  ~WithoutThreads() { Set(usual_); }
  WithoutThreads(const WithoutThreads&) = delete;
  WithoutThreads& operator=(const WithoutThreads&) = delete;

 private:
  /// More than the address space.
  static constexpr std::size_t kTooMuch = std::size_t{1} << 60;

  static void Set(std::size_t size) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }

  std::size_t usual_ = 0;
};
