#pragma once

#include "driver/kernel_builder.hpp"
#include "memory/cuda_memory.hpp"
#include "memory/process_memory.hpp"
#include "memory/registration.hpp"
#include "napi/addon.hpp"
#include "napi/object_refs.hpp"
#include "threads/ticket_table.hpp"
#include "work/last_event.hpp"

namespace array_interface::cuda {

/// Everything that this addon stores per environment.
class CudaAddon : public Addon {
 public:
  CudaAddon(Napi::Env env, Napi::Function error_class)
      : Addon(env, error_class), object_refs_(env), registrations_(env) {
    KernelBuilder::Instance().Enter();
    ProcessAllocator().Enter();
  }
  /// The last environment waits, for a bounded time, for memory that is being freed and for the
  /// current kernel build.
  ~CudaAddon() override {
    TicketTable<CudaMemory::Shared>::Get().End(this);
    ProcessAllocator().Leave(kTimeout);
    KernelBuilder::Instance().Leave();
  }

  static CudaAddon& Of(Napi::Env env) { return static_cast<CudaAddon&>(Addon::Of(env)); }

  ObjectRefs& object_refs() { return object_refs_; }
  Registrations& registrations() { return registrations_; }
  /// The last events of the streams that this environment created or wrapped.
  LastEvents& last_events() { return last_events_; }

 private:
  static constexpr CachingAllocator::Milliseconds kTimeout{1000};

  ObjectRefs object_refs_;
  Registrations registrations_;
  LastEvents last_events_;
};

}  // namespace array_interface::cuda
