#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "bindings/bindings.hpp"
#include "bindings/cuda_addon.hpp"
#include "bindings/cuda_memory.hpp"
#include "bindings/guarded.hpp"
#include "bindings/held_stream.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"

namespace array_interface::cuda {

namespace {

Sync ReadSync(const Napi::Value& value) {
  const std::string sync = ReadString(value, "sync");
  if (sync == "wait") return Sync::kWait;
  return sync == "block" ? Sync::kBlock : Sync::kNone;
}

/// Gives references to an object that nothing here keeps alive otherwise.
std::function<std::shared_ptr<void>()> KeeperOf(Napi::Env env, const Napi::Value& producer) {
  if (!producer.IsObject() && !producer.IsFunction()) return nullptr;
  auto weak = std::make_shared<Napi::ObjectReference>(Napi::Weak(producer.As<Napi::Object>()));
  return [env, weak]() -> std::shared_ptr<void> {
    const Napi::HandleScope scope(env);
    const Napi::Object object = weak->Value();
    return object.IsEmpty() ? nullptr : CudaAddon::Of(env).kept_objects().Keep(object);
  };
}

/// borrow(address, device, hasContext, producer): memory of a producer, or a loan of our block
/// around the address as kernels use it. The producer's object is kept while work is pending.
Napi::Value Borrow(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::uint64_t address = ReadPointer(info[0], "pointer");
  auto block = address == 0 ? nullptr : ProcessBlocks().Find(address);
  const bool is_strangers = block == nullptr;
  if (is_strangers) block = Block::Borrowed(ProcessReclaimer());
  const CudaMemory::Place place{static_cast<int>(ReadSize(info[1], "device")), info[2].ToBoolean()};
  auto memory = std::make_shared<CudaMemory>(env, std::move(block), false, place);
  if (is_strangers) memory->KeepWhilePending(KeeperOf(env, info[3]));
  return DescribeMemory(env, std::move(memory));
}

/// follow(memory, stream, sync): orders the memory's work with its producer's work on a stream.
Napi::Value Follow(const Napi::CallbackInfo& info) {
  LiveMemory(info[0], "memory")->holder().Follow(LiveStream(info[1]), ReadSync(info[2]));
  return info.Env().Undefined();
}

}  // namespace

void ExportBorrow(Napi::Object exports) {
  Export<Borrow>(exports, "borrow");
  Export<Follow>(exports, "follow");
}

}  // namespace array_interface::cuda
