#include <algorithm>
#include <vector>

#include "bind.hpp"
#include "hold.hpp"
#include "kernels/host.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "runtime.hpp"

// napi.h leaves it out for the sake of Electron, which has it too, but says no.
extern "C" NAPI_EXTERN napi_status NAPI_CDECL
napi_create_external_arraybuffer(napi_env env, void* data, size_t size, node_api_basic_finalize end,
                                 void* hint, napi_value* result);

namespace array_interface::sycl {

namespace {

Napi::Value WrapHold(Napi::Env env, std::shared_ptr<Block> block, bool owns) {
  auto wrapped = Napi::Object::New(env);
  wrapped["pointer"] = Napi::BigInt::New(env, static_cast<std::uint64_t>(block->address()));
  wrapped["byteLength"] = static_cast<double>(block->size());
  wrapped["hold"] =
      Handle<Hold>::Wrap(env, std::make_shared<Hold>(Runtime::Get(), std::move(block), owns));
  return wrapped;
}

/// allocate(place, type, alignment, byteLength): {hold, pointer, byteLength} of new memory.
Napi::Value Allocate(const Napi::CallbackInfo& info) {
  auto place = Handle<Place>::Unwrap(info[0], "context");
  const auto type = static_cast<UsmType>(ReadSize(info[1], "memoryKind"));
  const std::size_t alignment = ReadSize(info[2], "alignment");
  auto block = Block::Allocate(Runtime::Get(), std::move(place), type, alignment,
                               ReadSize(info[3], "byteLength"));
  return WrapHold(info.Env(), std::move(block), true);
}

/// borrow(pointer): {hold, pointer, byteLength} of our memory around an address, or null.
Napi::Value Borrow(const Napi::CallbackInfo& info) {
  auto block = Runtime::Get().blocks().Find(ReadPointer(info[0], "pointer"));
  if (block == nullptr) return info.Env().Null();
  return WrapHold(info.Env(), std::move(block), false);
}

/// rangeOf(pointer): {pointer, byteLength} of our memory around an address, or null.
Napi::Value RangeOf(const Napi::CallbackInfo& info) {
  const auto block = Runtime::Get().blocks().Find(ReadPointer(info[0], "pointer"));
  if (block == nullptr) return info.Env().Null();
  auto range = Napi::Object::New(info.Env());
  range["pointer"] = Napi::BigInt::New(info.Env(), static_cast<std::uint64_t>(block->address()));
  range["byteLength"] = static_cast<double>(block->size());
  return range;
}

/// endHold(hold, events): ends it in the background once all events are reached.
Napi::Value EndHold(const Napi::CallbackInfo& info) {
  auto hold = Handle<Hold>::Unwrap(info[0], "hold");
  std::vector<std::shared_ptr<Event>> pending;
  auto list = info[1].As<Napi::Array>();
  for (std::uint32_t index = 0; info[1].IsArray() && index < list.Length(); ++index) {
    pending.push_back(Handle<Event>::Unwrap(list.Get(index), "events"));
  }
  hold->End(std::move(pending));
  return info.Env().Undefined();
}

/// Memory of the hold that this process reaches, and the bytes of a Uint8Array.
struct Sides {
  Block& block;
  Bytes bytes;
};

Sides ReadSides(const Napi::CallbackInfo& info) {
  Block& block = Handle<Hold>::Unwrap(info[0], "hold")->block();
  if (block.type() == UsmType::kDevice) {
    throw SyclError("ERR_NOT_ACCESSIBLE", "memory",
                    "expected host or shared memory, got device memory; copy it on a queue");
  }
  return {block, ReadBytes(info[2], "buffer")};
}

template <class Pointer>
void MoveBy(Pointer& pointer, const std::byte* start) {
  pointer = reinterpret_cast<Pointer>(reinterpret_cast<std::uintptr_t>(pointer) +
                                      reinterpret_cast<std::uintptr_t>(start));
}

/// read(hold, plan, bytes): copies JavaScript memory in; the plan counts from both first bytes.
Napi::Value Read(const Napi::CallbackInfo& info) {
  StridedCopy copy = ReadPlan(info[1]);
  const Sides sides = ReadSides(info);
  CheckWithin(info.Env(), copy, true, sides.bytes.size, "source");
  CheckWithin(info.Env(), copy, false, sides.block.size(), "destination");
  MoveBy(copy.source, sides.bytes.data);
  MoveBy(copy.destination, sides.block.pointer());
  strided_copy(copy);
  return info.Env().Undefined();
}

/// write(hold, plan, bytes): copies out into JavaScript memory.
Napi::Value Write(const Napi::CallbackInfo& info) {
  StridedCopy copy = ReadPlan(info[1]);
  const Sides sides = ReadSides(info);
  CheckWithin(info.Env(), copy, false, sides.bytes.size, "destination");
  CheckWithin(info.Env(), copy, true, sides.block.size(), "source");
  MoveBy(copy.source, sides.block.pointer());
  MoveBy(copy.destination, sides.bytes.data);
  strided_copy(copy);
  return info.Env().Undefined();
}

/// A hold of its own on the block of `hold`, even if its owner gave that up; null for memory that
/// is not ours.
std::shared_ptr<Hold> HoldAgain(const Napi::Value& hold, std::uint64_t address) {
  Runtime& runtime = Runtime::Get();
  if (!hold.IsNull()) {
    return std::make_shared<Hold>(runtime, Handle<Hold>::Unwrap(hold, "hold")->share(), false);
  }
  if (!runtime.blocks().IsEnding(address)) return nullptr;
  throw SyclError("ERR_POINTER_UNKNOWN", "memory",
                  "expected memory that is held, got memory that was given back; keep the array");
}

/// What a buffer over a block keeps. Node may end it before it says that it could not make it.
struct Exposed {
  std::shared_ptr<Hold> hold;
  bool is_being_made = true;

