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
constexpr auto kLocal = std::byte{11};

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
  const Bytes types = ReadBytes(info[3], "types");
  const Bytes values = ReadBytes(info[4], "values");
  if (call.function == nullptr || values.size != types.size * sizeof(std::uint64_t)) {
    throw std::invalid_argument(
        "expected a function and 8 bytes for each value, got something else");
  }
  call.values.resize(types.size);
  if (types.size > 0) std::memcpy(call.values.data(), values.data, values.size);
  for (std::size_t place = 0; place < types.size; ++place) {
    if (types.data[place] == kLocal) call.locals.push_back(place);
  }
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
