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

/// A program's own code in a primary context: all kernels of the same bytes share it, in all
/// threads. It is built once, and unloaded once no kernel needs it and the last launch has ended.
class LoadedModule {
 public:
  /// The module of an image, which is PTX, a cubin or a fat binary; a text ends with a zero. One
  /// that the driver has refused is tried again.
  static std::shared_ptr<LoadedModule> Of(std::shared_ptr<Context> context, std::string image);

  /// How many this process has.
  static std::size_t count();

  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  /// Builds it, unless it is built. On the builder's thread. Throws DriverError; what the driver
  /// has refused once is thrown again.
  void Load();
  /// A function of the module that is built. Its context is current. Throws DriverError.
  FunctionHandle Function(const std::string& name) const;
  const std::shared_ptr<Context>& context() const { return context_; }
  const std::string& code() const { return image_; }

  /// Notes the event behind a launch, until which the module stays. From any thread.
  void NoteLaunch(const std::shared_ptr<WorkQueue>& queue, std::shared_ptr<Event> event);
  /// Allows a function so much dynamic shared memory. From any thread. Throws DriverError.
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
  /// The last launch on each queue. Queues are not kept: they may end before the module.
  struct LastLaunch {
    std::weak_ptr<WorkQueue> queue;
    std::shared_ptr<Event> event;
  };
  std::mutex mutex_;  ///< of the launches and of what is allowed
  std::vector<LastLaunch> launches_;
  /// With static memory, which is not known here, less than 48 KiB may be allowed.
  std::map<FunctionHandle, std::uint32_t> shared_;
};

}  // namespace array_interface::cuda
