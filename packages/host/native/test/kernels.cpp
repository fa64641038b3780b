// C functions that are kernels, as another library would export them, and their addresses.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>

#include "kernel_run.hpp"
#include "napi/setup.hpp"

namespace {

using array_interface::KernelRange;

template <class T>
T Value(void* const* arguments, int index) {
  T value;
  std::memcpy(&value, arguments[index], sizeof(T));
  return value;
}

/// Waits until a gate is open, for at most the given milliseconds. Then adds an amount to each
/// element of a row.
void AddLater(const KernelRange* range, void* const* arguments) {
  auto* const elements = Value<float*>(arguments, 0);
  const auto amount = Value<float>(arguments, 1);
  const auto* const gate = Value<const std::atomic<std::int32_t>*>(arguments, 2);
  const auto wait = std::chrono::milliseconds(Value<std::uint32_t>(arguments, 3));
  const auto end = std::chrono::steady_clock::now() + wait;
  while (*gate == 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (auto i = range->begin[0]; i < range->end[0]; ++i) elements[i] += amount;
}

/// Writes into an element for each item of three axes its thread's part: the first and last index
/// along the second axis. The other axes are not split.
void ShowParts(const KernelRange* range, void* const* arguments) {
  auto* const target = Value<std::uint32_t*>(arguments, 0);
  for (auto i = range->begin[0]; i < range->end[0]; ++i) {
    for (auto j = range->begin[1]; j < range->end[1]; ++j) {
      for (auto k = range->begin[2]; k < range->end[2]; ++k) {
        target[(i * range->items[1] + j) * range->items[2] + k] =
            static_cast<std::uint32_t>(range->begin[1] * 1000 + range->end[1] * 10 + range->rank);
      }
    }
  }
}

/// Writes its arguments of every kind: 8 numbers; a strided array of 2 axes; local memory; a first.
void ShowValues(const KernelRange* range, void* const* arguments) {
  auto* const target = Value<double*>(arguments, 0);
  target[0] = Value<std::int8_t>(arguments, 1);
  target[1] = Value<std::uint16_t>(arguments, 2);
  target[2] = Value<std::int32_t>(arguments, 3);
  target[3] = static_cast<double>(Value<std::int64_t>(arguments, 4));
  target[4] = static_cast<double>(Value<std::uint64_t>(arguments, 5));
  target[5] = Value<float>(arguments, 6);
  target[6] = Value<double>(arguments, 7);
  const auto* const elements = Value<const std::int16_t*>(arguments, 8);
  const auto row = Value<std::int64_t>(arguments, 9);
  const auto column = Value<std::int64_t>(arguments, 10);
  target[7] = elements[row + 2 * column];
  auto* const local = Value<std::uint8_t*>(arguments, 11);
  std::memset(local, 7, 200);
  target[8] = local[199] + static_cast<double>(reinterpret_cast<std::uintptr_t>(local) % 64);
  target[9] = Value<std::uint32_t>(arguments, 12);
  target[10] = range->size;
}

/// A struct as OpenCL lays it out, with a vector that has to be aligned.
struct Shift {
  std::uint8_t id;
  alignas(16) float by[4];
  double scale;
  std::int16_t parts[2][3];
};

/// Writes the fields of a struct, its address modulo 128, a number behind it, and a length.
void ShowStruct(const KernelRange*, void* const* arguments) {
  auto* const target = Value<double*>(arguments, 0);
  const auto& shift = *static_cast<const Shift*>(arguments[1]);
  target[0] = shift.id;
  target[1] = shift.by[0] + shift.by[3];
  target[2] = shift.scale;
  target[3] = shift.parts[1][2];
  target[4] = static_cast<double>(reinterpret_cast<std::uintptr_t>(&shift) % 128);
  target[5] = Value<std::uint16_t>(arguments, 2);
  target[6] = Value<std::uint8_t>(arguments, 3);
  target[7] = static_cast<double>(Value<std::uint64_t>(arguments, 4));
}

std::atomic<int> calls{0};
std::atomic<int> together{0};

/// Counts its calls, each of which waits for the others, so that `parts` threads run at one time.
void Meet(const KernelRange*, void* const* arguments) {
  ++together;
  const int parts = static_cast<int>(Value<std::uint32_t>(arguments, 0));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (together < parts && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  if (together >= parts) ++calls;
}

Napi::Value TakeCalls(const Napi::CallbackInfo& info) {
  together = 0;
  return Napi::Number::New(info.Env(), calls.exchange(0));
}

Napi::Object Exports(Napi::Env env, Napi::Object exports) {
  const auto add = [&](const char* name, void (*kernel)(const KernelRange*, void* const*)) {
    const auto address = reinterpret_cast<std::uintptr_t>(kernel);
    exports[name] = Napi::BigInt::New(env, std::uint64_t{address});
  };
  add("addLater", AddLater);
  add("showParts", ShowParts);
  add("showValues", ShowValues);
  add("showStruct", ShowStruct);
  add("meet", Meet);
  exports["takeCalls"] = Napi::Function::New(env, TakeCalls, "takeCalls");
  return exports;
}

}  // namespace

NODE_API_MODULE(test_kernels, Exports)
