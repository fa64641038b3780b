#pragma once

#include <cstdint>
#include <memory>

#include "driver/kernel_builder.hpp"
#include "memory/process_allocator.hpp"
#include "memory/sycl_memory.hpp"
#include "napi/addon.hpp"
#include "napi/object_refs.hpp"
#include "threads/ticket_table.hpp"
#include "work/error_feed.hpp"
#include "work/imported_work.hpp"

namespace array_interface::sycl {

/// Everything that this addon stores per environment.
class SyclAddon : public Addon {
 public:
  SyclAddon(Napi::Env env, Napi::Function error_class)
      : Addon(env, error_class), imported_work_(env), object_refs_(env) {
    KernelBuilder::Instance().Enter();
    ProcessAllocator().Enter();
  }
  /// The last environment waits for the kernel that is being built and, for a bounded time, for
  /// memory that is being freed.
  ~SyclAddon() override {
    feed_ = nullptr;
    TicketTable<SharedMemory>::Get().End(this);
    KernelBuilder::Instance().Leave();
    ProcessAllocator().Leave(kTimeout);
  }

  static SyclAddon& Of(Napi::Env env) { return static_cast<SyclAddon&>(Addon::Of(env)); }

  void Listen(Napi::Env env, Napi::Function listener) {
    if (feed_ == nullptr) feed_ = std::make_unique<ErrorFeed>(env, listener);
  }

  ImportedWork& imported_work() { return imported_work_; }
  ObjectRefs& object_refs() { return object_refs_; }

 private:
  static constexpr CachingAllocator::Milliseconds kTimeout{10000};

  std::unique_ptr<ErrorFeed> feed_;
  ImportedWork imported_work_;
  ObjectRefs object_refs_;
};

}  // namespace array_interface::sycl
