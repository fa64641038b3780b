#include "work/captured_stream.hpp"

#include <cstdint>
#include <sstream>

namespace array_interface::cuda {

CapturedStream::CapturedStream(StreamHandle stream) {
  const auto handle = reinterpret_cast<std::uintptr_t>(stream);
  std::ostringstream words;
  words << "expected a stream that runs its work, got 0x" << std::hex << handle
        << ", which is being captured into a graph; end the capture first, or name another stream";
  if (handle == kLegacyStream) {
    words << "; for a dict that names none, asArray() with producerStream: null says that nothing "
             "is pending";
  }
  message_ = words.str();
}

}  // namespace array_interface::cuda
