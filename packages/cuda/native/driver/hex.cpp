#include "driver/hex.hpp"

#include <string>

#include "napi/argument.hpp"
#include "napi/failure.hpp"

namespace array_interface::cuda {

namespace {

constexpr char kDigits[] = "0123456789abcdef";

}  // namespace

Napi::String ToHex(Napi::Env env, const unsigned char* bytes, std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; i++) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return Napi::String::New(env, text);
}

void FromHex(const Napi::Value& value, const char* path, unsigned char* bytes, std::size_t size) {
  const std::string text = ReadString(value, path);
  const std::string digits = kDigits;
  const bool is_hex = text.find_first_not_of(digits) == std::string::npos;
  if (!is_hex || text.size() != 2 * size) {
    Throw(value.Env(), {"ERR_TYPE", path,
                        "expected " + std::to_string(2 * size) +
                            " lowercase hexadecimal digits, got another string",
                        "", 0, ""});
  }
  for (std::size_t i = 0; i < size; i++) {
    bytes[i] =
        static_cast<unsigned char>(digits.find(text[2 * i]) * 16 + digits.find(text[2 * i + 1]));
  }
}

}  // namespace array_interface::cuda
