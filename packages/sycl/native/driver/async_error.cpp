#include "async_error.hpp"

#include <list>
#include <mutex>
#include <utility>

namespace array_interface::sycl {

namespace {

constexpr int kWithoutCode = -1;

thread_local AsyncErrorCatch* innermost = nullptr;

struct Subscribers {
  std::mutex mutex;
  std::list<AsyncErrorListener> listeners;
};

// Never destroyed, since a thread of the runtime may outlive static objects.
Subscribers& TheSubscribers() {
  static auto* subscribers = new Subscribers();
  return *subscribers;
}

}  // namespace

void NoteAsyncError(int code) {
  if (code == 0) code = kWithoutCode;
  if (innermost != nullptr) {
    innermost->code_ = code;
  } else {
    PublishAsyncError(code);
  }
}

AsyncErrorCatch::AsyncErrorCatch() : outer_(std::exchange(innermost, this)) {}

AsyncErrorCatch::~AsyncErrorCatch() { innermost = outer_; }

std::shared_ptr<void> SubscribeToAsyncErrors(AsyncErrorListener listener) {
  Subscribers& all = TheSubscribers();
  std::lock_guard lock(all.mutex);
  const auto position = all.listeners.insert(all.listeners.end(), std::move(listener));
  return {nullptr, [&all, position](std::nullptr_t) {
            std::lock_guard ending(all.mutex);
            all.listeners.erase(position);
          }};
}

void PublishAsyncError(int code) {
  Subscribers& all = TheSubscribers();
  std::lock_guard lock(all.mutex);
  for (const auto& listener : all.listeners) listener(code);
}

}  // namespace array_interface::sycl
