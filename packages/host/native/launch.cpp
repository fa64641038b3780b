#include "launch.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "host_addon.hpp"
#include "kernel_run.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"

namespace array_interface {

namespace {

/// Core's code for local memory.
constexpr std::uint32_t kLocal = 11;
/// Core's code for a struct by value. The bits above the lowest 8 are its bytes.
constexpr std::uint32_t kStruct = 12;

/// The place after the values of a parameter.
std::size_t EndOf(const KernelParameter& parameter) {
  return parameter.place + (parameter.bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
}

/// Reads core's type codes, a uint32 each.
std::vector<KernelParameter> ReadParameters(const Napi::Value& value) {
  using Kind = KernelParameter::Kind;
  const Bytes bytes = ReadBytes(value, "types");
  std::vector<KernelParameter> parameters;
  std::size_t place = 0;
  for (std::size_t at = 0; at + sizeof(std::uint32_t) <= bytes.size; at += sizeof(std::uint32_t)) {
    std::uint32_t type = 0;
    std::memcpy(&type, bytes.data + at, sizeof type);
    const bool is_struct = (type & 0xff) == kStruct;
    const std::size_t size = is_struct ? type >> 8 : sizeof(std::uint64_t);
    const Kind kind = is_struct ? Kind::kStruct : type == kLocal ? Kind::kLocal : Kind::kValue;
    parameters.push_back({kind, place, size});
    place = EndOf(parameters.back());
  }
  return parameters;
}

KernelRange ReadRange(const Napi::Value& value) {
  const Bytes bytes = ReadBytes(value, "items");
  const std::size_t rank = bytes.size / sizeof(std::uint32_t);
  if (rank < 1 || rank > 3) throw std::invalid_argument("expected 1 to 3 axes, got another number");
  KernelRange range{
      sizeof(KernelRange), static_cast<std::uint32_t>(rank), {1, 1, 1}, {}, {1, 1, 1}};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    std::uint32_t items = 0;
    std::memcpy(&items, bytes.data + axis * sizeof items, sizeof items);
    range.items[axis] = range.end[axis] = items;
  }
  return range;
}

KernelCall ReadCall(const Napi::CallbackInfo& info) {
  KernelCall call{reinterpret_cast<KernelFunction>(ReadPointer(info[0], "address")),
                  ReadRange(info[1]),
                  {},
                  {}};
  call.parameters = ReadParameters(info[3]);
  const Bytes values = ReadBytes(info[4], "values");
  const std::size_t count = call.parameters.empty() ? 0 : EndOf(call.parameters.back());
  if (call.function == nullptr || values.size != count * sizeof(std::uint64_t)) {
    throw std::invalid_argument(
        "expected a function and the bytes of its values, got something else");
  }
  call.values.resize(count);
  if (count > 0) std::memcpy(call.values.data(), values.data, values.size);
  return call;
}

}  // namespace

Napi::Value Launch(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto threads = static_cast<std::size_t>(ReadSize(info[2], "threads"));
  auto run = std::make_shared<KernelRun>(ReadCall(info), std::max<std::size_t>(threads, 1));
  Napi::Object result = Napi::Object::New(env);
  result["run"] = Handle<KernelRun>::Wrap(env, run);
  HostAddon::Of(env).Keep(run);
  run->Start();
  try {
    result["ended"] = HostAddon::Of(env).settler().Wait(env, [run] {
      if (!run->HasEnded()) return PollResult{};
      run->Join();  // does not block for long: the threads are about to end
      return PollResult{true, {}};
    });
  } catch (...) {  // without a promise, nothing would report when it ends
    run->Join();
    throw;
  }
  return result;
}

void Join(const Napi::CallbackInfo& info) { Handle<KernelRun>::Unwrap(info[0], "run")->Join(); }

}  // namespace array_interface
