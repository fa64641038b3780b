#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "napi/setup.hpp"

namespace array_interface {

/// JavaScript objects that native code of one environment keeps for a while, and may let go of on
/// any thread. They keep no process alive.
class ObjectRefs {
 public:
  explicit ObjectRefs(Napi::Env env);
  ObjectRefs(const ObjectRefs&) = delete;
  ObjectRefs& operator=(const ObjectRefs&) = delete;
  ~ObjectRefs() { Stop(); }

  /// Keeps the object until the last copy of the result goes, or the environment ends. Call on its
  /// thread.
  std::shared_ptr<void> Keep(Napi::Object object);
  /// A function that keeps the object so while somebody has what it gives, and by itself keeps
  /// nothing: it gives null once the object was collected. Null for what is no object. Call and end
  /// it on its thread.
  std::function<std::shared_ptr<void>()> KeeperOf(const Napi::Value& object);
  /// Keeps the function as long, and then calls it. What it throws is dropped.
  std::shared_ptr<void> KeepUntilCalled(Napi::Function let_go);

 private:
  struct Dropped;
  struct Reference {
    napi_ref reference;
    bool is_called;  ///< whether it is a function to be called when it is let go
  };
  static void OnDropped(Napi::Env env, Napi::Function, Dropped* dropped, void*);
  using Notify = Napi::TypedThreadSafeFunction<Dropped, void, OnDropped>;
  struct Dropped {
    std::mutex mutex;
    std::vector<Reference> references;
    /// All references that were made and not deleted. An environment that ends deletes none by
    /// itself.
    std::unordered_set<napi_ref> alive;
    bool ended = false;
    Notify notify;
  };

  std::shared_ptr<void> KeepReference(Napi::Object object, bool is_called);
  void Stop();

  Napi::Env env_;
  std::shared_ptr<Dropped> dropped_;
};

}  // namespace array_interface
