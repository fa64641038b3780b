#include "values/names.hpp"

#include <array>

#include "interpreter/python_addon.hpp"
#include "napi/failure.hpp"
#include "values/error.hpp"
#include "values/shown.hpp"
#include "values/text.hpp"

namespace array_interface {

Reference NameToPython(const Napi::Value& name) {
  const Napi::Env env = name.Env();
  // one extra unit shows that the name is longer
  std::array<char16_t, NameCache::kLongest + 2> units;
  std::size_t length = 0;
  if (napi_get_value_string_utf16(env, name, units.data(), units.size(), &length) != napi_ok) {
    Throw(env, {"ERR_TYPE", "name", "expected a name, got " + Shown(name) + "; pass a string", "",
                0, ""});
  }
  Reference found = length <= NameCache::kLongest
                        ? PythonAddon::Of(env).names.Find(units.data(), length)
                        : TextToPython(env, name);
  return Checked(env, found.Give());
}

}  // namespace array_interface
