#include "napi/argument.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <vector>

#include "napi/failure.hpp"

namespace array_interface {

namespace {

constexpr double kLargestSafeInteger = 9007199254740991.0;

[[noreturn]] void Refuse(const Napi::Value& value, const char* path, const char* expected) {
  Throw(value.Env(),
        {"ERR_TYPE", path, std::string("expected ") + expected + ", got another value", "", 0, ""});
}

std::vector<std::int64_t> ReadIntegers(const Napi::Value& value, const char* path) {
  if (!value.IsArray()) Refuse(value, path, "a list of integers");
  auto list = value.As<Napi::Array>();
  const std::uint32_t length = list.Length();  // read once: getters of entries may change it
  if (length > maximum_rank) Refuse(value, path, "at most 64 integers");
  std::vector<std::int64_t> integers(length);
  for (std::uint32_t i = 0; i < length; i++) integers[i] = ReadInteger(list.Get(i), path);
  return integers;
}

ElementType ReadElementType(const Napi::Value& value, const char* path) {
  const std::string name = ReadString(value, path);
  const auto* const end = std::end(element_type_names);
  const auto* const found = std::find(std::begin(element_type_names), end, name);
  if (found == end) Refuse(value, path, "a number type such as \"f4\"");
  return static_cast<ElementType>(found - std::begin(element_type_names));
}

bool ReadFlag(const Napi::Value& value, const char* path) {
  if (!value.IsBoolean()) Refuse(value, path, "true or false");
  return value.As<Napi::Boolean>().Value();
}

std::optional<Conversion> ReadConversion(const Napi::Value& value) {
  if (value.IsNull()) return std::nullopt;
  if (!value.IsObject()) Refuse(value, "conversion", "a conversion or null");
  auto object = value.As<Napi::Object>();
  return Conversion{ReadElementType(object.Get("from"), "conversion.from"),
                    ReadElementType(object.Get("to"), "conversion.to"),
                    ReadFlag(object.Get("swapsSource"), "conversion.swapsSource"),
                    ReadFlag(object.Get("swapsDestination"), "conversion.swapsDestination"),
                    ReadFlag(object.Get("rounds"), "conversion.rounds")};
}

}  // namespace

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
  if (std::trunc(number) != number || std::abs(number) > kLargestSafeInteger) {
    Refuse(value, path, "a safe integer");
  }
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

StridedCopy ReadPlan(const Napi::Value& value) {
  if (!value.IsObject()) Refuse(value, "plan", "a copy plan");
  auto plan = value.As<Napi::Object>();
  StridedCopy copy;
  copy.destination = reinterpret_cast<void*>(ReadPointer(plan.Get("destination"), "destination"));
  copy.source = reinterpret_cast<const void*>(ReadPointer(plan.Get("source"), "source"));
  copy.unit =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(ReadSize(plan.Get("unit"), "unit"), 255));
  copy.lengths = ReadIntegers(plan.Get("shape"), "shape");
  copy.destination_strides = ReadIntegers(plan.Get("destinationStrides"), "destinationStrides");
  copy.source_strides = ReadIntegers(plan.Get("sourceStrides"), "sourceStrides");
  copy.conversion = ReadConversion(plan.Get("conversion"));
  const std::size_t rank = copy.lengths.size();
  if (copy.destination_strides.size() != rank || copy.source_strides.size() != rank) {
    Refuse(value, "plan", "one stride for each side and axis");
  }
  return copy;
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

void CheckWithin(Napi::Env env, const StridedCopy& copy, bool source, std::size_t size,
                 const char* path) {
  const auto& strides = source ? copy.source_strides : copy.destination_strides;
  const auto start = reinterpret_cast<std::uintptr_t>(source ? copy.source : copy.destination);
  __int128 low = static_cast<__int128>(start);
  __int128 high = low + (source ? copy.source_unit() : copy.unit);
  for (std::size_t axis = 0; axis < copy.lengths.size(); axis++) {
    if (copy.lengths[axis] == 0) return;
    const __int128 reach = static_cast<__int128>(copy.lengths[axis] - 1) * strides[axis];
    (reach < 0 ? low : high) += reach;
  }
  if (low >= 0 && high <= static_cast<__int128>(size)) return;
  Throw(env, {"ERR_OUT_OF_BOUNDS", path,
              "expected elements within " + std::to_string(size) +
                  " bytes, got a layout that exceeds them; was the buffer detached or resized?",
              "", 0, ""});
}

}  // namespace array_interface
