#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "capsule/abi.hpp"
#include "ordering/work_queue.hpp"

namespace array_interface {

/// An array that another addon gave us. It is released when nothing of ours needs it any more, on
/// any thread.
class ImportedArray {
 public:
  explicit ImportedArray(ai_array* array) : array_(array) {}
  ~ImportedArray() { array_->release(array_); }
  ImportedArray(const ImportedArray&) = delete;
  ImportedArray& operator=(const ImportedArray&) = delete;

  const ai_array& array() const { return *array_; }

  /// Whether our half of the order goes through Tell: the producer's event is no queue that could
  /// be made to wait.
  bool wants_telling() const { return event() != nullptr && array_->consumed != nullptr; }
  /// The producer's event, which a backend takes for its own kind. Null: it gave none.
  void* event() const {
    const bool is_event =
        array_->order_kind == AI_CUDA_EVENT || array_->order_kind == AI_SYCL_EVENT;
    return is_event ? array_->order : nullptr;
  }
  /// Makes the producer's later work wait for what a queue has.
  void Tell(ai_order_kind kind, void* queue) const { array_->consumed(array_, kind, queue); }

 private:
  ai_array* array_;
};

/// JavaScript's hold on a imported array, until somebody borrows its memory. After that it only
/// knows it.
class ImportedHandle {
 public:
  static constexpr napi_type_tag kTag{0x3f0b5d27c86e4a91, 0xa7d41c90e25b6f38};

  explicit ImportedHandle(std::shared_ptr<ImportedArray> imported)
      : held_(std::move(imported)), known_(held_) {}

  /// Null: it was borrowed, and the loan has ended.
  std::shared_ptr<ImportedArray> Take() {
    auto imported = known_.lock();
    held_ = nullptr;
    return imported;
  }
  /// The array, without taking it.
  std::shared_ptr<ImportedArray> Look() const { return known_.lock(); }

 private:
  std::shared_ptr<ImportedArray> held_;
  std::weak_ptr<ImportedArray> known_;
};

/// Makes JavaScript's hold on a imported array.
using MakeHold = Napi::Value (*)(Napi::Env env, std::shared_ptr<ImportedArray> imported);

/// A `ImportedHandle`.
Napi::Value HoldUntilBorrowed(Napi::Env env, std::shared_ptr<ImportedArray> imported);

/// Takes what is in a capsule. Gives what core's `capsuleContents` makes of it, with a hold on it.
/// Null: it is no capsule. Throws ERR_DISPOSED (used), ERR_VERSION, ERR_TYPE.
Napi::Value Take(const Napi::Value& capsule, const Napi::Value& contents, MakeHold make_hold);

/// Throws ERR_DISPOSED for a imported array whose loan has ended.
[[noreturn]] void RefuseEnded(Napi::Env env);

/// The imported array whose handle a producer of ours is, which it no longer holds. Null: it is
/// none. Throws ERR_DISPOSED.
std::shared_ptr<ImportedArray> ImportedFrom(const Napi::Value& producer);

/// The event behind which a imported array's work is, by the array's handle. Throws ERR_TYPE, and
/// ERR_DISPOSED for one that was given back.
void* EventOf(const Napi::Value& handle);

/// A queue of ours in place of a producer's event, behind which it starts. The producer is told of
/// everything that it is made to wait for.
class ProducerQueue final : public WorkQueue {
 public:
  ProducerQueue(std::shared_ptr<WorkQueue> queue, std::function<void()> tell)
      : queue_(std::move(queue)), tell_(std::move(tell)) {}

  /// Never, so that the producer is told also of what this queue gets itself.
  bool IsSame(const WorkQueue&) const noexcept override { return false; }
  std::shared_ptr<Event> Record() override { return queue_->Record(); }
  void Wait(const Event& event) override {
    queue_->Wait(event);
    tell_();
  }
  void Synchronize() override { queue_->Synchronize(); }
  void AssertRuns() const override { queue_->AssertRuns(); }
  bool Runs() const noexcept override { return queue_->Runs(); }
  bool IsLost() const noexcept override { return queue_->IsLost(); }

 private:
  std::shared_ptr<WorkQueue> queue_;
  std::function<void()> tell_;
};

}  // namespace array_interface
