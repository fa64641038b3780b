#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "napi/setup.hpp"

namespace array_interface {

/// Strong references to JavaScript objects, which native code may release on any thread. They
/// belong to one environment and do not keep the process alive.
class ObjectRefs {
 public:
  explicit ObjectRefs(Napi::Env env);
  ObjectRefs(const ObjectRefs&) = delete;
  ObjectRefs& operator=(const ObjectRefs&) = delete;
  ~ObjectRefs() { Stop(); }

  Napi::Env env() const { return env_; }

  /// Keeps the object until the last copy of the result is released, or the environment ends. Must
  /// be called on the environment's thread.
  std::shared_ptr<void> Keep(Napi::Object object);
  /// Returns a function that keeps the object in the same way for as long as its result exists. The
  /// function itself keeps nothing, and returns null once the object was collected. Returns null if
  /// the value is not an object. The function must be called and destroyed on the environment's
  /// thread.
  std::function<std::shared_ptr<void>()> KeeperOf(const Napi::Value& object);
  /// Keeps the function in the same way, and calls it after the release. Exceptions that it throws
  /// are ignored.
  std::shared_ptr<void> KeepUntilCalled(Napi::Function let_go);

 private:
  struct Dropped;
  struct Reference {
    napi_ref reference;
    bool is_called;  ///< whether it is a function to call after the release
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
