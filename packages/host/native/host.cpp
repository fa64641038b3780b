#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "allocation.hpp"
#include "arrow.hpp"
#include "capsule.hpp"
#include "capsule/imported.hpp"
#include "explain.hpp"
#include "host_addon.hpp"
#include "host_memory.hpp"
#include "kernels/host/copy.hpp"
#include "launch.hpp"
#include "mappings.hpp"
#include "napi/argument.hpp"
#include "napi/exports.hpp"
#include "napi/failure.hpp"
#include "napi/handle.hpp"
#include "napi/mapped_buffer.hpp"
#include "napi/object.hpp"
#include "napi/plan.hpp"
#include "napi/setup.hpp"
#include "program/bindings.hpp"
#include "share.hpp"

namespace array_interface {

namespace {

Napi::Value Share(Napi::Env env, std::shared_ptr<Allocation> allocation) {
  const std::size_t size = allocation->size();
  return Handle<HostMemory>::Wrap(env,
                                  std::make_shared<HostMemory>(env, std::move(allocation), size));
}

Napi::Value Allocate(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::uint64_t size = ReadSize(info[0], "byteLength");
  std::shared_ptr<Allocation> allocation = Allocation::Make(size);
  if (allocation == nullptr) {
    Throw(env, {"ERR_OUT_OF_MEMORY", "",
                "expected " + std::to_string(size) +
                    " bytes of system memory, got none; dispose of arrays that are no longer used",
                "", 0, ""});
  }
  return MakeObject(env,
                    {
                        {"pointer", Napi::BigInt::New(env, std::uint64_t{allocation->address()})},
                        {"handle", Share(env, std::move(allocation))},
                    });
}

void Release(const Napi::CallbackInfo& info) {
  Handle<HostMemory>::Unwrap(info[0], "handle")->Release();
}

Napi::Value LiveAllocations(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(Allocation::LiveCount()));
}

Napi::Value Find(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto allocation = Allocation::Find(ReadPointer(info[0], "pointer"));
  if (allocation == nullptr) return env.Null();
  return MakeObject(env,
                    {
                        {"pointer", Napi::BigInt::New(env, std::uint64_t{allocation->address()})},
                        {"byteLength", allocation->size()},
                    });
}

Napi::Value Hold(const Napi::CallbackInfo& info) {
  auto allocation = Allocation::Find(ReadPointer(info[0], "pointer"));
  if (allocation == nullptr) return info.Env().Null();
  return Share(info.Env(), std::move(allocation));
}

/// share(handle): takes another lease on the same memory. Throws ERR_DISPOSED for a lease that has
/// ended.
Napi::Value ShareLease(const Napi::CallbackInfo& info) {
  const auto lease = Handle<HostMemory>::Unwrap(info[0], "handle");
  if (lease->memory() != nullptr) return Handle<HostMemory>::Wrap(info.Env(), lease->Share());
  RefuseEnded(info.Env());
}

/// isSole(handle): true if nobody else holds the lease's memory, in any thread.
Napi::Value IsSole(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), Handle<HostMemory>::Unwrap(info[0], "handle")->IsSole());
}

/// isGone(pointer): true if an address is one of this package's, and no allocation lives there any
/// more.
Napi::Value IsGone(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), Allocation::IsGone(ReadPointer(info[0], "pointer")));
}

/// allows(pointer, byteLength): the access that a whole range allows. 0: unknown; 1: read; 3: read
/// and write.
Napi::Value Allows(const Napi::CallbackInfo& info) {
  const std::uint64_t length = ReadSize(info[1], "byteLength");
  const auto access = QueryAccess(ReadPointer(info[0], "pointer"), length);
  const bool is_readable = access && access->readable == length;
  return Napi::Number::New(info.Env(), is_readable ? (access->writable ? 3 : 1) : 0);
}

Napi::Value GetAccess(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto access = QueryAccess(ReadPointer(info[0], "pointer"), ReadSize(info[1], "byteLength"));
  if (!access) return env.Null();
  return MakeObject(env, {
                             {"mapped", access->mapped},
                             {"readable", access->readable},
                             {"writable", access->writable},
                         });
}

Napi::Value AddressOf(const Napi::CallbackInfo& info) {
  const Bytes bytes = ReadBytes(info[0], "bytes");
  return Napi::BigInt::New(
      info.Env(), static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(bytes.data)));
}

void Copy(const Napi::CallbackInfo& info) {
  const std::uint64_t threads = ReadSize(info[1], "threads");
  strided_copy(ReadPlan(info[0]),
               static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, UINT32_MAX)));
}

/// Copies one run of bytes, which needs no plan.
void CopyBytes(const Napi::CallbackInfo& info) {
  auto* const destination = reinterpret_cast<void*>(ReadPointer(info[0], "destination"));
  const auto* const source = reinterpret_cast<const void*>(ReadPointer(info[1], "source"));
  const std::uint64_t size = ReadSize(info[2], "byteLength");
  if (size == 0) return;
  if (destination == nullptr || source == nullptr) {
    throw std::invalid_argument("expected the addresses of both sides, got 0; allocate them first");
  }
  std::memmove(destination, source, size);
}

/// What a buffer keeps alive. Null for another library's memory, which it does not keep.
std::shared_ptr<void> ReadKept(const Napi::Value& value) {
  return value.IsNull() ? nullptr : Handle<HostMemory>::Unwrap(value, "handle")->memory();
}

/// mapBuffer(pointer, byteLength, handle, isForKernels): returns {buffer, mapped}, a buffer over
/// memory of this process. Null if Node cannot make such a buffer. Does not check the address.
Napi::Value MapBuffer(const Napi::CallbackInfo& info) {
  auto* const data = reinterpret_cast<void*>(ReadPointer(info[0], "pointer"));
  return MappedBuffer::Make(info.Env(), data, ReadSize(info[1], "byteLength"), ReadKept(info[2]),
                            info[3].ToBoolean());
}

Napi::Object Exports(Napi::Env, Napi::Object exports) {
  AddExports(exports, {
                          {"initialize", &MakeFunction<Initialize<HostAddon>>},
                          {"allocate", kFunction<Allocate>},
                          {"release", kFunction<Release>},
                          {"liveAllocations", kFunction<LiveAllocations>},
                          {"find", kFunction<Find>},
                          {"hold", kFunction<Hold>},
                          {"share", kFunction<ShareLease>},
                          {"isSole", kFunction<IsSole>},
                          {"isGone", kFunction<IsGone>},
                          {"allows", kFunction<Allows>},
                          {"access", kFunction<GetAccess>},
                          {"addressOf", kFunction<AddressOf>},
                          {"copy", kFunction<Copy>},
                          {"copyBytes", kFunction<CopyBytes>},
                          {"mapBuffer", kFunction<MapBuffer>},
                          {"unmapBuffer", kFunction<UnmapBuffer>},
                          {"explain", kFunction<Explain>},
                          {"launch", kFunction<Launch>},
                          {"join", kFunction<Join>},
                          {"readProgram", kFunction<ReadProgramBytes>},
                          {"runProgram", kFunction<RunProgramBytes>},
                      });
  BindArrow(exports);
  BindCapsule(exports);
  BindShare(exports);
  return exports;
}

}  // namespace

NODE_API_MODULE(host, Exports)

}  // namespace array_interface
