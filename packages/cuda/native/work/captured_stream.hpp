#pragma once

#include <exception>
#include <string>

#include "driver/abi.hpp"

namespace array_interface::cuda {

/// A stream cannot run work, since it is being captured into a graph: ERR_CAPTURE.
class CapturedStream : public std::exception {
 public:
  explicit CapturedStream(StreamHandle stream);

  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

}  // namespace array_interface::cuda
