#pragma once

#include <memory>

#include "napi/setup.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// The stream behind a handle. Throws ERR_TYPE, or ERR_DISPOSED once it was given back.
std::shared_ptr<Stream> LiveStream(const Napi::Value& value);

}  // namespace array_interface::cuda
