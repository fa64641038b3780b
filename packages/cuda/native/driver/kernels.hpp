#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

#include "driver/abi.hpp"

namespace array_interface::cuda {

class Context;

/// This library's copy kernels in one context. The general kernels are compiled in the background
/// when the context gets its first stream; those for one conversion when a large enough copy
/// requests them. Compiled kernels are never unloaded. Safe to call from any thread.
class Kernels {
 public:
  /// `context` is the one that has these kernels.
  explicit Kernels(Context& context) : context_(context) {}

  /// Requests the general kernels on another thread, on the first call. Does not block.
  void Prepare();

  /// Returns the strided_copy.cl kernel for a unit. If it is missing, waits for the current build,
  /// or compiles it. Throws DriverError.
  FunctionHandle ForUnit(std::uint32_t unit);
  /// Returns the kernel that converts between all numeric types. Waits or compiles as ForUnit does.
  FunctionHandle ForNumbers();
  /// Returns the block_copy.cl kernel for one conversion (conversion_code()). Null if it is not
  /// built yet. Never blocks.
  FunctionHandle ForBlocks(std::uint32_t conversion) { return Find(conversion, 0); }
  /// Requests that kernel on another thread, unless it is built or requested. If the driver refused
  /// it, the next call requests it again. Does not block and does not throw.
  void AskForBlocks(std::uint32_t conversion) noexcept { Ask(conversion); }

 private:
  /// Identifies a module: a conversion_code(), or one of these.
  using Kind = std::uint32_t;
  static constexpr Kind kUnits = 0xffffffff;
  static constexpr Kind kNumbers = 0xfffffffe;

  using Functions = std::array<FunctionHandle, 5>;
  struct Module {
    bool is_asked = false;  ///< requested from the builder
    bool is_being_built = false;
    bool is_built = false;
    Functions functions{};
  };
  class Request;

  FunctionHandle Find(Kind kind, std::size_t index);
  FunctionHandle Need(Kind kind, std::size_t index);
  void Ask(Kind kind) noexcept;
  void Build(Kind kind);
  Functions Compile(Kind kind) const;

  Context& context_;
  std::atomic<bool> is_prepared_{false};
  std::mutex mutex_;  ///< guards the modules; never held while the driver compiles
  std::condition_variable built_;
  std::map<Kind, Module> modules_;
};

}  // namespace array_interface::cuda
