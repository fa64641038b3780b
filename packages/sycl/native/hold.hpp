#pragma once

#include <memory>
#include <vector>

#include "block.hpp"
#include "event.hpp"
#include "napi/setup.hpp"

namespace array_interface::sycl {

/// What one memory in JavaScript has of a block: it lives until its last hold has ended.
class Hold {
 public:
  static constexpr napi_type_tag kTag{0x5be2d7c4819f4a06u, 0xb86d3e1fa720c95bu};

  /// `owns`: the block is not lent to anyone new once this hold has ended.
  Hold(Runtime& runtime, std::shared_ptr<Block> block, bool owns);
  /// Not ended by hand: garbage collection. Ends after all work on all queues.
  ~Hold();
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

  /// Throws SyclError ERR_DISPOSED once ended.
  Block& block() const { return *share(); }
  /// The block for another hold. Throws SyclError ERR_DISPOSED once ended.
  std::shared_ptr<Block> share() const;

  /// Ends the hold in the background, once all of `pending` were reached. Does not block.
  void End(std::vector<std::shared_ptr<Event>> pending);

 private:
  std::shared_ptr<Block> Take();

  Runtime& runtime_;
  std::shared_ptr<Block> block_;
  const bool owns_;
};

}  // namespace array_interface::sycl
