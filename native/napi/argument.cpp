#include "napi/argument.hpp"

#include <cmath>

#include "napi/failure.hpp"

namespace array_interface {

namespace {

[[noreturn]] void Refuse(const Napi::Value& value, const char* path, const char* expected) {
  Throw(value.Env(),
        {"ERR_TYPE", path, std::string("expected ") + expected + ", got another value", "", 0, ""});
}

}  // namespace

bool IsSafeInteger(double number) noexcept {
  constexpr double kLargest = 9007199254740991.0;
  return std::trunc(number) == number && std::abs(number) <= kLargest;
}

// Here and below, one Node-API call checks and reads a value, because each copy does so for every
// argument.
std::uint64_t ReadPointer(const Napi::Value& value, const char* path) {
  std::uint64_t pointer = 0;
  bool lossless = false;
  if (napi_get_value_bigint_uint64(value.Env(), value, &pointer, &lossless) != napi_ok) {
    Refuse(value, path, "a bigint");
  }
  if (lossless) return pointer;
  Throw(value.Env(),
        {"ERR_POINTER_RANGE", path,
         "expected a pointer from 0 to 2^64 - 1, got one outside that range", "", 0, ""});
}

std::int64_t ReadInteger(const Napi::Value& value, const char* path) {
  double number = 0;
  if (napi_get_value_double(value.Env(), value, &number) != napi_ok) {
    Refuse(value, path, "a safe integer");
  }
  if (!IsSafeInteger(number)) Refuse(value, path, "a safe integer");
  return static_cast<std::int64_t>(number);
}

std::uint64_t ReadSize(const Napi::Value& value, const char* path) {
  const std::int64_t integer = ReadInteger(value, path);
  if (integer < 0) Refuse(value, path, "a safe integer of 0 or more");
  return static_cast<std::uint64_t>(integer);
}

std::string ReadString(const Napi::Value& value, const char* path) {
  if (!value.IsString()) Refuse(value, path, "a string");
  return value.As<Napi::String>().Utf8Value();
}

Bytes ReadBytes(const Napi::Value& value, const char* path) {
  if (!value.IsTypedArray()) Refuse(value, path, "a Uint8Array");
  auto array = value.As<Napi::TypedArray>();
  if (array.TypedArrayType() != napi_uint8_array) Refuse(value, path, "a Uint8Array");
  // Calls the C function, because Napi::TypedArray requires an ArrayBuffer, and a SharedArrayBuffer
  // is not one.
  void* data = nullptr;
  std::size_t size = 0;
  const napi_status status =
      napi_get_typedarray_info(value.Env(), value, nullptr, &size, &data, nullptr, nullptr);
  if (status != napi_ok) Refuse(value, path, "a Uint8Array that is not detached");
  return {static_cast<std::byte*>(data), size};
}

}  // namespace array_interface
