#include "base/bits.hpp"
#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "state/event.hpp"

using namespace array_interface::cuda_simulator;

namespace {

constexpr unsigned shared_flags = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;

}  // namespace

CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  return context_call(__func__, [&](Context&) {
    const auto found = events().get(event);
    require(handle != nullptr);
    require((found->flags & shared_flags) == shared_flags && !found->imported,
            CUDA_ERROR_INVALID_HANDLE);
    *handle = bits_as<CUipcEventHandle>(found->share()->handle());
  });
}

CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle bytes) {
  return context_value(__func__, event, [&](Context& context) {
    auto made = std::make_shared<Event>();
    made->context = &context;
    made->flags = shared_flags;
    made->imported = true;
    made->adopt(SharedEvent::open(bits_as<IpcHandle>(bytes)));
    return events().add(std::move(made));
  });
}
