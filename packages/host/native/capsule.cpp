#include "capsule.hpp"

#include <memory>
#include <utility>

#include "capsule/exported.hpp"
#include "capsule/imported.hpp"
#include "host_addon.hpp"
#include "host_memory.hpp"
#include "napi/exports.hpp"
#include "napi/handle.hpp"

namespace array_interface {

namespace {

/// Exported memory of this process. Every copy ends before it returns, so nothing is ever pending.
class HeldHostMemory final : public ExportedMemory {
 public:
  explicit HeldHostMemory(std::shared_ptr<void> memory) : memory_(std::move(memory)) {}

 private:
  std::shared_ptr<void> memory_;
};

/// exportCapsule(lease, producer, ...fields): returns a capsule that keeps what the lease keeps. If
/// the lease is null, it keeps the producer's object, as long as this environment lives.
Napi::Value ExportCapsule(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::shared_ptr<void> memory;
  if (!info[0].IsNull()) {
    const auto lease = Handle<HostMemory>::Unwrap(info[0], "handle");
    memory = lease->memory();
    lease->NoteGiven();
  } else if (info[1].IsObject()) {
    memory = HostAddon::Of(env).object_refs().Keep(info[1].As<Napi::Object>());
  }
  return Give(info, 2, std::make_unique<HeldHostMemory>(std::move(memory)), {});
}

Napi::Value LeaseTaken(Napi::Env env, std::shared_ptr<ImportedArray> imported) {
  return Handle<HostMemory>::Wrap(env, std::make_shared<HostMemory>(env, std::move(imported), 0));
}

/// importCapsule(capsule, contents): returns what `contents` makes of the capsule, with a lease on
/// its memory. Null if the object is no capsule.
Napi::Value ImportCapsule(const Napi::CallbackInfo& info) {
  return Take(info[0], info[1], LeaseTaken);
}

}  // namespace

void BindCapsule(Napi::Object exports) {
  AddExports(exports, {
                          {"exportCapsule", kFunction<ExportCapsule>},
                          {"importCapsule", kFunction<ImportCapsule>},
                      });
}

}  // namespace array_interface
