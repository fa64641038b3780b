#include "lent/lend.hpp"

#include <array>
#include <memory>
#include <optional>

#include "interpreter/python_addon.hpp"
#include "lent/lent_memory.hpp"
#include "napi/failure.hpp"
#include "values/error.hpp"

namespace array_interface {

namespace {

/// A kind that Node-API does not name.
constexpr auto kUnknown = static_cast<napi_typedarray_type>(15);

struct Element {
  std::size_t size;
  const char* format;
};

/// By Node-API's number of the kind: from int8 to float64, the two of bigints, and float16, which
/// its headers have since Node 24. In `struct`'s native letters: memoryview does not index others.
constexpr std::array<Element, 12> kElements{{{1, "b"},
                                             {1, "B"},
                                             {1, "B"},
                                             {2, "h"},
                                             {2, "H"},
                                             {4, "i"},
                                             {4, "I"},
                                             {4, "f"},
                                             {8, "d"},
                                             {8, "q"},
                                             {8, "Q"},
                                             {2, "e"}}};

struct Memory {
  napi_value buffer;
  LentElements elements;
};

std::optional<Memory> MemoryOf(Napi::Env env, napi_value value) {
  void* data = nullptr;
  std::size_t size = 0;
  napi_value buffer = nullptr;
  napi_typedarray_type type = kUnknown;
  if (napi_get_typedarray_info(env, value, &type, &size, &data, &buffer, nullptr) == napi_ok) {
    const auto kind = static_cast<std::size_t>(type);
    if (kind >= kElements.size()) return std::nullopt;  // one of a later Node
    return Memory{buffer, {data, size, kElements[kind].size, kElements[kind].format}};
  }
  if (napi_get_dataview_info(env, value, &size, &data, &buffer, nullptr) == napi_ok) {
    return Memory{buffer, {data, size, 1, "B"}};
  }
  if (napi_get_arraybuffer_info(env, value, &data, &size) == napi_ok) {
    return Memory{value, {data, size, 1, "B"}};
  }
  return std::nullopt;
}

/// Calls V8's own getter, which runs no JavaScript.
bool IsResizable(Napi::Env env, napi_value buffer) {
  napi_value answer = nullptr;
  bool is_resizable = false;
  const napi_value getter = PythonAddon::Of(env).taught->resizable.Value();
  if (napi_call_function(env, buffer, getter, 0, nullptr, &answer) != napi_ok) return false;
  napi_get_value_bool(env, answer, &is_resizable);
  return is_resizable;
}

/// Throws for a buffer whose memory may go away while Python has it.
void CheckBuffer(Napi::Env env, napi_value buffer, const ValuePath& place) {
  bool is_detached = false;
  napi_is_detached_arraybuffer(env, buffer, &is_detached);
  if (is_detached) {
    Throw(env, {"ERR_DISPOSED", place.Text(env),
                "expected memory, got that of a detached buffer; pass it before it is transferred",
                "", 0, ""});
  }
  if (IsResizable(env, buffer)) {
    Throw(env,
          {"ERR_NOT_ACCESSIBLE", place.Text(env),
           "expected memory that stays, got that of a resizable buffer, which may shrink; pass "
           "array.slice()",
           "", 0, ""});
  }
}

}  // namespace

Reference LendToPython(Napi::Env env, napi_value value, const ValuePath& place) {
  const auto memory = MemoryOf(env, value);
  if (!memory) return {};
  bool can_detach = false;  // shared memory cannot
  napi_is_arraybuffer(env, memory->buffer, &can_detach);
  if (can_detach) CheckBuffer(env, memory->buffer, place);
  PythonAddon& addon = PythonAddon::Of(env);
  if (!addon.taught->is_main_thread) return Checked(env, ViewOfCopy(memory->elements));
  auto lent = std::make_shared<Lent>();
  Reference view = Checked(env, ViewOfMemory(memory->elements, lent));
  addon.lent.Add(std::move(lent), memory->buffer);
  return view;
}

}  // namespace array_interface
