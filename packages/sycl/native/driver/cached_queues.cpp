#include "cached_queues.hpp"

#include <utility>

namespace array_interface::sycl {

namespace {

/// For each set of properties. More than a program needs that creates one queue for each request.
constexpr std::size_t kMost = 64;

}  // namespace

std::atomic<std::size_t> CachedQueues::count_{0};

CachedQueues::~CachedQueues() {
  for (const auto& [properties, queues] : queues_) count_ -= queues.size();
}

QueueReference CachedQueues::Take(int properties) {
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(properties);
  if (found == queues_.end() || found->second.empty()) return {};
  QueueReference taken = std::move(found->second.back());
  found->second.pop_back();
  --count_;
  return taken;
}

void CachedQueues::Put(int properties, QueueReference& queue) {
  const std::lock_guard lock(mutex_);
  auto& queues = queues_[properties];
  if (queues.size() >= kMost) return;
  queues.push_back(std::move(queue));
  ++count_;
}

}  // namespace array_interface::sycl
