#include "values/integer.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "napi/failure.hpp"
#include "values/error.hpp"

namespace array_interface {

namespace {

constexpr std::size_t kDigits = 16;  ///< hexadecimal digits in a word of 64 bits

int DigitOf(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

std::string ToHex(bool is_negative, const std::vector<std::uint64_t>& words) {
  std::string hex = is_negative ? "-" : "";
  hex.reserve(words.size() * kDigits + 1);
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    for (int shift = 60; shift >= 0; shift -= 4) hex += "0123456789abcdef"[(*word >> shift) & 15];
  }
  return hex;
}

/// The words of unsigned digits, least significant first.
std::vector<std::uint64_t> FromHex(const char* digits, std::size_t count) {
  std::vector<std::uint64_t> words((count + kDigits - 1) / kDigits);
  for (std::size_t i = 0; i < count; i++) {
    const std::size_t place = count - 1 - i;
    words[place / kDigits] |= static_cast<std::uint64_t>(DigitOf(digits[i]))
                              << (4 * (place % kDigits));
  }
  return words;
}

Napi::Value LargeToJavaScript(Napi::Env env, PyObject* integer) {
  const Reference text = Checked(env, Py().PyNumber_ToBase(integer, 16));
  Py_ssize_t size = 0;
  const char* hex = Py().PyUnicode_AsUTF8AndSize(text.get(), &size);  // as -0x1f
  if (hex == nullptr) ThrowPending(env);
  const bool is_negative = hex[0] == '-';
  const std::size_t prefix = is_negative ? 3 : 2;
  const auto words = FromHex(hex + prefix, static_cast<std::size_t>(size) - prefix);
  napi_value bigint = nullptr;
  if (napi_create_bigint_words(env, is_negative ? 1 : 0, words.size(), words.data(), &bigint) ==
      napi_ok) {
    return {env, bigint};
  }
  napi_value reason = nullptr;
  napi_get_and_clear_last_exception(env, &reason);
  Throw(env, {"ERR_OVERFLOW", "",
              "expected an int that fits a bigint, got one of " + std::to_string(words.size()) +
                  " 64-bit words; pass it as bytes",
              "", 0, ""});
}

}  // namespace

Napi::Value Integer(Napi::Env env, std::int64_t integer) {
  if (!IsSafe(integer)) return Napi::BigInt::New(env, integer);
  return Napi::Number::New(env, static_cast<double>(integer));
}

Reference BigintToPython(napi_env env, napi_value bigint) {
  std::int64_t small = 0;
  bool is_lossless = false;
  napi_get_value_bigint_int64(env, bigint, &small, &is_lossless);
  if (is_lossless) return Reference::Take(Py().PyLong_FromLongLong(small));
  std::size_t count = 0;
  napi_get_value_bigint_words(env, bigint, nullptr, &count, nullptr);
  std::vector<std::uint64_t> words(count);
  int sign = 0;
  napi_get_value_bigint_words(env, bigint, &sign, &count, words.data());
  return Reference::Take(Py().PyLong_FromString(ToHex(sign != 0, words).c_str(), nullptr, 16));
}

Napi::Value IntegerToJavaScript(Napi::Env env, PyObject* integer) {
  int overflow = 0;
  const long long value = Py().PyLong_AsLongLongAndOverflow(integer, &overflow);
  if (overflow != 0) return LargeToJavaScript(env, integer);
  if (value == -1 && Py().PyErr_Occurred() != nullptr) ThrowPending(env);
  return Integer(env, value);
}

}  // namespace array_interface
