#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace array_interface {

/// Core's type code of local memory.
constexpr int kLocalMemory = 11;
/// Core's type code of a struct by value, the highest one. The bits above the code are its bytes.
constexpr int kStruct = 12;
/// Bytes of a value's slot.
constexpr std::size_t kSlot = 8;

constexpr int CodeOf(int type) { return type & 0xff; }
constexpr std::size_t StructBytes(int type) { return static_cast<unsigned>(type) >> 8; }

/// Bytes of the slots of a type's value.
constexpr std::size_t SlotBytes(int type) {
  return CodeOf(type) == kStruct ? (StructBytes(type) + kSlot - 1) / kSlot * kSlot : kSlot;
}

/// Bytes of the slots of all values.
inline std::size_t SlotBytes(const std::vector<int>& types) {
  std::size_t bytes = 0;
  for (const int type : types) bytes += SlotBytes(type);
  return bytes;
}

/// A function of user code, which another thread builds. `Kernel` derives from it, and its `Load`
/// builds the function, or throws.
template <class Kernel, class Module>
class DeviceKernel {
 public:
  /// What to build, and what the function takes, as core's type codes.
  struct Source {
    std::string code;
    std::string function;
    std::vector<int> types;
  };

  /// Starts to build a kernel. Throws if there is no memory or thread for that.
  template <class Builder, class Context>
  static std::shared_ptr<Kernel> Ask(Builder& builder, std::shared_ptr<Context> context,
                                     Source source) {
    auto module = Module::Of(std::move(context), std::move(source.code));
    auto kernel = std::make_shared<Kernel>(std::move(module), std::move(source.function),
                                           std::move(source.types));
    builder.Post([job = std::make_shared<Job>(kernel)] { job->Run(); });
    return kernel;
  }

  // NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility): kernels inherit it
  DeviceKernel(std::shared_ptr<Module> module, std::string name, std::vector<int> types)
      : module_(std::move(module)), name_(std::move(name)), types_(std::move(types)) {}

  /// Whether the build has ended, successfully or not. Safe to call from any thread.
  bool has_ended() const { return has_ended_; }
  /// Why the build failed. Null if it succeeded. Valid once the build has ended.
  const std::exception_ptr& error() const { return error_; }
  bool IsBuilt() const { return has_ended_ && error_ == nullptr; }
  /// Type codes of the parameters.
  const std::vector<int>& types() const { return types_; }

 protected:
  std::shared_ptr<Module> module_;
  const std::string name_;
  const std::vector<int> types_;

 private:
  /// Builds the kernel once. If the job is dropped, the kernel fails.
  class Job {
   public:
    explicit Job(std::shared_ptr<Kernel> kernel) : kernel_(std::move(kernel)) {}
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job() { kernel_->GiveUp(); }

    void Run() const { kernel_->Build(); }

   private:
    std::shared_ptr<Kernel> kernel_;
  };

  void Build() noexcept {
    try {
      static_cast<Kernel*>(this)->Load();
    } catch (...) {
      error_ = std::current_exception();
    }
    has_ended_ = true;
  }

  /// Called when nothing will build it any more.
  void GiveUp() noexcept {
    if (has_ended_) return;
    error_ = std::make_exception_ptr(std::runtime_error(
        "expected the kernel to be built, got the end of the process or of its last thread"));
    has_ended_ = true;
  }

  std::exception_ptr error_;
  std::atomic<bool> has_ended_{false};
};

}  // namespace array_interface
