#include <cstring>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "state/event.hpp"

using namespace array_interface::cuda_simulator;

namespace {

constexpr unsigned shared_flags = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;

}  // namespace

CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  return context_call(__func__, [&](Context&) {
    const auto found = find_event(event);
    require(handle != nullptr);
    require((found->flags & shared_flags) == shared_flags && !found->imported,
            CUDA_ERROR_INVALID_HANDLE);
    const IpcHandle made = found->share()->handle();
    std::memcpy(handle->reserved, &made, sizeof made);
  });
}

CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle bytes) {
  return context_call(__func__, [&](Context& context) {
    require(event != nullptr);
    IpcHandle handle;
    std::memcpy(&handle, bytes.reserved, sizeof handle);
    auto made = std::make_shared<Event>();
    made->context = &context;
    made->flags = shared_flags;
    made->imported = true;
    made->adopt(SharedEvent::open(handle));
    *event = reinterpret_cast<CUevent>(events().add(std::move(made)));
  });
}
