#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "driver/context.hpp"
#include "memory/memory_ref.hpp"

namespace array_interface::cuda {

/// User code in a primary context. All kernels with the same bytes share it, in all threads. It is
/// built once, and unloaded once no kernel needs it and the last launch has ended.
class LoadedModule {
 public:
  /// Returns the module of an image, which is null-terminated PTX, a cubin or a fat binary. If the
  /// driver has refused it before, it is tried again.
  static std::shared_ptr<LoadedModule> Of(std::shared_ptr<Context> context, std::string image);

  /// Number of modules in this process.
  static std::size_t count();

  ~LoadedModule();

  /// Builds it, unless it is built. Runs on the builder's thread. Throws DriverError. If the driver
  /// has refused it once, throws the same error again.
  void Load();
  /// Returns a function of the built module. Its context must be current. Throws DriverError.
  FunctionHandle Function(const std::string& name) const;
  const std::shared_ptr<Context>& context() const { return context_; }
  const std::string& code() const { return image_; }

  /// Records the event after a launch, until which the module stays loaded. Safe to call from any
  /// thread.
  void NoteLaunch(const std::shared_ptr<WorkQueue>& queue, std::shared_ptr<Event> event);
  /// Allows a function that many bytes of dynamic shared memory. Safe to call from any thread.
  /// Throws DriverError.
  void NeedShared(FunctionHandle function, std::uint32_t bytes);

 private:
  class Code;

  LoadedModule(std::shared_ptr<Context> context, std::string image, std::unique_ptr<Code> code);

  std::shared_ptr<Context> context_;
  const std::string image_;
  Code& code_;
  std::mutex loading_;
  bool is_loaded_ = false;
  std::exception_ptr refusal_;
  MemoryRef ref_;
  /// The last launch on each queue. Queues are not kept alive: they may end before the module.
  struct LastLaunch {
    std::weak_ptr<WorkQueue> queue;
    std::shared_ptr<Event> event;
  };
  std::mutex mutex_;  ///< guards launches_ and shared_
  std::vector<LastLaunch> launches_;
  /// Bytes allowed so far. The driver's default of 48 KiB includes static memory, whose size is not
  /// known here, so a first request is always set.
  std::map<FunctionHandle, std::uint32_t> shared_;
};

}  // namespace array_interface::cuda
