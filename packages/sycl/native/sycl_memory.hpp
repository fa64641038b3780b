#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "memory/holder.hpp"
#include "napi/kept_objects.hpp"
#include "napi/setup.hpp"
#include "place.hpp"

namespace array_interface {

class Taken;

}  // namespace array_interface

namespace array_interface::sycl {

/// What a loan in another thread needs of a memory.
class SharedMemory {
 public:
  struct Parts {
    std::shared_ptr<Place> place;
    UsmType type;
    std::shared_ptr<Block> block;
    std::shared_ptr<Taken> taken;
  };

  explicit SharedMemory(Parts parts) : parts_(std::make_unique<Parts>(std::move(parts))) {}
  SharedMemory(SharedMemory&&) noexcept = default;
  SharedMemory& operator=(SharedMemory&&) = delete;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  /// The end of each part calls the runtime.
  ~SharedMemory();

  const Parts& parts() const { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// The hold of one memory in JavaScript on a block. It ends in the same way by hand and by garbage
/// collection. Used on one thread, and ends there.
class SyclMemory {
 public:
  static constexpr napi_type_tag kTag{0x5be2d7c4819f4a06u, 0xb86d3e1fa720c95bu};

  /// `type`: kUnknown for memory of the system, which `place` reaches. `owns`: once this has ended,
  /// the block is lent to nobody new; JavaScript is told of its bytes.
  SyclMemory(Napi::Env env, std::shared_ptr<Place> place, UsmType type,
             std::shared_ptr<Block> block, bool owns);
  // NOLINTNEXTLINE(bugprone-exception-escape): what has not ended throws nothing
  ~SyclMemory() { End(); }
  SyclMemory(const SyclMemory&) = delete;
  SyclMemory& operator=(const SyclMemory&) = delete;

  /// Keeps a JavaScript object while work on its memory is pending. The reference is weak, since
  /// the holder of this memory has the object, too.
  void KeepWhilePending(KeptObjects& kept, Napi::Object producer);

  /// A reference to that object. Null where there is none.
  std::shared_ptr<void> KeepProducer(KeptObjects& kept) const;

  /// Keeps what came in a capsule as long as this, its loans and what others took of them, and
  /// until the work on the memory has ended.
  void KeepTaken(std::shared_ptr<Taken> taken);
  /// Makes this, a loan of another memory, keep what that keeps.
  void ShareTaken(std::shared_ptr<Taken> taken) { taken_ = std::move(taken); }
  /// Null where the memory came in no capsule.
  const std::shared_ptr<Taken>& taken() const { return taken_; }

  /// Throws SyclError ERR_DISPOSED once ended.
  Holder& holder();
  const std::shared_ptr<Block>& block() { return holder().block(); }
  const std::shared_ptr<Place>& place() const { return place_; }
  UsmType type() const { return type_; }
  bool is_system() const { return type_ == UsmType::kUnknown; }

  /// Lets go of the block, once.
  void End();

 private:
  void Report(std::int64_t bytes);

  napi_env env_;
  std::shared_ptr<Place> place_;
  const UsmType type_;
  Holder holder_;
  Napi::ObjectReference producer_;
  std::shared_ptr<Taken> taken_;
};

}  // namespace array_interface::sycl
