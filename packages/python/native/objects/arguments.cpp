#include "objects/arguments.hpp"

#include <string>

#include "napi/failure.hpp"
#include "values/elements.hpp"
#include "values/error.hpp"
#include "values/names.hpp"
#include "values/shown.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

[[noreturn]] void Refuse(const Napi::Value& value, const char* path, const char* expected,
                         const char* advice) {
  Throw(value.Env(),
        {"ERR_TYPE", path,
         std::string("expected ") + expected + ", got " + Shown(value) + "; " + advice, "", 0, ""});
}

bool IsNothing(const Napi::Value& value) { return value.IsUndefined() || value.IsNull(); }

}  // namespace

ReadArguments::ReadArguments(const Napi::Value& args, const Napi::Value& kwargs)
    : env_(args.Env()) {
  if (!IsNothing(args)) ReadList(args);
  if (!IsNothing(kwargs)) ReadNamed(kwargs);
}

void ReadArguments::ReadList(const Napi::Value& args) {
  if (!args.IsArray()) {
    Refuse(args, "args", "an array of arguments", "put them in an array");
  }
  positional_ = ElementsOf(env_, args, ValuePath("args"));
}

void ReadArguments::ReadNamed(const Napi::Value& kwargs) {
  if (!kwargs.IsObject() || kwargs.IsArray() || kwargs.IsFunction()) {
    Refuse(kwargs, "kwargs", "an object of keyword arguments", "pass { name: value }");
  }
  constexpr auto kOwn = static_cast<napi_key_filter>(napi_key_enumerable | napi_key_skip_symbols);
  napi_value names = nullptr;
  CheckOk(env_, napi_get_all_property_names(env_, kwargs, napi_key_own_only, kOwn,
                                            napi_key_numbers_to_strings, &names));
  names_ = ElementsOf(env_, names, ValuePath("kwargs"));
  named_.resize(names_.size());
  for (std::size_t i = 0; i < names_.size(); i++) {
    CheckOk(env_, napi_get_property(env_, kwargs, names_[i], &named_[i]));
  }
}

Arguments::Arguments(const ReadArguments& read, PyObject* object)
    : positional_(read.positional_.size()) {
  const Napi::Env env = read.env_;
  values_.reserve(positional_ + read.named_.size());
  const ValuePath args("args");
  for (std::size_t i = 0; i < positional_; i++) {
    values_.push_back(ToPython(Napi::Value(env, read.positional_[i]), ValuePath(args, i)));
  }
  const ValuePath kwargs("kwargs");
  for (std::size_t i = 0; i < read.named_.size(); i++) {
    values_.push_back(
        ToPython(Napi::Value(env, read.named_[i]), ValuePath(kwargs, read.names_[i])));
  }
  borrowed_.reserve(values_.size() + 1);
  borrowed_.push_back(object);
  for (const Reference& value : values_) borrowed_.push_back(value.get());
  if (read.names_.empty()) return;
  names_ = Checked(env, Py().PyTuple_New(static_cast<Py_ssize_t>(read.names_.size())));
  for (std::size_t i = 0; i < read.names_.size(); i++) {
    Reference name = NameToPython(Napi::Value(env, read.names_[i]));
    Py().PyTuple_SetItem(names_.get(), static_cast<Py_ssize_t>(i), name.Give());
  }
}

}  // namespace array_interface
