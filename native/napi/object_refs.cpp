#include "napi/object_refs.hpp"

namespace array_interface {

ObjectRefs::ObjectRefs(Napi::Env env) : env_(env), dropped_(std::make_shared<Dropped>()) {
  dropped_->notify = Notify::New(env, "array-interface kept objects", 0, 1, dropped_.get());
  dropped_->notify.Unref(env);
  // Hooks run last in, first out, so this one runs before the thread-safe function is torn down.
  env.AddCleanupHook([](ObjectRefs* kept) { kept->Stop(); }, this);
}

void ObjectRefs::Stop() {
  const std::lock_guard lock(dropped_->mutex);
  dropped_->ended = true;
  for (napi_ref reference : dropped_->alive) napi_delete_reference(env_, reference);
  dropped_->alive.clear();
}

std::shared_ptr<void> ObjectRefs::Keep(Napi::Object object) { return KeepReference(object, false); }

std::function<std::shared_ptr<void>()> ObjectRefs::KeeperOf(const Napi::Value& object) {
  if (!object.IsObject() && !object.IsFunction()) return nullptr;
  auto weak = std::make_shared<Napi::ObjectReference>(Napi::Weak(object.As<Napi::Object>()));
  return [this, weak]() -> std::shared_ptr<void> {
    const Napi::HandleScope scope(env_);
    const Napi::Object alive = weak->Value();
    return alive.IsEmpty() ? nullptr : Keep(alive);
  };
}

std::shared_ptr<void> ObjectRefs::KeepUntilCalled(Napi::Function let_go) {
  return KeepReference(let_go, true);
}

std::shared_ptr<void> ObjectRefs::KeepReference(Napi::Object object, bool is_called) {
  napi_ref reference = nullptr;
  if (napi_create_reference(object.Env(), object, 1, &reference) != napi_ok) return nullptr;
  {
    const std::lock_guard lock(dropped_->mutex);
    dropped_->alive.insert(reference);
  }
  const auto drop = [dropped = dropped_, is_called](void* ended) {
    const std::lock_guard lock(dropped->mutex);
    if (dropped->ended) return;  // its environment deleted the reference
    dropped->references.push_back({static_cast<napi_ref>(ended), is_called});
    if (dropped->references.size() == 1) dropped->notify.NonBlockingCall();
  };
  return {static_cast<void*>(reference), drop};
}

void ObjectRefs::OnDropped(Napi::Env env, Napi::Function, Dropped* dropped, void*) {
  if (static_cast<napi_env>(env) == nullptr) return;
  std::vector<Reference> references;
  {
    const std::lock_guard lock(dropped->mutex);
    if (dropped->ended) return;
    references.swap(dropped->references);
    for (const auto& one : references) dropped->alive.erase(one.reference);
  }
  for (const auto& [reference, is_called] : references) {
    napi_value let_go = nullptr;
    if (is_called) napi_get_reference_value(env, reference, &let_go);
    napi_delete_reference(env, reference);
    if (let_go == nullptr) continue;
    try {
      Napi::Function(env, let_go).Call({});
    } catch (const Napi::Error&) {
    }
  }
}

}  // namespace array_interface
