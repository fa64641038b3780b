#pragma once

#include <memory>
#include <utility>

#include "napi/setup.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// A reference to a stream, JavaScript's or a capsule's, that may name it to consumers until it
/// ends.
class HeldStream {
 public:
  static constexpr napi_type_tag kTag{0x0d5e3c1b9f8a4e67, 0xb1c2f3047a6d5e03};

  explicit HeldStream(std::shared_ptr<Stream> stream) : stream_(std::move(stream)) {
    if (stream_ != nullptr) stream_->AddUser();
  }
  HeldStream(const HeldStream&) = delete;
  HeldStream& operator=(const HeldStream&) = delete;
  ~HeldStream() { End(); }

  /// Null once it has ended.
  const std::shared_ptr<Stream>& stream() const { return stream_; }

  /// Releases the reference, once. The stream still runs its work.
  void End() {
    const auto stream = std::exchange(stream_, nullptr);
    if (stream != nullptr) stream->RemoveUser();
  }

 private:
  std::shared_ptr<Stream> stream_;
};

/// Returns the stream of a handle. Throws ERR_TYPE, or ERR_DISPOSED once it was released.
std::shared_ptr<Stream> LiveStream(const Napi::Value& value);

}  // namespace array_interface::cuda
