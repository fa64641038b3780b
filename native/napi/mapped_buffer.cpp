#include "napi/mapped_buffer.hpp"

#include <cstdint>
#include <memory>
#include <utility>

#include "napi/handle.hpp"
#include "napi/object.hpp"

// napi.h does not declare it, because Electron has the function but it always fails there.
extern "C" NAPI_EXTERN napi_status NAPI_CDECL
napi_create_external_arraybuffer(napi_env env, void* data, size_t size, node_api_basic_finalize end,
                                 void* hint, napi_value* result);

namespace array_interface {

namespace {

/// Detaches a buffer. Returns false if it cannot be detached: JavaScript called
/// markAsUntransferable. From Node 24 on, napi_detach_arraybuffer ends the process then, and
/// `transfer`, which Node 20 lacks, throws.
bool Detach(Napi::Env env, napi_value buffer) {
  try {
    const auto prototype = env.Global().Get("ArrayBuffer").As<Napi::Object>().Get("prototype");
    const Napi::Value transfer = prototype.As<Napi::Object>().Get("transfer");
    if (!transfer.IsFunction()) return napi_detach_arraybuffer(env, buffer) == napi_ok;
    transfer.As<Napi::Function>().Call(buffer, {Napi::Number::New(env, 0)});
  } catch (const Napi::Error&) {
    return false;
  }
  bool is_detached = false;
  return napi_is_detached_arraybuffer(env, buffer, &is_detached) == napi_ok && is_detached;
}

}  // namespace

void MappedBuffer::OnFreed(napi_env env, void*, void* box) {
  const std::unique_ptr<Box> mapped(static_cast<Box*>(box));
  (*mapped)->is_freed_ = true;
  (*mapped)->LetGo(env);
}

void MappedBuffer::OnCollected(napi_env env, void*, void* box) {
  const std::unique_ptr<Box> mapped(static_cast<Box*>(box));
  (*mapped)->is_collected_ = true;
  (*mapped)->LetGo(env);
}

void MappedBuffer::LetGo(napi_env env) {
  if (!is_freed_ || !is_collected_) return;
  kept_ = nullptr;
  if (producer_ != nullptr) napi_delete_reference(env, std::exchange(producer_, nullptr));
  std::int64_t total = 0;
  if (is_reported_) napi_adjust_external_memory(env, -static_cast<std::int64_t>(size_), &total);
}

Napi::Value MappedBuffer::Make(Napi::Env env, void* data, std::size_t size,
                               std::shared_ptr<void> kept, bool is_for_kernels) {
  auto mapped = std::make_shared<MappedBuffer>(data, size, std::move(kept), is_for_kernels);
  auto* const box = new Box(mapped);
  napi_value buffer = nullptr;
  napi_status status =
      napi_create_external_arraybuffer(env, data, size, &MappedBuffer::OnFreed, box, &buffer);
  if (status != napi_ok && !mapped->is_freed_) delete box;  // Node may have called OnFreed already
  if (status == napi_ok) status = mapped->NoteCollection(env, buffer, mapped);
  if (status != napi_ok) {
    napi_value reason = nullptr;  // Node may have thrown
    napi_get_and_clear_last_exception(env, &reason);
    return env.Null();
  }
  return MakeObject(env, {
                             {"buffer", Napi::Value(env, buffer)},
                             {"mapped", Handle<MappedBuffer>::Wrap(env, std::move(mapped))},
                         });
}

napi_status MappedBuffer::NoteCollection(napi_env env, napi_value buffer, const Box& self) {
  is_collected_ = is_for_kernels_;
  if (is_collected_) return napi_ok;
  auto box = std::make_unique<Box>(self);
  const napi_status status =
      napi_add_finalizer(env, buffer, nullptr, &MappedBuffer::OnCollected, box.get(), nullptr);
  if (status == napi_ok) [[maybe_unused]]
    Box* const of_finalizer = box.release();
  is_collected_ = status != napi_ok;  // JavaScript never gets the buffer
  return status;
}

void MappedBuffer::End(Napi::Env env, napi_value buffer, const Napi::Value& producer) {
  void* data = nullptr;  // stays null for a detached buffer
  std::size_t size = 0;
  if (napi_get_arraybuffer_info(env, buffer, &data, &size) != napi_ok || data != data_) return;
  const bool is_detached = Detach(env, buffer);
  if (is_for_kernels_) {
    if (is_detached) kept_ = nullptr;
    return;
  }
  if (producer_ == nullptr && producer.IsObject()) {
    napi_create_reference(env, producer, 1, &producer_);
  }
  // Reports the bytes to V8, so that it collects before there are many such buffers.
  std::int64_t total = 0;
  is_reported_ =
      napi_adjust_external_memory(env, static_cast<std::int64_t>(size_), &total) == napi_ok;
}

Napi::Value UnmapBuffer(const Napi::CallbackInfo& info) {
  Handle<MappedBuffer>::Unwrap(info[0], "mapped")->End(info.Env(), info[1], info[2]);
  return info.Env().Undefined();
}

}  // namespace array_interface
