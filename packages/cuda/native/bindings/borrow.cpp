#include <cstdint>
#include <memory>
#include <utility>

#include "bindings/addon.hpp"
#include "bindings/bindings.hpp"
#include "device/capsule.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"

namespace array_interface::cuda {

namespace {

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

/// follow(memory, stream, sync, producer): orders the memory's work with its producer's work on a
/// stream.
Napi::Value Follow(const Napi::CallbackInfo& info) {
  const auto memory = LiveMemory<CudaMemory>(info[0], "memory");
  auto stream = LiveQueue<Stream>(info[1]);
  std::shared_ptr<ImportedArray> imported;
  if (info[3].IsExternal()) {
    imported = Handle<ImportedHandle>::Unwrap(info[3], "producer")->Peek();
  }
  memory->ref().Follow(OrderOf<CudaBackend>(std::move(imported), std::move(stream)),
                       ReadSync(info[2]));
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
