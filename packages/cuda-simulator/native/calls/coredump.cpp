#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "base/driver_api.hpp"
#include "base/handle_table.hpp"
#include "base/notice.hpp"
#include "driver/call.hpp"

// Settings of core dumps are kept. No dump is ever written, so the functions that wait for one are
// never called.

using namespace array_interface::cuda_simulator;

namespace {

enum Attribute { on_exception = 1, trigger_host, lightweight, user_trigger, file, pipe, flags };

constexpr std::size_t text_size = 1024;                   // with the 0 at its end
constexpr std::uint32_t known_flags = 0x1FFu | 3u << 30;  // CUCoredumpGenerationFlags
constexpr unsigned context_dumps = 0x20;                  // CU_CTX_COREDUMP_ENABLE
const std::string yes(1, '\1');

using Values = std::map<int, std::string>;  // as bytes, by attribute

/// What holds for every context that has no value of its own.
struct Global {
  std::mutex mutex;
  Values values;
};

Global& global() { return immortal<Global>(); }

bool is_text(int attribute) { return attribute == file || attribute == pipe; }

std::size_t size_of(int attribute) {
  require(attribute >= on_exception && attribute <= flags);
  if (is_text(attribute)) return text_size;
  return attribute == flags ? sizeof(std::uint32_t) : sizeof(bool);
}

std::string file_name(const std::string& kind) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return kind + ".cuda." + host + "." + std::to_string(getpid());
}

std::string initial(int attribute) {
  if (attribute == file) return file_name("core");
  if (attribute == pipe) return file_name("corepipe");
  if (attribute == trigger_host) return yes;
  return std::string(size_of(attribute), '\0');
}

std::string global_value(int attribute) {
  const std::lock_guard lock(global().mutex);
  const auto found = global().values.find(attribute);
  return found == global().values.end() ? initial(attribute) : found->second;
}

std::string value_in(Context& context, int attribute) {
  const std::lock_guard lock(context.mutex);
  const auto found = context.coredump.find(attribute);
  if (found != context.coredump.end()) return found->second;
  if (attribute == on_exception && (context.flags & context_dumps) != 0) return yes;
  return global_value(attribute);
}

/// Tells the size, if the program gives no memory for a value. Returns whether it did.
bool told_size(int attribute, const void* value, std::size_t* size) {
  const std::size_t whole = size_of(attribute);
  require(size != nullptr);
  if (value == nullptr) *size = whole;
  return value == nullptr;
}

void tell(const std::string& bytes, int attribute, void* value, std::size_t size) {
  const std::size_t length = bytes.size() + (is_text(attribute) ? 1 : 0);
  require(size >= length);
  std::memcpy(value, bytes.c_str(), length);
}

/// Returns the bytes of a value that the program gives.
std::string given(int attribute, const void* value, std::size_t size) {
  const auto* const bytes = static_cast<const char*>(value);
  if (is_text(attribute)) {
    const std::size_t length = strnlen(bytes, size);
    require(length < text_size);
    return std::string(bytes, length);
  }
  require(size == size_of(attribute));
  if (attribute != flags) return std::string(1, *bytes == 0 ? '\0' : '\1');
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  require((bits & ~known_flags) == 0);
  return std::string(bytes, size);
}

void warn_if_dumps(int attribute, const std::string& bytes) {
  if (attribute != on_exception || bytes != yes) return;
  notice("CU_COREDUMP_ENABLE_ON_EXCEPTION is kept, but no core dump is ever written");
}

struct Listener {};
using Listeners = HandleTable<Listener, CUcoredumpCallbackHandle>;

Listeners& at_start() { return immortal<Listeners, 0xC5, CUDA_ERROR_INVALID_VALUE>(); }

Listeners& at_end() { return immortal<Listeners, 0xCE, CUDA_ERROR_INVALID_VALUE>(); }

CUresult listen(const char* symbol, Listeners& listeners, CUcoredumpStatusCallback function,
                CUcoredumpCallbackHandle* handle) {
  return plain_call(symbol, [&] {
    require(function != nullptr);
    const CUcoredumpCallbackHandle made = listeners.add(std::make_shared<Listener>());
    if (handle != nullptr) *handle = made;
  });
}

CUresult stop(const char* symbol, Listeners& listeners, CUcoredumpCallbackHandle handle) {
  return plain_call(symbol, [&] { listeners.take(handle); });
}

}  // namespace

CUresult cuCoredumpGetAttribute(int attribute, void* value, std::size_t* size) {
  return context_call(__func__, [&](Context& context) {
    if (told_size(attribute, value, size)) return;
    tell(value_in(context, attribute), attribute, value, *size);
  });
}

CUresult cuCoredumpGetAttributeGlobal(int attribute, void* value, std::size_t* size) {
  return plain_call(__func__, [&] {
    if (told_size(attribute, value, size)) return;
    tell(global_value(attribute), attribute, value, *size);
  });
}

CUresult cuCoredumpSetAttribute(int attribute, void* value, std::size_t* size) {
  return context_call(__func__, [&](Context& context) {
    if (told_size(attribute, value, size)) return;
    require(attribute != user_trigger && attribute != pipe, CUDA_ERROR_NOT_PERMITTED);
    const std::string bytes = given(attribute, value, *size);
    warn_if_dumps(attribute, bytes);
    const std::lock_guard lock(context.mutex);
    context.coredump[attribute] = bytes;
  });
}

/// The name of the pipe stays from the moment that the pipe is enabled.
CUresult cuCoredumpSetAttributeGlobal(int attribute, void* value, std::size_t* size) {
  return plain_call(__func__, [&] {
    if (told_size(attribute, value, size)) return;
    const bool is_fixed = attribute == pipe && global_value(user_trigger) == yes;
    require(!is_fixed, CUDA_ERROR_NOT_PERMITTED);
    const std::string bytes = given(attribute, value, *size);
    warn_if_dumps(attribute, bytes);
    const std::lock_guard lock(global().mutex);
    global().values[attribute] = bytes;
  });
}

CUresult cuCoredumpRegisterStartCallback(CUcoredumpStatusCallback function, void*,
                                         CUcoredumpCallbackHandle* handle) {
  return listen(__func__, at_start(), function, handle);
}

CUresult cuCoredumpRegisterCompleteCallback(CUcoredumpStatusCallback function, void*,
                                            CUcoredumpCallbackHandle* handle) {
  return listen(__func__, at_end(), function, handle);
}

CUresult cuCoredumpDeregisterStartCallback(CUcoredumpCallbackHandle handle) {
  return stop(__func__, at_start(), handle);
}

CUresult cuCoredumpDeregisterCompleteCallback(CUcoredumpCallbackHandle handle) {
  return stop(__func__, at_end(), handle);
}
