#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/device_memory.hpp"
#include "device/guarded.hpp"
#include "device/queue.hpp"
#include "memory/work.hpp"
#include "napi/argument.hpp"
#include "napi/plan.hpp"

namespace array_interface {

/// The memories that work on a queue writes and reads, as listed by JavaScript. Throws ERR_TYPE,
/// ERR_DISPOSED, and what `Backend::AssertReaches` throws.
template <class Backend>
class ReadUses {
 public:
  ReadUses(const typename Backend::Queue& queue, const Napi::Value& written,
           const Napi::Value& read) {
    Add(queue, written, Access::kWrite);
    Add(queue, read, Access::kRead);
  }

  Uses get() { return {uses_.data(), uses_.size()}; }

 private:
  using Memory = typename Backend::Memory;

  void Add(const typename Backend::Queue& queue, const Napi::Value& list, Access access) {
    if (!list.IsArray()) {
      Throw(list.Env(),
            {"ERR_TYPE", "memory", "expected a list of memories, got another value; pass an array",
             "", 0, ""});
    }
    const auto handles = list.As<Napi::Array>();
    for (std::uint32_t index = 0; index < handles.Length(); ++index) {
      memories_.push_back(LiveMemory<Memory>(handles.Get(index), "memory"));
      Backend::AssertReaches(queue, *memories_.back());
      uses_.push_back({&memories_.back()->ref(), access});
    }
  }

  std::vector<std::shared_ptr<Memory>> memories_;
  std::vector<Use> uses_;
};

/// One contiguous run of bytes that is copied.
struct CopiedRun {
  std::uint64_t destination;
  std::uint64_t source;
  std::size_t size;
};

/// The two memories of a copy, which may be one.
template <class Memory>
struct CopySides {
  Memory& target;
  Memory& origin;
  Uses uses;
};

/// Calls `enqueue` with the two memories of a copy. Returns what `Backend::Notify` returns.
template <class Backend, class Enqueue>
Napi::Value CopyBetween(const typename Backend::Queue& queue, const Napi::Value& to,
                        const Napi::Value& from, Enqueue&& enqueue) {
  using Memory = typename Backend::Memory;
  const auto target = LiveMemory<Memory>(to, "destination");
  const auto origin = LiveMemory<Memory>(from, "source");
  [[maybe_unused]] const typename Backend::Scope scope(queue);
  Use both[] = {{&target->ref(), Access::kWrite}, {&origin->ref(), Access::kRead}};
  const CopySides<Memory> sides{*target, *origin, {both, 2}};
  return Backend::Notify(to.Env(), enqueue(sides), sides.uses);
}

/// copy(queue, plan, target, origin): enqueues a plan, ordered with all other work on both
/// memories, which the queue can access.
template <class Backend>
Napi::Value Copy(const Napi::CallbackInfo& info) {
  const auto queue = LiveQueue<typename Backend::Queue>(info[0]);
  const StridedCopy plan = ReadPlan(info[1]);
  return CopyBetween<Backend>(*queue, info[2], info[3], [&](const auto& sides) {
    return Backend::Copy(info.Env(), queue, plan, sides);
  });
}

/// copyRun(queue, destination, source, byteLength, target, origin): enqueues one contiguous run of
/// bytes, which needs no plan.
template <class Backend>
Napi::Value CopyRun(const Napi::CallbackInfo& info) {
  const auto queue = LiveQueue<typename Backend::Queue>(info[0]);
  const CopiedRun run{ReadPointer(info[1], "destination"), ReadPointer(info[2], "source"),
                      ReadSize(info[3], "byteLength")};
  return CopyBetween<Backend>(*queue, info[4], info[5], [&](const auto& sides) {
    return Backend::Copy(info.Env(), queue, run, sides);
  });
}

/// beginExternalWork(queue, written, read): makes the queue wait for all earlier work on the
/// memories, before other code enqueues work on it.
template <class Backend>
Napi::Value BeginExternalWork(const Napi::CallbackInfo& info) {
  const auto queue = LiveQueue<typename Backend::Queue>(info[0]);
  ReadUses<Backend> uses(*queue, info[1], info[2]);
  [[maybe_unused]] const typename Backend::Scope scope(*queue);
  BeginExternalWork(queue, uses.get());
  return info.Env().Undefined();
}

/// endExternalWork(queue, written, read): records that other code enqueued work on the memories on
/// the queue. Returns what `Backend::Notify` returns.
template <class Backend>
Napi::Value EndExternalWork(const Napi::CallbackInfo& info) {
  const auto queue = LiveQueue<typename Backend::Queue>(info[0]);
  ReadUses<Backend> uses(*queue, info[1], info[2]);
  [[maybe_unused]] const typename Backend::Scope scope(*queue);
  return Backend::Notify(info.Env(), EndExternalWork(queue, uses.get()), uses.get());
}

template <class Backend>
void BindDeviceWork(Napi::Object exports) {
  AddExports(exports,
             {
                 {"copy", kDeviceFunction<Backend, Copy<Backend>>},
                 {"copyRun", kDeviceFunction<Backend, CopyRun<Backend>>},
                 {"beginExternalWork", kDeviceFunction<Backend, BeginExternalWork<Backend>>},
                 {"endExternalWork", kDeviceFunction<Backend, EndExternalWork<Backend>>},
             });
}

}  // namespace array_interface
