#include <unistd.h>

#include <string>

#include "test/harness/gpu.hpp"

// Settings of core dumps, and functions that are to hear of something. Nothing happens here that
// they would hear of.

using namespace test;

namespace {

enum Attribute { on_exception = 1, trigger_host, lightweight, user_trigger, file, pipe, flags };

template <class Value>
Value value_of(CUresult (*get)(int, void*, std::size_t*), int attribute) {
  Value value{};
  std::size_t size = sizeof value;
  OK(get(attribute, &value, &size));
  return value;
}

std::string text_of(CUresult (*get)(int, void*, std::size_t*), int attribute) {
  char text[1024] = {};
  std::size_t size = sizeof text;
  OK(get(attribute, text, &size));
  return text;
}

template <class Value>
CUresult set(CUresult (*call)(int, void*, std::size_t*), int attribute, Value value) {
  std::size_t size = sizeof value;
  return call(attribute, &value, &size);
}

CUresult set_text(CUresult (*call)(int, void*, std::size_t*), int attribute, std::string text) {
  std::size_t size = text.size() + 1;
  return call(attribute, text.data(), &size);
}

}  // namespace

CASE("coredump: settings have the documented sizes and defaults, also before cuInit") {
  const std::pair<int, std::size_t> sizes[] = {
      {on_exception, 1}, {trigger_host, 1}, {lightweight, 1}, {user_trigger, 1},
      {file, 1024},      {pipe, 1024},      {flags, 4}};
  for (const auto& [attribute, expected] : sizes) {
    std::size_t size = 0;
    OK(cuCoredumpGetAttributeGlobal(attribute, nullptr, &size));
    EQUAL(size, expected);
  }
  std::size_t size = 8;
  FAILS(cuCoredumpGetAttribute(flags, nullptr, &size), CUDA_ERROR_NOT_INITIALIZED);
  use_device();
  for (const auto get : {cuCoredumpGetAttribute, cuCoredumpGetAttributeGlobal}) {
    EQUAL(value_of<bool>(get, on_exception), false);
    EQUAL(value_of<bool>(get, trigger_host), true);
    EQUAL(value_of<bool>(get, lightweight), false);
    EQUAL(value_of<bool>(get, user_trigger), false);
    EQUAL(value_of<int>(get, flags), 0);
    const std::string process = "." + std::to_string(getpid());
    EQUAL(text_of(get, file).find("core.cuda."), std::size_t{0});
    EQUAL(text_of(get, pipe).find("corepipe.cuda."), std::size_t{0});
    CHECK(text_of(get, file).find(process) != std::string::npos);
    for (const int unknown : {0, 8, -1}) {
      FAILS(get(unknown, nullptr, &size), CUDA_ERROR_INVALID_VALUE);
    }
    FAILS(get(flags, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
    char few[8];
    size = sizeof few;
    FAILS(get(file, few, &size), CUDA_ERROR_INVALID_VALUE);
  }
}

CASE("coredump: a context's setting is its own, and else that of the process") {
  const CUcontext second = use_device(1);
  use_device();
  OK(set(cuCoredumpSetAttributeGlobal, lightweight, true));
  EQUAL(value_of<bool>(cuCoredumpGetAttribute, lightweight), true);
  OK(set(cuCoredumpSetAttribute, lightweight, false));
  OK(set_text(cuCoredumpSetAttribute, file, "here.%p"));
  EQUAL(value_of<bool>(cuCoredumpGetAttribute, lightweight), false);
  EQUAL(text_of(cuCoredumpGetAttribute, file), "here.%p");
  EQUAL(value_of<bool>(cuCoredumpGetAttributeGlobal, lightweight), true);
  OK(cuCtxSetCurrent(second));
  EQUAL(value_of<bool>(cuCoredumpGetAttribute, lightweight), true);
  CHECK(text_of(cuCoredumpGetAttribute, file) != "here.%p");
  CUcontext dumping = nullptr;
  OK(cuCtxCreate_v2(&dumping, 0x20, 0));  // CU_CTX_COREDUMP_ENABLE
  EQUAL(value_of<bool>(cuCoredumpGetAttribute, on_exception), true);
}

CASE("coredump: a setting ends with its context") {
  use_device();
  OK(set(cuCoredumpSetAttribute, flags, 3));
  EQUAL(value_of<int>(cuCoredumpGetAttribute, flags), 3);
  OK(cuDevicePrimaryCtxReset_v2(0));
  use_device();
  EQUAL(value_of<int>(cuCoredumpGetAttribute, flags), 0);
}

CASE("coredump: what may not be set is refused") {
  use_device();
  FAILS(set(cuCoredumpSetAttribute, user_trigger, true), CUDA_ERROR_NOT_PERMITTED);
  FAILS(set_text(cuCoredumpSetAttribute, pipe, "pipe"), CUDA_ERROR_NOT_PERMITTED);
  OK(set_text(cuCoredumpSetAttributeGlobal, pipe, "pipe"));
  OK(set(cuCoredumpSetAttributeGlobal, user_trigger, true));
  FAILS(set_text(cuCoredumpSetAttributeGlobal, pipe, "other"), CUDA_ERROR_NOT_PERMITTED);
  EQUAL(text_of(cuCoredumpGetAttributeGlobal, pipe), "pipe");
  for (const auto call : {cuCoredumpSetAttribute, cuCoredumpSetAttributeGlobal}) {
    FAILS(set(call, 9, true), CUDA_ERROR_INVALID_VALUE);
    FAILS(set(call, flags, true), CUDA_ERROR_INVALID_VALUE);  // the size of a bool
    FAILS(set(call, flags, 1 << 20), CUDA_ERROR_INVALID_VALUE);
    FAILS(set_text(call, file, std::string(1024, 'x')), CUDA_ERROR_INVALID_VALUE);
    OK(set_text(call, file, std::string(1023, 'x')));
  }
}

CASE("coredump: listeners have handles of their own, which end once") {
  const auto hear = [](void*, int, CUdevice) {};
  CUcoredumpCallbackHandle first = nullptr;
  CUcoredumpCallbackHandle second = nullptr;
  FAILS(cuCoredumpRegisterStartCallback(nullptr, nullptr, &first), CUDA_ERROR_INVALID_VALUE);
  OK(cuCoredumpRegisterStartCallback(hear, nullptr, nullptr));
  OK(cuCoredumpRegisterStartCallback(hear, nullptr, &first));
  OK(cuCoredumpRegisterCompleteCallback(hear, nullptr, &second));
  CHECK(first != nullptr && second != nullptr && first != second);
  FAILS(cuCoredumpDeregisterStartCallback(second), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuCoredumpDeregisterCompleteCallback(first), CUDA_ERROR_INVALID_VALUE);
  OK(cuCoredumpDeregisterStartCallback(first));
  FAILS(cuCoredumpDeregisterStartCallback(first), CUDA_ERROR_INVALID_VALUE);
  OK(cuCoredumpDeregisterCompleteCallback(second));
}

CASE("device: functions that are to hear of a device's budget") {
  use_device();
  const auto hear = [](void*, void*, CUasyncCallbackHandle) {};
  CUasyncCallbackHandle handle = nullptr;
  FAILS(cuDeviceRegisterAsyncNotification(7, hear, nullptr, &handle), CUDA_ERROR_INVALID_DEVICE);
  FAILS(cuDeviceRegisterAsyncNotification(0, nullptr, nullptr, &handle), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuDeviceRegisterAsyncNotification(0, hear, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  OK(cuDeviceRegisterAsyncNotification(0, hear, nullptr, &handle));
  FAILS(cuDeviceUnregisterAsyncNotification(1, handle), CUDA_ERROR_INVALID_VALUE);
  OK(cuDeviceUnregisterAsyncNotification(0, handle));
  FAILS(cuDeviceUnregisterAsyncNotification(0, handle), CUDA_ERROR_INVALID_VALUE);
}
