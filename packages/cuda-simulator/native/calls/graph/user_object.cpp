#include <algorithm>
#include <mutex>

#include "base/driver_api.hpp"
#include "node.hpp"

using namespace array_interface::cuda_simulator;

namespace {

/// An object of the program with a destructor, which runs when the last reference ends.
struct UserObject {
  UserObject(void* its_object, CUhostFn its_end) : object(its_object), end(its_end) {}
  UserObject(const UserObject&) = delete;
  UserObject& operator=(const UserObject&) = delete;
  ~UserObject() { end(object); }

  void* const object;
  const CUhostFn end;
};

/// The references that the program itself has.
struct Owned {
  std::shared_ptr<UserObject> object;
  std::mutex mutex;
  unsigned count = 0;
};

HandleTable<Owned, CUuserObject>& objects() {
  return immortal<HandleTable<Owned, CUuserObject>, 0x55, CUDA_ERROR_INVALID_VALUE>();
}

void give_up(CUuserObject handle, unsigned count) {
  const auto owned = objects().get(handle);
  std::shared_ptr<UserObject> ended;  // outlives the lock
  std::lock_guard lock(owned->mutex);
  require(count >= 1 && count <= owned->count);
  owned->count -= count;
  if (owned->count != 0) return;
  ended = std::move(owned->object);
  objects().remove(handle);
}

constexpr unsigned no_destructor_sync = 1;
constexpr unsigned move_reference = 1;

}  // namespace

CUresult cuUserObjectCreate(CUuserObject* handle, void* object, CUhostFn end, unsigned count,
                            unsigned flags) {
  return driver_value(__func__, handle, [&] {
    require(end != nullptr && count >= 1 && flags == no_destructor_sync);
    auto owned = std::make_shared<Owned>();
    owned->object = std::make_shared<UserObject>(object, end);
    owned->count = count;
    return objects().add(std::move(owned));
  });
}

CUresult cuUserObjectRetain(CUuserObject handle, unsigned count) {
  return driver_call(__func__, [&] {
    const auto owned = objects().get(handle);
    std::lock_guard lock(owned->mutex);
    require(count >= 1 && count <= 0x7fffffff - owned->count);
    owned->count += count;
  });
}

CUresult cuUserObjectRelease(CUuserObject handle, unsigned count) {
  return driver_call(__func__, [&] { give_up(handle, count); });
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject handle, unsigned count,
                                 unsigned flags) {
  return driver_call(__func__, [&] {
    require(count >= 1 && flags <= move_reference);
    const auto found = graphs().get(graph);
    const auto owned = objects().get(handle);
    found->held.insert(found->held.end(), count, {owned->object, handle});
    if (flags == move_reference) give_up(handle, count);
  });
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject handle, unsigned count) {
  return driver_call(__func__, [&] {
    auto& held = graphs().get(graph)->held;
    const auto is_meant = [&](const UserReference& one) { return one.handle == handle; };
    const auto has = static_cast<unsigned>(std::count_if(held.begin(), held.end(), is_meant));
    require(count >= 1 && count <= has);
    for (unsigned index = 0; index < count; ++index) {
      held.erase(std::find_if(held.begin(), held.end(), is_meant));
    }
  });
}
