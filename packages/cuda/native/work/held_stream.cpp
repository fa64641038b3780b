#include "work/held_stream.hpp"

#include "napi/failure.hpp"
#include "napi/handle.hpp"

namespace array_interface::cuda {

std::shared_ptr<Stream> LiveStream(const Napi::Value& value) {
  auto stream = Handle<HeldStream>::Unwrap(value, "stream")->stream();
  if (stream != nullptr) return stream;
  Throw(value.Env(),
        {"ERR_DISPOSED", "stream",
         "expected a live stream, got one that was disposed; create another", "", 0, ""});
}

}  // namespace array_interface::cuda
