#pragma once

#include <memory>

#include "napi/setup.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// JavaScript's hold on a stream, until it is given back or collected.
struct HeldStream {
  static constexpr napi_type_tag kTag{0x0d5e3c1b9f8a4e67, 0xb1c2f3047a6d5e03};

  std::shared_ptr<Stream> stream;
};

/// The stream behind a handle. Throws ERR_TYPE, or ERR_DISPOSED once it was given back.
std::shared_ptr<Stream> LiveStream(const Napi::Value& value);

}  // namespace array_interface::cuda
