#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "napi/setup.hpp"

namespace array_interface {

/// What an ArrayBuffer over memory that is not JavaScript's keeps: until the buffer is collected,
/// or ended by hand. Used on one thread.
class Exposed {
 public:
  static constexpr napi_type_tag kTag{0x4d0a6c1be7f84925, 0x92c53f70a1be68d4};

  /// {buffer, exposed}: a buffer over `size` bytes, at least one, which `kept` keeps. Null where
  /// Node makes none: in Electron, and above a size.
  static Napi::Value Make(Napi::Env env, void* data, std::size_t size, std::shared_ptr<void> kept);

  Exposed(void* data, std::shared_ptr<void> kept) : data_(data), kept_(std::move(kept)) {}
  Exposed(const Exposed&) = delete;
  Exposed& operator=(const Exposed&) = delete;

  /// Detaches its buffer and lets go of what it keeps. Does nothing for a buffer that was detached:
  /// its bytes may have become another buffer's.
  void End(Napi::Env env, napi_value buffer);

 private:
  using Box = std::shared_ptr<Exposed>;
  static void OnCollected(napi_env env, void* data, void* box);

  void* data_;
  std::shared_ptr<void> kept_;
  bool is_collected_ = false;
};

/// conceal(exposed, buffer): ends a buffer that `expose` gave.
Napi::Value Conceal(const Napi::CallbackInfo& info);

}  // namespace array_interface
