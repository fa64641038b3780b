#include "work/copy.hpp"

#include "bindings/bindings.hpp"
#include "bindings/guarded.hpp"
#include "bindings/live_stream.hpp"
#include "napi/argument.hpp"

namespace array_interface::cuda {

namespace {

/// copyRun(stream, destination, source, byteLength)
Napi::Value CopyRun(const Napi::CallbackInfo& info) {
  CopyRun(*LiveStream(info[0]), ReadPointer(info[1], "destination"), ReadPointer(info[2], "source"),
          ReadSize(info[3], "byteLength"));
  return info.Env().Undefined();
}

/// copyStrided(stream, plan)
Napi::Value CopyStrided(const Napi::CallbackInfo& info) {
  CopyStrided(*LiveStream(info[0]), ReadPlan(info[1]));
  return info.Env().Undefined();
}

}  // namespace

void ExportCopy(Napi::Object exports) {
  Export<CopyRun>(exports, "copyRun");
  Export<CopyStrided>(exports, "copyStrided");
}

}  // namespace array_interface::cuda
