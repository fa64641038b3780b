#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "napi/setup.hpp"

namespace array_interface {

/// What an ArrayBuffer over memory that is not JavaScript's keeps, until nobody has its bytes any
/// more: the buffer was collected or ended by hand, and no native code is left that holds its
/// backing store, as Node's thread pool does. Node says so when the event loop turns, or the
/// environment ends. Used on one thread.
class Exposed {
 public:
  static constexpr napi_type_tag kTag{0x4d0a6c1be7f84925, 0x92c53f70a1be68d4};

  /// {buffer, exposed}: a buffer over `size` bytes, at least one, which `kept` keeps. Null where
  /// Node makes none: in Electron, and above a size.
  static Napi::Value Make(Napi::Env env, void* data, std::size_t size, std::shared_ptr<void> kept);

  Exposed(void* data, std::shared_ptr<void> kept) : data_(data), kept_(std::move(kept)) {}
  Exposed(const Exposed&) = delete;
  Exposed& operator=(const Exposed&) = delete;

  /// Detaches its buffer, and keeps `producer`, too, if that is an object. Does nothing for a
  /// buffer that was detached: its bytes may have become another buffer's.
  void End(Napi::Env env, napi_value buffer, const Napi::Value& producer);

 private:
  using Box = std::shared_ptr<Exposed>;
  /// Called when nobody has the bytes.
  static void OnFreed(napi_env env, void* data, void* box);

  void* data_;
  std::shared_ptr<void> kept_;
  napi_ref producer_ = nullptr;
  bool is_freed_ = false;
};

/// conceal(exposed, buffer, producer): ends a buffer that `expose` gave. What it keeps, and the
/// producer, stay until nobody has its bytes.
Napi::Value Conceal(const Napi::CallbackInfo& info);

}  // namespace array_interface
