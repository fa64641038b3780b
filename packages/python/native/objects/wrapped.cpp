#include "objects/wrapped.hpp"

#include <utility>

#include "interpreter/python_addon.hpp"
#include "napi/failure.hpp"
#include "objects/object.hpp"
#include "objects/outside_bytes.hpp"
#include "values/elements.hpp"
#include "values/shown.hpp"

namespace array_interface {

namespace {

void Drop(napi_env env, Box& box) {
  if (box.bytes != nullptr) box.bytes->Remove(env, box.hold->object());
  box.bytes = nullptr;
  box.hold = nullptr;
}

void Collected(napi_env env, void* data, void*) {
  auto* const box = static_cast<Box*>(data);
  const std::shared_ptr<Boxes> boxes = box->boxes;
  Drop(env, *box);
  boxes->Return(box);
}

/// Null if the value is no PyObject. Other addons wrap objects too, so the pointer proves itself
/// before it is read.
Box* BoxOf(napi_env env, napi_value value) {
  void* box = nullptr;
  if (napi_unwrap(env, value, &box) != napi_ok) return nullptr;
  return PythonAddon::Of(env).boxes->Has(box) ? static_cast<Box*>(box) : nullptr;
}

}  // namespace

Napi::Value WrapObject(Napi::Env env, Reference object) {
  const std::int64_t size = LargeSizeOf(object.get());
  const PythonAddon& addon = PythonAddon::Of(env);
  auto hold = std::make_shared<Hold>(std::move(object));
  napi_value made = nullptr;
  CheckOk(env, napi_new_instance(env, addon.taught->object_class.Value(), 0, nullptr, &made));
  Box* const box = addon.boxes->Take();
  if (napi_wrap(env, made, box, Collected, nullptr, nullptr) != napi_ok) {
    addon.boxes->Return(box);
    throw Napi::Error::New(env);
  }
  *box = {std::move(hold), nullptr, addon.boxes};
  if (size > 0) {
    box->bytes = addon.outside_bytes;
    box->bytes->Add(env, box->hold->object(), size);
  }
  return {env, made};
}

std::shared_ptr<Hold> UnwrapObject(const Napi::Value& value) {
  Box* const box = BoxOf(value.Env(), value);
  if (box == nullptr) return nullptr;
  if (box->hold != nullptr) return box->hold;
  Throw(value.Env(),
        {"ERR_DISPOSED", "",
         "expected a PyObject, got one that was disposed; dispose of it after its last use", "", 0,
         ""});
}

std::shared_ptr<Hold> NeedObject(const Napi::Value& value, const char* path) {
  auto hold = UnwrapObject(value);
  if (hold != nullptr) return hold;
  Throw(
      value.Env(),
      {"ERR_TYPE", path,
       "expected a PyObject, got " + Shown(value) + "; pass one that Python returned", "", 0, ""});
}

bool DropObject(const Napi::Value& value) {
  Box* const box = BoxOf(value.Env(), value);
  if (box == nullptr || box->hold == nullptr) return false;
  Drop(value.Env(), *box);
  return true;
}

}  // namespace array_interface
