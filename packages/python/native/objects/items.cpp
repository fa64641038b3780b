#include "objects/items.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "napi/exports.hpp"
#include "napi/failure.hpp"
#include "objects/object.hpp"
#include "objects/wrapped.hpp"
#include "values/error.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

/// The key of arguments from 1 to `end`: one is the key itself, several are a tuple, as commas in
/// Python's brackets are.
Reference ReadKey(const Napi::CallbackInfo& info, std::size_t end) {
  const Napi::Env env = info.Env();
  if (end <= 1) {
    Throw(env,
          {"ERR_TYPE", "key",
           "expected a key, got none; pass one, and python.tuple() for object[()]", "", 0, ""});
  }
  const ValuePath keys("keys");
  // Made once all are converted: other threads may see a tuple that is half filled.
  std::vector<Reference> converted;
  for (std::size_t i = 1; i < end; i++) {
    converted.push_back(ToPython(info[i], ValuePath(keys, i - 1)));
  }
  if (converted.size() == 1) return std::move(converted.front());
  Reference tuple = Checked(env, Py().PyTuple_New(static_cast<Py_ssize_t>(converted.size())));
  Py_ssize_t i = 0;
  for (Reference& key : converted) Py().PyTuple_SetItem(tuple.get(), i++, key.Give());
  return tuple;
}

/// getItem(object, ...keys)
template <Giver Give>
Napi::Value GetItem(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Reference key = ReadKey(info, info.Length());
  const Reference value = Checked(info.Env(), Py().PyObject_GetItem(self.get(), key.get()));
  return Give(info.Env(), value.get());
}

/// setItem(object, ...keys, value)
void SetItem(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const std::size_t last = info.Length() - 1;
  const Reference key = ReadKey(info, last);
  const Reference value = ToPython(info[last], ValuePath("value"));
  if (Py().PyObject_SetItem(self.get(), key.get(), value.get()) != 0) ThrowPending(info.Env());
}

/// deleteItem(object, ...keys)
void DeleteItem(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Reference key = ReadKey(info, info.Length());
  if (Py().PyObject_DelItem(self.get(), key.get()) != 0) ThrowPending(info.Env());
}

/// contains(object, value)
Napi::Value Contains(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Reference value = ToPython(info[1], ValuePath("value"));
  const int contains = Py().PySequence_Contains(self.get(), value.get());
  if (contains < 0) ThrowPending(info.Env());
  return Napi::Boolean::New(info.Env(), contains == 1);
}

}  // namespace

void ExportItems(Napi::Object exports) {
  AddExports(exports, {{"getItem", kFunction<GetItem<ToJavaScript>>},
                       {"rawGetItem", kFunction<GetItem<Wrapped>>},
                       {"setItem", kFunction<SetItem>},
                       {"deleteItem", kFunction<DeleteItem>},
                       {"contains", kFunction<Contains>}});
}

}  // namespace array_interface
