#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "napi/setup.hpp"

namespace array_interface {

/// What an ArrayBuffer over memory that is not JavaScript's keeps. Used on one thread.
///
/// Work in Node's thread pool has the bare address of a buffer's bytes, as of fs.read and
/// crypto.randomFill, and keeps the JavaScript object meanwhile; other native code holds the
/// backing store. So what is kept stays until both are gone, also when the buffer was ended by
/// hand, which detaches it. Node says so when the event loop turns after a garbage collection, or
/// when the environment ends: by then it has waited for its thread pool.
class MappedBuffer {
 public:
  static constexpr napi_type_tag kTag{0x4d0a6c1be7f84925, 0x92c53f70a1be68d4};

  /// {buffer, exposed}: a buffer over `size` bytes, at least one, which `kept` keeps. Null where
  /// Node makes none: in Electron, and above a size. `is_for_call`: it is for one call of a
  /// function, and what it keeps goes when it is ended.
  static Napi::Value Make(Napi::Env env, void* data, std::size_t size, std::shared_ptr<void> kept,
                          bool is_for_call = false);

  MappedBuffer(void* data, std::size_t size, std::shared_ptr<void> kept, bool is_for_call)
      : data_(data), size_(size), kept_(std::move(kept)), is_for_call_(is_for_call) {}
  MappedBuffer(const MappedBuffer&) = delete;
  MappedBuffer& operator=(const MappedBuffer&) = delete;

  /// Detaches its buffer, and keeps `producer`, too, if that is an object. Does nothing for a
  /// buffer that was detached: its bytes may have become another buffer's.
  void End(Napi::Env env, napi_value buffer, const Napi::Value& producer);

 private:
  using Box = std::shared_ptr<MappedBuffer>;
  /// Called when nobody holds the backing store.
  static void OnFreed(napi_env env, void* data, void* box);
  /// Called when the JavaScript object was collected.
  static void OnCollected(napi_env env, void* data, void* box);
  /// Has OnCollected called for a buffer.
  napi_status NoteCollection(napi_env env, napi_value buffer, const Box& self);
  void LetGo(napi_env env);

  void* data_;
  std::size_t size_;
  std::shared_ptr<void> kept_;
  bool is_for_call_;
  napi_ref producer_ = nullptr;
  bool is_told_ = false;  ///< whether V8 is told of its bytes
  bool is_freed_ = false;
  bool is_collected_ = false;
};

/// unmapBuffer(exposed, buffer, producer): ends a buffer that `expose` gave. What it keeps, and the
/// producer, stay until nobody has its bytes.
Napi::Value UnmapBuffer(const Napi::CallbackInfo& info);

}  // namespace array_interface
