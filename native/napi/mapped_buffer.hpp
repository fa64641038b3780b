#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "napi/setup.hpp"

namespace array_interface {

/// Keeps the native memory under an ArrayBuffer. Used on one thread.
///
/// Work in Node's thread pool, such as fs.read and crypto.randomFill, uses the bare address of a
/// buffer's bytes and keeps the JavaScript object meanwhile. Other native code keeps the backing
/// store. So the memory stays until both are gone, even if the buffer was detached by UnmapBuffer.
/// Node reports this when the event loop turns after a garbage collection, or when the environment
/// ends; by then it has waited for its thread pool.
class MappedBuffer {
 public:
  static constexpr napi_type_tag kTag{0x4d0a6c1be7f84925, 0x92c53f70a1be68d4};

  /// Returns {buffer, mapped}: a buffer over `size` bytes, at least one, which `kept` keeps.
  /// Returns null if Node makes none: in Electron, and above a size limit. `is_for_kernels`:
  /// nothing but JavaScript uses the buffer, and what it keeps is released as soon as it is ended.
  static Napi::Value Make(Napi::Env env, void* data, std::size_t size, std::shared_ptr<void> kept,
                          bool is_for_kernels = false);

  MappedBuffer(void* data, std::size_t size, std::shared_ptr<void> kept, bool is_for_kernels)
      : data_(data), size_(size), kept_(std::move(kept)), is_for_kernels_(is_for_kernels) {}
  MappedBuffer(const MappedBuffer&) = delete;
  MappedBuffer& operator=(const MappedBuffer&) = delete;

  /// Detaches its buffer, and also keeps `producer` if that is an object. A buffer that JavaScript
  /// marked as untransferable stays attached, with its memory. Does nothing if the buffer is
  /// already detached, since its bytes may belong to another buffer.
  void End(Napi::Env env, napi_value buffer, const Napi::Value& producer);

 private:
  using Box = std::shared_ptr<MappedBuffer>;
  /// Called when the backing store has no references any more.
  static void OnFreed(napi_env env, void* data, void* box);
  /// Called when the JavaScript object was collected.
  static void OnCollected(napi_env env, void* data, void* box);
  /// Has OnCollected called once the buffer is collected.
  napi_status NoteCollection(napi_env env, napi_value buffer, const Box& self);
  void LetGo(napi_env env);

  void* data_;
  std::size_t size_;
  std::shared_ptr<void> kept_;
  bool is_for_kernels_;
  napi_ref producer_ = nullptr;
  bool is_reported_ = false;  ///< whether its bytes were reported to V8
  bool is_freed_ = false;
  bool is_collected_ = false;
};

/// unmapBuffer(mapped, buffer, producer): ends a buffer that `mapBuffer` returned. The memory and
/// the producer are kept until nothing uses the buffer's bytes.
Napi::Value UnmapBuffer(const Napi::CallbackInfo& info);

}  // namespace array_interface
