#include "arrays_out/array_object.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "array_interface.h"
#include "arrays_out/array_types.hpp"
#include "arrays_out/shared_array.hpp"
#include "interpreter/entry.hpp"
#include "napi/exports.hpp"
#include "napi/failure.hpp"
#include "objects/object.hpp"
#include "values/error.hpp"
#include "values/shown.hpp"

namespace array_interface {

namespace {

ai_array* TakeArray(const Napi::Value& capsule) {
  const Napi::Env env = capsule.Env();
  ai_array* const array = ai_unwrap(env, capsule);
  if (array == nullptr) {
    const bool is_used = ai_is_capsule(env, capsule);
    Throw(env, {"ERR_TYPE", "array",
                "expected an unused capsule, got " + (is_used ? "a used one" : Shown(capsule)) +
                    "; pass an array",
                "", 0, ""});
  }
  if (array->abi == AI_ABI) return array;
  const std::string version = std::to_string(array->abi);
  array->release(array);
  Throw(env, {"ERR_VERSION", "array",
              "expected an array of version " + std::to_string(AI_ABI) +
                  " of array_interface.h, got version " + version +
                  "; build its addon with the header of @array-interface/abi",
              "", 0, ""});
}

std::shared_ptr<SharedArray> Share(Napi::Env env, ai_array* array, SharedArray::Words words) {
  try {
    return std::make_shared<SharedArray>(array, std::move(words));
  } catch (const std::overflow_error& error) {
    array->release(array);
    Throw(env, {"ERR_OVERFLOW", "array", error.what(), "", 0, ""});
  } catch (...) {
    array->release(array);
    throw;
  }
}

std::string TextOrNone(const Napi::Value& value) {
  return value.IsString() ? value.As<Napi::String>().Utf8Value() : std::string();
}

/// toPython(capsule, readOnly, descr, format, typestr): returns a PyObject for the array in a
/// capsule. `descr` and `format` are null if the typestr describes the element, `typestr` if the
/// capsule has the elements themselves and not their bytes.
Napi::Value ToPythonObject(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  SharedArray::Words words{info[1].ToBoolean(), TextOrNone(info[4]), TextOrNone(info[2]),
                           TextOrNone(info[3])};
  auto shared = Share(env, TakeArray(info[0]), std::move(words));
  const Entry entry(env);
  return WrapObject(env, Checked(env, MakeArrayObject(std::move(shared)).Give()));
}

}  // namespace

void ExportArrayObject(Napi::Object exports) {
  AddExports(exports, {{"toPython", kFunction<ToPythonObject>}});
}

}  // namespace array_interface
