#include "driver_thread.hpp"

#include <pthread.h>
#include <signal.h>

#include <memory>
#include <system_error>
#include <utility>

namespace array_interface::cuda_simulator {
namespace {

thread_local bool inside_host_function = false;

/// The start data of a thread, which the thread owns.
void* run_body(void* body) {
  const std::unique_ptr<std::function<void()>> own(static_cast<std::function<void()>*>(body));
  (*own)();
  return nullptr;
}

}  // namespace

void start_driver_thread(std::function<void()> body) {
  auto* const own = new std::function<void()>(std::move(body));  // the thread owns it, if it starts
  // Detached from the start: a thread that ended before a detach() would never be joined.
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's own threads
  pthread_t thread;
  const int error = pthread_create(&thread, &detached, run_body, own);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&detached);
  if (error == 0) return;
  delete own;
  throw std::system_error(error, std::generic_category(), "pthread_create");
}

void run_as_host_function(const std::function<void()>& function) {
  inside_host_function = true;
  function();
  inside_host_function = false;
}

bool in_host_function() { return inside_host_function; }

}  // namespace array_interface::cuda_simulator
