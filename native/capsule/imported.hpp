#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "capsule/abi.hpp"
#include "ordering/work_queue.hpp"

namespace array_interface {

/// An array that another addon exported. It is released on any thread, once nothing in this library
/// needs it.
class ImportedArray {
 public:
  explicit ImportedArray(ai_array* array) : array_(array) {}
  ~ImportedArray() { array_->release(array_); }
  ImportedArray(const ImportedArray&) = delete;
  ImportedArray& operator=(const ImportedArray&) = delete;

  const ai_array& array() const { return *array_; }

  /// Whether the producer has to be told of this library's work through Tell. This is so if it
  /// exported an event, since an event, unlike a queue, cannot be made to wait.
  bool wants_telling() const { return event() != nullptr && array_->consumed != nullptr; }
  /// The producer's event, which a backend wraps in its own type. Null if it exported none.
  void* event() const { return AI_IS_EVENT(array_->order_kind) ? array_->order : nullptr; }
  /// Makes the producer's later work wait for the work on a queue.
  void Tell(ai_order_kind kind, void* queue) const { array_->consumed(array_, kind, queue); }

 private:
  ai_array* array_;
};

/// JavaScript's handle of an imported array. It owns the array until something borrows the memory;
/// after that it only has a weak reference.
class ImportedHandle {
 public:
  static constexpr napi_type_tag kTag{0x3f0b5d27c86e4a91, 0xa7d41c90e25b6f38};

  explicit ImportedHandle(std::shared_ptr<ImportedArray> imported)
      : held_(std::move(imported)), known_(held_) {}

  /// Hands over ownership. Null if the array was borrowed and the loan has ended.
  std::shared_ptr<ImportedArray> Take() {
    auto imported = known_.lock();
    held_ = nullptr;
    return imported;
  }
  /// Returns the array and leaves the ownership unchanged.
  std::shared_ptr<ImportedArray> Peek() const { return known_.lock(); }

 private:
  std::shared_ptr<ImportedArray> held_;
  std::weak_ptr<ImportedArray> known_;
};

/// Makes JavaScript's handle of an imported array.
using MakeHold = Napi::Value (*)(Napi::Env env, std::shared_ptr<ImportedArray> imported);

/// Wraps an `ImportedHandle` for JavaScript.
Napi::Value HoldUntilBorrowed(Napi::Env env, std::shared_ptr<ImportedArray> imported);

/// Takes the array out of a capsule. Returns what core's `capsuleContents` makes of it, with a
/// handle that keeps it. Null if the value is not a capsule. Throws ERR_DISPOSED if it was used
/// before, ERR_VERSION, or ERR_TYPE.
Napi::Value Take(const Napi::Value& capsule, const Napi::Value& contents, MakeHold make_hold);

/// Throws ERR_DISPOSED for an imported array whose loan has ended.
[[noreturn]] void RefuseEnded(Napi::Env env);

/// Takes the imported array from its handle, which no longer owns it. Null if `producer` is not
/// such a handle. Throws ERR_DISPOSED if the array was released.
std::shared_ptr<ImportedArray> ImportedFrom(const Napi::Value& producer);

/// Returns the event recorded after the producer's work on an imported array, given the array's
/// handle. Throws ERR_TYPE, or ERR_DISPOSED if the array was released.
void* EventOf(const Napi::Value& handle);

/// This library's queue that represents a producer's event and starts after it. The producer is
/// told of everything that this queue waits for.
class ProducerQueue final : public WorkQueue {
 public:
  ProducerQueue(std::shared_ptr<WorkQueue> queue, std::function<void()> tell)
      : queue_(std::move(queue)), tell_(std::move(tell)) {}

  /// Always false, so that the producer is also told of the work on this queue itself.
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
