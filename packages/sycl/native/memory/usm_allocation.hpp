#pragma once

#include <cstddef>
#include <memory>

#include "driver/context_device.hpp"
#include "memory/allocation.hpp"
#include "memory/block_table.hpp"

namespace array_interface::sycl {

/// The usual alignment of an allocation: a cache line.
inline constexpr std::size_t kUsualAlignment = 64;

/// USM memory that the runtime allocated.
class UsmAllocation final : public Allocation {
 public:
  /// Returns null if the runtime has no memory. Throws SyclError ERR_ARGUMENT for another kind.
  /// Removes itself from `table` when the memory is freed.
  static std::unique_ptr<UsmAllocation> Make(BlockTable& table,
                                             const std::shared_ptr<ContextDevice>& context_device,
                                             UsmType type, std::size_t alignment, std::size_t size);
  /// Returns a block of such memory, which keeps the context and device.
  static std::shared_ptr<Block> Hold(std::unique_ptr<Allocation> allocation,
                                     std::shared_ptr<ContextDevice> context_device);
  ~UsmAllocation() override;

  /// Does not wait for this library's work. Leaks once the process is exiting.
  void Release() noexcept override;
  /// 0 once the context and device have ended, since nothing can be allocated there any more.
  std::size_t kept_at_most() const override { return home_.expired() ? 0 : kept_at_most_; }
  std::size_t footprint() const override { return InPieces(size(), piece_); }

  UsmType type() const { return type_; }
  /// Null once it has ended. Memory that is referenced keeps its context and device.
  std::shared_ptr<ContextDevice> home() const { return home_.lock(); }

  /// The allocator's number for memory of a type and an alignment. Memory that is aligned to more
  /// than kUsualAlignment has a number of its own, and is not cached.
  static int KindOf(UsmType type, std::size_t alignment);
  /// The runtime's allocation function for a type. Throws SyclError ERR_ARGUMENT for another.
  static const Guarded<void*(std::size_t, std::size_t, void*)>& FunctionFor(const Dpctl& dpctl,
                                                                            UsmType type);

 private:
  UsmAllocation(BlockTable& table, const std::shared_ptr<ContextDevice>& context_device,
                UsmType type, std::size_t alignment, std::size_t size, void* pointer);

  BlockTable& table_;
  const Dpctl& dpctl_;
  std::weak_ptr<ContextDevice> home_;
  std::shared_ptr<const ContextReference> context_;
  const UsmType type_;
  const std::size_t piece_;
  const std::size_t kept_at_most_;
};

}  // namespace array_interface::sycl
