#include "values/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "napi/failure.hpp"
#include "values/error.hpp"

namespace array_interface {

namespace {

/// Strings up to this length are converted without an allocation.
constexpr std::size_t kShort = 128;

Napi::Value Made(Napi::Env env, napi_status status, napi_value made) {
  if (status == napi_ok) return {env, made};
  napi_value reason = nullptr;
  napi_get_and_clear_last_exception(env, &reason);
  Throw(env, {"ERR_OVERFLOW", "",
              "expected text that fits a JavaScript string, got a longer one; read it in parts", "",
              0, ""});
}

}  // namespace

std::optional<std::string_view> Utf8In(PyObject* text) {
  Py_ssize_t size = 0;
  const char* const utf8 = Py().PyUnicode_AsUTF8AndSize(text, &size);
  if (utf8 != nullptr) return std::string_view(utf8, static_cast<std::size_t>(size));
  Py().PyErr_Clear();
  return std::nullopt;
}

Reference DecodeText(const char16_t* units, std::size_t length) {
  const bool is_ascii =
      std::all_of(units, units + length, [](char16_t unit) { return unit < 0x80; });
  if (is_ascii && length <= kShort) {
    std::array<char, kShort> ascii;
    std::copy(units, units + length, ascii.begin());
    return Reference::Take(
        Py().PyUnicode_FromStringAndSize(ascii.data(), static_cast<Py_ssize_t>(length)));
  }
  int byte_order = -1;  // little-endian, so that a mark at the start stays part of the text
  return Reference::Take(Py().PyUnicode_DecodeUTF16(reinterpret_cast<const char*>(units),
                                                    static_cast<Py_ssize_t>(2 * length),
                                                    "surrogatepass", &byte_order));
}

Reference TextToPython(napi_env env, napi_value string) {
  std::array<char16_t, kShort + 1> short_text;
  std::size_t length = 0;
  napi_get_value_string_utf16(env, string, short_text.data(), short_text.size(), &length);
  if (length < kShort) return DecodeText(short_text.data(), length);
  napi_get_value_string_utf16(env, string, nullptr, 0, &length);
  std::vector<char16_t> text(length + 1);
  napi_get_value_string_utf16(env, string, text.data(), text.size(), &length);
  return DecodeText(text.data(), length);
}

Napi::Value TextToJavaScript(Napi::Env env, PyObject* text) {
  napi_value made = nullptr;
  if (const auto utf8 = Utf8In(text)) {
    const napi_status status = napi_create_string_utf8(env, utf8->data(), utf8->size(), &made);
    return Made(env, status, made);
  }
  const Reference units =
      Checked(env, Py().PyUnicode_AsEncodedString(text, "utf-16-le", "surrogatepass"));
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  if (Py().PyBytes_AsStringAndSize(units.get(), &bytes, &size) != 0) ThrowPending(env);
  const napi_status status = napi_create_string_utf16(env, reinterpret_cast<const char16_t*>(bytes),
                                                      static_cast<std::size_t>(size / 2), &made);
  return Made(env, status, made);
}

}  // namespace array_interface
