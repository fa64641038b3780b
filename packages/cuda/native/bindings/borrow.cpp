#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "bindings/addon.hpp"
#include "bindings/bindings.hpp"
#include "capsule/imported.hpp"
#include "memory/cuda_memory.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "work/held_stream.hpp"

namespace array_interface::cuda {

namespace {

Sync ReadSync(const Napi::Value& value) {
  const std::string sync = ReadString(value, "sync");
  if (sync == "wait") return Sync::kWait;
  return sync == "block" ? Sync::kBlock : Sync::kNone;
}

/// borrow(address, device, hasContext, producer): memory of a producer, or a loan of this library's
/// block that contains the address as kernels use it. Another library's object is kept alive while
/// work is pending. So are the contents of a capsule, even if they are this library's own memory.
Napi::Value Borrow(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::uint64_t address = ReadPointer(info[0], "pointer");
  auto block = address == 0 ? nullptr : ProcessBlocks().Find(address);
  const bool is_strangers = block == nullptr;
  if (is_strangers) block = Block::Borrowed(ProcessAllocator());
  if (auto imported = ImportedFrom(info[3]))
    block = Block::With(std::move(block), std::move(imported));
  const CudaMemory::Location location{static_cast<int>(ReadSize(info[1], "device")),
                                      info[2].ToBoolean()};
  auto memory = std::make_shared<CudaMemory>(env, std::move(block), false, location);
  if (is_strangers) {
    memory->ref().set_keep(CudaAddon::Of(env).object_refs().KeeperOf(info[3]));
  }
  return DescribeMemory(env, std::move(memory));
}

/// Returns the queue after which work on an imported array is ordered. If the producer's capsule
/// names an event, the queue notifies the producer.
std::shared_ptr<WorkQueue> OrderOf(const Napi::Value& producer, std::shared_ptr<Stream> stream) {
  if (!producer.IsExternal()) return stream;
  auto imported = Handle<ImportedHandle>::Unwrap(producer, "producer")->Look();
  if (imported == nullptr || !imported->wants_telling()) return stream;
  void* const handle = stream->handle();
  return std::make_shared<ProducerQueue>(
      std::move(stream),
      [imported = std::move(imported), handle] { imported->Tell(AI_CUDA_STREAM, handle); });
}

/// follow(memory, stream, sync, producer): orders the memory's work with its producer's work on a
/// stream.
Napi::Value Follow(const Napi::CallbackInfo& info) {
  const auto memory = LiveMemory(info[0], "memory");
  memory->ref().Follow(OrderOf(info[3], LiveStream(info[1])), ReadSync(info[2]));
  return info.Env().Undefined();
}

}  // namespace

void BindBorrow(Napi::Object exports) {
  AddExports(exports, {
                          {"borrow", kFunction<Borrow>},
                          {"follow", kFunction<Follow>},
                      });
}

}  // namespace array_interface::cuda
