#include "objects/call.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/entry.hpp"
#include "napi/exports.hpp"
#include "objects/arguments.hpp"
#include "objects/object.hpp"
#include "objects/vectorcall.hpp"
#include "objects/wrapped.hpp"
#include "values/error.hpp"
#include "values/names.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

/// How many arguments the fast functions take, besides the object and a method's name.
constexpr std::size_t kFew = 4;

/// The object itself, and the arguments from `first` on.
class Few {
 public:
  Few(const Napi::CallbackInfo& info, std::size_t first, PyObject* object)
      : count_(info.Length() > first ? std::min(info.Length() - first, kFew) : 0) {
    borrowed_[0] = object;
    const ValuePath args("args");
    for (std::size_t i = 0; i < count_; i++) {
      values_[i] = ToPython(info[first + i], ValuePath(args, i));
      borrowed_[i + 1] = values_[i].get();
    }
  }

  PyObject* const* with_object() const { return borrowed_.data(); }
  PyObject* const* values() const { return borrowed_.data() + 1; }
  std::size_t count() const { return count_; }

 private:
  std::size_t count_;
  std::array<Reference, kFew> values_;
  std::array<PyObject*, kFew + 1> borrowed_;
};

/// Gives the result of a call, or throws what it raised. The arguments have gone by then: memory
/// that they lent, and that Python has dropped, needs no keeping while an error is made.
template <Giver As>
Napi::Value Give(Napi::Env env, Reference result) {
  return As(env, Checked(env, std::move(result)).get());
}

Napi::Value CallFew(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  Reference result;
  {
    const Few few(info, 1, self.get());
    result = CallWith(self.get(), few.values(), few.count());
  }
  return Give<ToJavaScript>(info.Env(), std::move(result));
}

Napi::Value CallMethodFew(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Reference name = NameToPython(info[1]);
  Reference result;
  {
    const Few few(info, 2, self.get());
    result = CallMethodWith(name.get(), few.with_object(), few.count() + 1);
  }
  return Give<ToJavaScript>(info.Env(), std::move(result));
}

template <Giver As>
Napi::Value Call(const Napi::CallbackInfo& info) {
  const auto hold = NeedObject(info[0]);
  const ReadArguments read(info[1], info[2]);
  const Entry entry(info.Env());
  Reference result;
  {
    const Arguments arguments(read, hold->object());
    result =
        CallWith(hold->object(), arguments.values(), arguments.positional(), arguments.names());
  }
  return Give<As>(info.Env(), std::move(result));
}

template <Giver As>
Napi::Value CallMethod(const Napi::CallbackInfo& info) {
  const auto hold = NeedObject(info[0]);
  const ReadArguments read(info[2], info[3]);
  const Entry entry(info.Env());
  const Reference name = NameToPython(info[1]);
  Reference result;
  {
    const Arguments arguments(read, hold->object());
    result = CallMethodWith(name.get(), arguments.with_object(), arguments.positional() + 1,
                            arguments.names());
  }
  return Give<As>(info.Env(), std::move(result));
}

}  // namespace

void ExportCall(Napi::Object exports) {
  AddExports(exports, {{"callFew", kFunction<CallFew>},
                       {"callMethodFew", kFunction<CallMethodFew>},
                       {"call", kFunction<Call<ToJavaScript>>},
                       {"rawCall", kFunction<Call<Wrapped>>},
                       {"callMethod", kFunction<CallMethod<ToJavaScript>>},
                       {"rawCallMethod", kFunction<CallMethod<Wrapped>>}});
}

}  // namespace array_interface
