#include <cstdint>

#include "bind.hpp"
#include "kernels/host/copy.hpp"
#include "memory/sycl_memory.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"

namespace array_interface::sycl {

namespace {

/// Memory that this process can access, and the bytes of a Uint8Array.
struct Sides {
  const Allocation& allocation;
  Bytes bytes;
};

Sides ReadSides(const Napi::CallbackInfo& info) {
  const auto memory = Handle<SyclMemory>::Unwrap(info[0], "memory");
  const Allocation* const allocation = memory->block()->allocation();
  if (allocation != nullptr && memory->type() != UsmType::kDevice) {
    return {*allocation, ReadBytes(info[2], "buffer")};
  }
  throw SyclError(
      "ERR_NOT_ACCESSIBLE", "memory",
      "expected host or shared memory of this backend, got other memory; copy it on a queue");
}

template <class Pointer>
void MoveBy(Pointer& pointer, std::uint64_t start) {
  pointer = reinterpret_cast<Pointer>(reinterpret_cast<std::uintptr_t>(pointer) + start);
}

std::uint64_t AddressOf(const Bytes& bytes) { return reinterpret_cast<std::uintptr_t>(bytes.data); }

/// read(memory, plan, bytes): copies from JavaScript memory. The plan counts from the first byte of
/// each side.
Napi::Value Read(const Napi::CallbackInfo& info) {
  StridedCopy copy = ReadPlan(info[1]);
  const Sides sides = ReadSides(info);
  CheckWithin(info.Env(), copy, true, sides.bytes.size, "source");
  CheckWithin(info.Env(), copy, false, sides.allocation.size(), "destination");
  MoveBy(copy.source, AddressOf(sides.bytes));
  MoveBy(copy.destination, sides.allocation.pointer());
  strided_copy(copy);
  return info.Env().Undefined();
}

/// write(memory, plan, bytes): copies into JavaScript memory. The plan counts from the first byte
/// of each side.
Napi::Value Write(const Napi::CallbackInfo& info) {
  StridedCopy copy = ReadPlan(info[1]);
  const Sides sides = ReadSides(info);
  CheckWithin(info.Env(), copy, false, sides.bytes.size, "destination");
  CheckWithin(info.Env(), copy, true, sides.allocation.size(), "source");
  MoveBy(copy.source, sides.allocation.pointer());
  MoveBy(copy.destination, AddressOf(sides.bytes));
  strided_copy(copy);
  return info.Env().Undefined();
}

}  // namespace

void BindStaging(Napi::Object exports) {
  AddExports(exports, {
                          {"read", kFunction<Read>},
                          {"write", kFunction<Write>},
                      });
}

}  // namespace array_interface::sycl
