#include "memory/pool.hpp"

#include <memory>
#include <utility>

#include "bindings/bindings.hpp"
#include "device/allocate.hpp"
#include "driver/driver.hpp"
#include "memory/work.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "work/pool_allocation.hpp"

namespace array_interface::cuda {

namespace {

int ReadDevice(const Napi::Value& value) { return static_cast<int>(ReadSize(value, "device")); }

std::shared_ptr<Pool> ReadPool(const Napi::Value& value) {
  return Handle<Pool>::Unwrap(value, "pool");
}

/// hasPools(device): whether the device supports stream-ordered allocation.
Napi::Value HasPools(const Napi::CallbackInfo& info) {
  int has = 0;
  Cuda().cuDeviceGetAttribute(&has, kDevicePoolsSupported, ReadDevice(info[0]));
  return Napi::Boolean::New(info.Env(), has != 0);
}

/// createPool(device, kept, maximum): sizes in bytes. A maximum of 0 means no limit.
Napi::Value CreatePool(const Napi::CallbackInfo& info) {
  return Handle<Pool>::Wrap(info.Env(),
                            Pool::Create(ReadDevice(info[0]), ReadSize(info[1], "releaseThreshold"),
                                         ReadSize(info[2], "maximum")));
}

Napi::Value DefaultPool(const Napi::CallbackInfo& info) {
  return Handle<Pool>::Wrap(info.Env(), Pool::Default(ReadDevice(info[0])));
}

/// allocateFrom(pool, stream, byteLength, timeout): memory that exists from the stream's current
/// position on.
Napi::Value AllocateFrom(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto pool = ReadPool(info[0]);
  const auto stream = LiveQueue<Stream>(info[1]);
  const std::size_t size = ReadSize(info[2], "byteLength");
  stream->AssertRuns();
  const CudaBackend::Request request{MemoryKind::kPool, size};
  auto allocation = AllocateOn<CudaBackend>(*pool->context(), request, info[3], [&] {
    return OrNone([&] { return std::make_unique<PoolAllocation>(pool, stream, size); });
  });
  auto memory = CudaBackend::Own(env, std::move(allocation), pool->context(), request);
  EndExternalWork(stream, memory->ref());  // other streams wait for the allocation
  return DescribeMemory(env, std::move(memory));
}

/// destroyPool(pool): destroys the pool. Its memory is freed with the last array that uses it.
Napi::Value DestroyPool(const Napi::CallbackInfo& info) {
  ReadPool(info[0])->Destroy();
  return info.Env().Undefined();
}

/// trimPool(pool, kept): returns all unused memory to the device, except for `kept` bytes.
Napi::Value TrimPool(const Napi::CallbackInfo& info) {
  ReadPool(info[0])->Trim(ReadSize(info[1], "kept"));
  return info.Env().Undefined();
}

/// poolBytes(pool): { used, reserved }.
Napi::Value PoolBytes(const Napi::CallbackInfo& info) {
  const auto pool = ReadPool(info[0]);
  return MakeObject(info.Env(), {
                                    {"used", pool->Ask(kPoolUsed)},
                                    {"reserved", pool->Ask(kPoolReserved)},
                                });
}

}  // namespace

void BindPool(Napi::Object exports) {
  AddExports(exports, {
                          {"hasPools", kFunction<HasPools>},
                          {"createPool", kFunction<CreatePool>},
                          {"defaultPool", kFunction<DefaultPool>},
                          {"allocateFrom", kFunction<AllocateFrom>},
                          {"destroyPool", kFunction<DestroyPool>},
                          {"trimPool", kFunction<TrimPool>},
                          {"poolBytes", kFunction<PoolBytes>},
                      });
}

}  // namespace array_interface::cuda
