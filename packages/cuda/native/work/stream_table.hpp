#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "driver/abi.hpp"

namespace array_interface::cuda {

class Stream;

/// The kept streams of the process by their handles, so that each is one object. Never destroyed.
class StreamTable {
 public:
  /// The handle of a stream that this library created is unique in the driver. A default stream
  /// belongs to a context, and the per-thread one also to a thread.
  struct Key {
    StreamHandle stream;
    ContextHandle context = nullptr;
    std::uint64_t thread = 0;

    bool operator<(const Key& other) const {
      return std::tie(stream, context, thread) <
             std::tie(other.stream, other.context, other.thread);
    }
  };

  static StreamTable& Get();
  /// Returns a number of the calling thread that no other thread ever has.
  static std::uint64_t ThreadNumber();

  /// Null if there is none.
  std::shared_ptr<Stream> Find(const Key& key) const;
  void Add(const Key& key, const std::shared_ptr<Stream>& stream);
  /// Drops streams that have ended.
  void Sweep();

 private:
  StreamTable() = default;

  mutable std::mutex mutex_;
  std::map<Key, std::weak_ptr<Stream>> streams_;
};

}  // namespace array_interface::cuda
