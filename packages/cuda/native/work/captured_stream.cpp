#include "work/captured_stream.hpp"

#include <cstdint>

namespace array_interface::cuda {

namespace {

/// A handle is an address in the driver, so messages do not show it.
const char* NameOf(std::uintptr_t handle) {
  if (handle == kLegacyStream) return "the legacy default stream";
  return handle == kPerThreadStream ? "this thread's default stream" : "one";
}

}  // namespace

CapturedStream::CapturedStream(StreamHandle stream) {
  const auto handle = reinterpret_cast<std::uintptr_t>(stream);
  message_ =
      std::string("expected a stream that runs its work, got ") + NameOf(handle) +
      ", which is being captured into a graph; end the capture first, or name another stream";
  if (handle != kLegacyStream) return;
  message_ +=
      "; for a dict that names none, asArray() with producerStream: null says that nothing is "
      "pending";
}

}  // namespace array_interface::cuda
