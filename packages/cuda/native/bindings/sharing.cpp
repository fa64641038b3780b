#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "bindings/bindings.hpp"
#include "driver/hex.hpp"
#include "ipc/imported_allocation.hpp"
#include "ipc/ipc_exporter.hpp"
#include "ipc/ipc_importer.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"

namespace array_interface::cuda {

namespace {

Napi::String HexOf(Napi::Env env, const IpcHandle& handle) {
  return ToHex(env, handle.bytes, sizeof(handle.bytes));
}

IpcHandle ReadHandle(const Napi::Value& value, const char* path) {
  IpcHandle handle{};
  FromHex(value, path, handle.bytes, sizeof(handle.bytes));
  return handle;
}

[[noreturn]] void ThrowNoLease(Napi::Env env, const std::system_error& error, const char* cure) {
  Throw(env, {"ERR_TICKET", "",
              std::string("expected a file for the ticket's lease, got ") + error.what() + cure, "",
              0, ""});
}

std::shared_ptr<IpcExporter> MakeSharer(Napi::Env env, DriverAllocation& memory,
                                        const std::shared_ptr<Stream>& stream) {
  try {
    return std::make_shared<IpcExporter>(memory, stream);
  } catch (const std::system_error& error) {
    ThrowNoLease(env, error, "; close some of this process's files");
  }
}

/// Returns the memory's exporter. Creates it, ordered after all work so far, if there is none.
IpcExporter& SharerOf(Napi::Env env, Block& block, const std::shared_ptr<Stream>& stream) {
  const std::lock_guard lock(block.tracker().mutex());
  stream->AssertRuns();
  block.tracker().AssertRuns();
  if (block.peers() == nullptr) {
    block.tracker().Gather(*stream);
    block.set_peers(MakeSharer(env, static_cast<DriverAllocation&>(*block.allocation()), stream));
  }
  auto& exporter = static_cast<IpcExporter&>(*block.peers());
  // Orders the exporter also after what consumers have enqueued on exported streams by now.
  exporter.Before(*stream);
  block.tracker().Gather(*stream);
  exporter.After(*stream);
  stream->Mark();  // so that a wait for all work includes the two events
  return exporter;
}

/// share(memory, stream): what a ticket of this library's device memory needs. The stream must be
/// one that this library created on the memory's device.
Napi::Value ShareMemory(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto memory = LiveMemory<CudaMemory>(info[0], "memory");
  const CudaAllocation* const allocation = memory->allocation();
  if (allocation == nullptr || allocation->memory_kind() != MemoryKind::kDevice) {
    Throw(env, {"ERR_TICKET", "memory", "expected device memory of this process, got other memory",
                "", 0, ""});
  }
  const IpcExporter& exporter = SharerOf(env, *memory->ref().block(), LiveQueue<Stream>(info[1]));
  return MakeObject(env, {
                             {"memory", HexOf(env, exporter.memory())},
                             {"ready", HexOf(env, exporter.ready().Share())},
                             {"back", HexOf(env, exporter.back().Share())},
                             {"path", exporter.lease()->Path()},
                             {"lease", Handle<IpcLease>::Wrap(env, exporter.lease())},
                         });
}

/// writeLease(lease, text): appends what a ticket of the lease must match.
Napi::Value WriteLease(const Napi::CallbackInfo& info) {
  const auto lease = Handle<IpcLease>::Unwrap(info[0], "lease");
  try {
    lease->Write(ReadString(info[1], "text"));
  } catch (const std::system_error& error) {
    ThrowNoLease(info.Env(), error, "; share fewer views of one array, or a copy of it");
  }
  return info.Env().Undefined();
}

/// openLease(path, user): { state, owner, text, leaseLock }.
Napi::Value OpenLease(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto lease_lock = std::make_shared<LeaseLock>(ReadString(info[0], "lease"),
                                                static_cast<uid_t>(ReadSize(info[1], "user")));
  if (lease_lock->error() != 0) {
    Throw(env, {"ERR_TICKET", "ticket.lease",
                "expected to open and lock the ticket's file, got: " +
                    std::generic_category().message(lease_lock->error()) +
                    "; close files, or raise `ulimit -n`",
                "", 0, ""});
  }
  return MakeObject(env, {
                             {"state", NameOf(lease_lock->state())},
                             {"owner", lease_lock->owner()},
                             {"text", lease_lock->text()},
                             {"leaseLock", Handle<LeaseLock>::Wrap(env, std::move(lease_lock))},
                         });
}

/// leaveLease(leaseLock): releases the lock of the lease that openLease returned.
Napi::Value LeaveLease(const Napi::CallbackInfo& info) {
  Handle<LeaseLock>::Unwrap(info[0], "leaseLock")->Leave();
  return info.Env().Undefined();
}

/// Whether the lease of a ticket keeps the memory of a block alive.
bool IsKeptBy(const Block& block, TicketFile::Identity lease) {
  const CudaAllocation& allocation = *AllocationOf(block);
  return allocation.memory_kind() == MemoryKind::kOpened &&
         static_cast<const ImportedAllocation&>(allocation).lease() == lease;
}

/// Returns the block of a mapping. A ticket that is opened twice is mapped once: both openings
/// share one block, and with it the first one's lock on the lease. A ticket with another lease is
/// refused, because its lease would not be locked.
std::shared_ptr<Block> BlockOf(Napi::Env env, std::unique_ptr<ImportedAllocation> allocation,
                               std::shared_ptr<IpcImporter> importer) {
  static auto& opening = *new std::mutex;
  const std::lock_guard lock(opening);
  auto known = ProcessBlocks().Find(allocation->pointer());
  if (known != nullptr && IsKeptBy(*known, allocation->lease())) return known;
  if (known != nullptr) {
    Throw(env, {"ERR_TICKET", "ticket.lease",
                "expected the lease by which this process already has the memory, got another one; "
                "dispose of the array that has it, or pass on what share() returned, unchanged",
                "", 0, ""});
  }
  auto block = MakeBlock(std::move(allocation));
  const std::lock_guard tracker_lock(block->tracker().mutex());
  block->set_peers(std::move(importer));
  return block;
}

/// Throws ERR_TICKET if the driver refused a handle, which is the ticket's fault. Rethrows any
/// other error.
[[noreturn]] void ThrowForged(Napi::Env env, const DriverError& error) {
  switch (error.result()) {
    case kInvalidValue:
    case kInvalidDevice:
    case kInvalidContext:  // memory and events of this process itself
    case kMapFailed:
    case kInvalidHandle:
      Throw(env, {"ERR_TICKET", "ticket.memory",
                  std::string("expected handles that the driver can open, got: ") + error.what() +
                      "; pass on what share() returned, unchanged, while its sharer lives",
                  error.name(), error.result(), error.call()});
    default:
      throw error;
  }
}

/// Opens a ticket's memory, if it has at least as many bytes as the ticket claims. The exporter may
/// not be honest.
std::unique_ptr<ImportedAllocation> OpenAllocation(Napi::Env env, std::shared_ptr<Context> context,
                                                   const IpcHandle& handle, std::size_t size,
                                                   std::shared_ptr<LeaseLock> lease_lock) {
  auto allocation =
      std::make_unique<ImportedAllocation>(std::move(context), handle, size, std::move(lease_lock));
  const std::size_t extent = allocation->Extent();
  if (size <= extent) return allocation;
  Throw(env,
        {"ERR_TICKET", "ticket.byteLength",
         "expected at most " + std::to_string(extent) + " bytes, the size of the allocation, got " +
             std::to_string(size) + "; pass on what share() returned, unchanged",
         "", 0, ""});
}

/// openMemory(stream, memory, byteLength, ready, back, leaseLock): another process's memory. The
/// peer lock ends with it. The stream must be one that this library created on the memory's device.
Napi::Value OpenMemory(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto stream = LiveQueue<Stream>(info[0]);
  const auto lease_lock = Handle<LeaseLock>::Unwrap(info[5], "leaseLock");
  try {
    auto importer = std::make_shared<IpcImporter>(stream, lease_lock, ReadHandle(info[3], "ready"),
                                                  ReadHandle(info[4], "back"));
    auto block = BlockOf(env,
                         OpenAllocation(env, stream->context(), ReadHandle(info[1], "memory"),
                                        ReadSize(info[2], "byteLength"), lease_lock),
                         std::move(importer));
    const CudaMemory::Location location{stream->context()->device()};
    // Several importers are equivalent. The lock of the lease is released with the last of them.
    return DescribeMemory(env,
                          std::make_shared<CudaMemory>(env, std::move(block), false, location));
  } catch (const DriverError& error) {
    ThrowForged(env, error);
  }
}

}  // namespace

void BindSharing(Napi::Object exports) {
  AddExports(exports, {
                          {"share", kFunction<ShareMemory>},
                          {"writeLease", kFunction<WriteLease>},
                          {"openLease", kFunction<OpenLease>},
                          {"leaveLease", kFunction<LeaveLease>},
                          {"openMemory", kFunction<OpenMemory>},
                      });
}

}  // namespace array_interface::cuda
