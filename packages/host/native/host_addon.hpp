#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "host_memory.hpp"
#include "kernel_run.hpp"
#include "napi/addon.hpp"
#include "napi/cleanup_hook.hpp"
#include "napi/object_refs.hpp"
#include "threads/ticket_table.hpp"

namespace array_interface {

/// State of this addon in one environment. When the environment ends, it waits for running kernels,
/// whose memory may be JavaScript's or another addon's.
class HostAddon : public Addon {
 public:
  HostAddon(Napi::Env env, Napi::Function error_class)
      : Addon(env, error_class), object_refs_(env), end_(env, [this] { JoinAll(); }) {}
  ~HostAddon() override { TicketTable<HeldMemory>::Get().End(this); }

  static HostAddon& Of(Napi::Env env) { return static_cast<HostAddon&>(Addon::Of(env)); }

  ObjectRefs& object_refs() { return object_refs_; }

  /// Makes the environment's end wait for a run.
  void Keep(const std::shared_ptr<KernelRun>& run) {
    const auto is_gone = [](const auto& one) { return one.expired(); };
    runs_.erase(std::remove_if(runs_.begin(), runs_.end(), is_gone), runs_.end());
    runs_.push_back(run);
    end_.Renew();
  }

 private:
  void JoinAll() {
    for (const auto& one : runs_) {
      if (const auto run = one.lock()) run->Join();
    }
  }

  ObjectRefs object_refs_;
  std::vector<std::weak_ptr<KernelRun>> runs_;
  CleanupHook end_;
};

}  // namespace array_interface
