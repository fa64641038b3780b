// An addon for tests: an event whose work failed, asked in every way. The device of the tests never
// fails, so the runtime's functions are replaced; the event is the one that queues record.

#include <string>

#include "async_error.hpp"
#include "event.hpp"
#include "napi/setup.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kCode = -42;
bool told = false;

// As the runtime does: an error of running work reaches the handler once.
void WaitAndThrow(void*) {
  if (!told) NoteAsyncError(kCode);
  told = true;
}
int Complete(void*) { return static_cast<int>(EventStatus::kComplete); }
void Delete(void*) {}

template <class Ask>
std::string MessageOf(Ask&& ask) {
  try {
    ask();
  } catch (const SyclError& error) {
    return error.failure().message;
  }
  return "";
}

/// ask(): what four askers of one event hear.
Napi::Value AskAll(const Napi::CallbackInfo& info) {
  Dpctl dpctl;
  dpctl.Event_WaitAndThrow.Bind(reinterpret_cast<void*>(&WaitAndThrow));
  dpctl.Event_GetCommandExecutionStatus.Bind(reinterpret_cast<void*>(&Complete));
  dpctl.Event_Delete.Bind(reinterpret_cast<void*>(&Delete));
  int work = 0;
  Event event(dpctl, EventReference(dpctl, &work));
  told = false;
  auto heard = Napi::Array::New(info.Env());
  const auto note = [&](const std::string& message) { heard[heard.Length()] = message; };
  note(MessageOf([&] { event.Query(); }));
  note(MessageOf([&] { event.Wait(); }));
  note(MessageOf([&] { event.Query(); }));
  const Poll poll = event.Look();
  note(poll.done && poll.failure ? poll.failure->message : "");
  return heard;
}

Napi::Object Start(Napi::Env env, Napi::Object exports) {
  exports["askAll"] = Napi::Function::New<AskAll>(env, "askAll");
  return exports;
}

}  // namespace

NODE_API_MODULE(failing_event, Start)

}  // namespace array_interface::sycl
