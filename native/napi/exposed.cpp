#include "napi/exposed.hpp"

#include <memory>

#include "napi/handle.hpp"

// napi.h leaves it out because of Electron, which has the function but refuses.
extern "C" NAPI_EXTERN napi_status NAPI_CDECL
napi_create_external_arraybuffer(napi_env env, void* data, size_t size, node_api_basic_finalize end,
                                 void* hint, napi_value* result);

namespace array_interface {

void Exposed::OnFreed(napi_env env, void*, void* box) {
  const std::unique_ptr<Box> exposed(static_cast<Box*>(box));
  Exposed& self = **exposed;
  self.is_freed_ = true;
  self.kept_ = nullptr;
  if (self.producer_ != nullptr) napi_delete_reference(env, self.producer_);
  self.producer_ = nullptr;
}

Napi::Value Exposed::Make(Napi::Env env, void* data, std::size_t size, std::shared_ptr<void> kept) {
  auto exposed = std::make_shared<Exposed>(data, std::move(kept));
  auto* const box = new Box(exposed);
  napi_value buffer = nullptr;
  const napi_status status =
      napi_create_external_arraybuffer(env, data, size, &Exposed::OnFreed, box, &buffer);
  if (status != napi_ok) {
    if (!exposed->is_freed_) delete box;  // Node may have ended it before it says so
    napi_value reason = nullptr;          // Node may have thrown meanwhile
    napi_get_and_clear_last_exception(env, &reason);
    return env.Null();
  }
  auto made = Napi::Object::New(env);
  made["buffer"] = Napi::Value(env, buffer);
  made["exposed"] = Handle<Exposed>::Wrap(env, std::move(exposed));
  return made;
}

void Exposed::End(Napi::Env env, napi_value buffer, const Napi::Value& producer) {
  void* data = nullptr;  // stays so for a detached buffer
  std::size_t size = 0;
  if (napi_get_arraybuffer_info(env, buffer, &data, &size) != napi_ok || data != data_) return;
  if (napi_detach_arraybuffer(env, buffer) != napi_ok) return;
  if (!producer.IsObject() && !producer.IsFunction()) return;
  // Node may call OnFreed when the event loop turns, and not before.
  if (producer_ == nullptr) napi_create_reference(env, producer, 1, &producer_);
}

Napi::Value Conceal(const Napi::CallbackInfo& info) {
  Handle<Exposed>::Unwrap(info[0], "exposed")->End(info.Env(), info[1], info[2]);
  return info.Env().Undefined();
}

}  // namespace array_interface
