#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "dpctl.hpp"

namespace array_interface::sycl {

class Place;
class Runtime;

/// One USM allocation of ours. Its end gives the memory back, and may block.
class Block {
 public:
  /// Allocates; throws SyclError ERR_OUT_OF_MEMORY, ERR_ARGUMENT.
  static std::shared_ptr<Block> Allocate(Runtime& runtime, std::shared_ptr<Place> place,
                                         UsmType type, std::size_t alignment, std::size_t size);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  std::byte* pointer() const { return pointer_; }
  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(pointer_); }
  std::size_t size() const { return size_; }
  UsmType type() const { return type_; }

  /// From now on nobody new may borrow it.
  void GiveUp() { given_up_ = true; }
  bool given_up() const { return given_up_; }

 private:
  Block(Runtime& runtime, std::shared_ptr<Place> place, UsmType type, std::byte* pointer,
        std::size_t size);

  Runtime& runtime_;
  const std::shared_ptr<Place> place_;
  const UsmType type_;
  std::byte* const pointer_;
  const std::size_t size_;
  std::atomic<bool> given_up_{false};
};

}  // namespace array_interface::sycl
