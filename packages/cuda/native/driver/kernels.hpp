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

/// Our kernels in one context. Those that do every copy are compiled in the background when the
/// context gets its first stream; those for one conversion when a large enough copy asks for them.
/// Compiled kernels stay. On any thread.
class Kernels {
 public:
  /// `context` is the one that has these kernels.
  explicit Kernels(Context& context) : context_(context) {}
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  /// Has the kernels for every copy compiled on another thread, when first called. Does not wait.
  void Prepare();

  /// The kernel of strided_copy.cl for a unit. Where it is missing, waits for the build under way,
  /// or compiles it. Throws DriverError.
  FunctionHandle ForUnit(std::uint32_t unit);
  /// The kernel that converts between all numbers. Waits or compiles as ForUnit does.
  FunctionHandle ForNumbers();
  /// The kernel of block_copy.cl for one conversion (conversion_code()). Null: it is not built yet.
  /// Never waits.
  FunctionHandle ForBlocks(std::uint32_t conversion) { return Find(conversion, 0); }
  /// Has that kernel compiled on another thread, unless it is there or asked for. The next call
  /// asks again for one that the driver refused. Does not wait, and does not throw.
  void AskForBlocks(std::uint32_t conversion) noexcept { Ask(conversion); }

 private:
  /// A module: a conversion_code(), or one of these.
  using Kind = std::uint32_t;
  static constexpr Kind kUnits = 0xffffffff;
  static constexpr Kind kNumbers = 0xfffffffe;

  using Functions = std::array<FunctionHandle, 5>;
  struct Module {
    bool is_asked = false;  ///< of the builder
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
  std::mutex mutex_;  ///< of the modules; never held while the driver compiles
  std::condition_variable built_;
  std::map<Kind, Module> modules_;
};

}  // namespace array_interface::cuda