  static void End(napi_env, void*, void* held) {
    auto* const exposed = static_cast<Exposed*>(held);
    if (!exposed->is_being_made) delete exposed;
  }
};

/// expose(pointer, byteLength, hold): host or shared memory as an ArrayBuffer, or null where Node
/// was built without those over memory that is not its own. The block of the hold, null for memory
/// that is not ours, lives as long as the buffer.
Napi::Value Expose(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  const std::uint64_t address = ReadPointer(info[0], "pointer");
  const std::size_t size = ReadSize(info[1], "byteLength");
  for (const std::uint64_t end : {address, address + std::max<std::size_t>(size, 1) - 1}) {
    const UsmType type = runtime.Find(reinterpret_cast<void*>(end)).type;
    if (type == UsmType::kShared || type == UsmType::kHost) continue;
    throw SyclError("ERR_NOT_ACCESSIBLE", "memory",
                    "expected host or shared memory, got another; copy it with toTypedArray()");
  }
  auto* exposed = new Exposed{HoldAgain(info[2], address)};
  napi_value buffer = nullptr;
  void* data = reinterpret_cast<void*>(address);
  const napi_status status =
      napi_create_external_arraybuffer(info.Env(), data, size, &Exposed::End, exposed, &buffer);
  exposed->is_being_made = false;
  if (status == napi_ok) return {info.Env(), buffer};
  delete exposed;
  napi_value reason = nullptr;  // Node may have thrown on the way
  napi_get_and_clear_last_exception(info.Env(), &reason);
  return info.Env().Null();
}

}  // namespace

void BindMemory(Napi::Object exports) {
  Export<Allocate>(exports, "allocate");
  Export<Borrow>(exports, "borrow");
  Export<RangeOf>(exports, "rangeOf");
  Export<EndHold>(exports, "endHold");
  Export<Read>(exports, "read");
  Export<Write>(exports, "write");
  Export<Expose>(exports, "expose");
}

}  // namespace array_interface::sycl
