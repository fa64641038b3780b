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
  /// Null where the runtime has no memory. Throws SyclError ERR_ARGUMENT for another kind. It tells
  /// `table` when the memory goes.
  static std::unique_ptr<UsmAllocation> Make(BlockTable& table,
                                             const std::shared_ptr<ContextDevice>& context_device,
                                             UsmType type, std::size_t alignment, std::size_t size);
  /// A block of such memory, which keeps the place.
  static std::shared_ptr<Block> Hold(std::unique_ptr<Allocation> allocation,
                                     std::shared_ptr<ContextDevice> context_device);
  ~UsmAllocation() override;

  /// Waits for none of our work. Leaks once the process is exiting.
  void Release() noexcept override;
  /// 0 once the place has ended, since nobody can allocate there any more.
  std::size_t kept_at_most() const override { return home_.expired() ? 0 : kept_at_most_; }
  std::size_t footprint() const override { return InPieces(size(), piece_); }

  UsmType type() const { return type_; }
  /// Null once it has ended. Memory that somebody holds keeps its place.
  std::shared_ptr<ContextDevice> home() const { return home_.lock(); }

  /// The number for memory of a type and an alignment. Memory with an unusual alignment is kept
  /// only for its like.
  static int KindOf(UsmType type, std::size_t alignment);
  /// The runtime's function for a type. Throws SyclError ERR_ARGUMENT for another.
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
