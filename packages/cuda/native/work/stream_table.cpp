#include "work/stream_table.hpp"

#include <atomic>
#include <iterator>

#include "work/stream.hpp"

namespace array_interface::cuda {

StreamTable& StreamTable::Get() {
  static auto& table = *new StreamTable();
  return table;
}

std::uint64_t StreamTable::ThreadNumber() {
  static std::atomic<std::uint64_t> count{0};
  thread_local const std::uint64_t number = ++count;
  return number;
}

std::shared_ptr<Stream> StreamTable::Find(const Key& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(key);
  return found == streams_.end() ? nullptr : found->second.lock();
}

void StreamTable::Add(const Key& key, const std::shared_ptr<Stream>& stream) {
  const std::lock_guard lock(mutex_);
  streams_[key] = stream;
}

void StreamTable::Sweep() {
  const std::lock_guard lock(mutex_);
  for (auto one = streams_.begin(); one != streams_.end();) {
    one = one->second.expired() ? streams_.erase(one) : std::next(one);
  }
}

}  // namespace array_interface::cuda
