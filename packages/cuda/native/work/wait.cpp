#include "work/wait.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "driver/failure.hpp"
#include "memory/process_memory.hpp"
#include "napi/addon.hpp"

namespace array_interface::cuda {

namespace {

struct Wait {
  std::vector<std::shared_ptr<CudaPoint>> points;
  std::optional<Failure> failure;

  bool IsReached(CudaPoint& point) {
    try {
      return point.Query();
    } catch (const DriverError& error) {
      if (!failure) failure = ToFailure(error);
      return true;
    }
  }

  Poll Look() {
    const auto is_reached = [this](const auto& point) { return IsReached(*point); };
    points.erase(std::remove_if(points.begin(), points.end(), is_reached), points.end());
    if (!points.empty()) return {};
    // That may have been the last work on memory that was given back.
    ProcessReclaimer().Hurry();
    return {true, failure};
  }
};

}  // namespace

Napi::Value WaitFor(Napi::Env env, std::vector<std::shared_ptr<CudaPoint>> points) {
  if (points.empty()) {
    auto deferred = Napi::Promise::Deferred::New(env);
    deferred.Resolve(env.Undefined());
    return deferred.Promise();
  }
  const void* const queue = points.size() == 1 ? points.front()->queue() : nullptr;
  auto wait = std::make_shared<Wait>();
  wait->points = std::move(points);
  return Addon::Of(env).waiter().Wait(
      env, [wait] { return wait->Look(); }, queue);
}

Napi::Value WaitFor(Napi::Env env, const Points& points) {
  std::vector<std::shared_ptr<CudaPoint>> ours;
  for (const auto& point : points) ours.push_back(std::static_pointer_cast<CudaPoint>(point));
  return WaitFor(env, std::move(ours));
}

}  // namespace array_interface::cuda
