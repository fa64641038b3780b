// An addon for tests: an event whose work failed, queried in every way. The device of the tests
// never fails, so the runtime's functions are replaced; the event is the class that queues record.

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/event.hpp"
#include "driver/async_error.hpp"
#include "napi/setup.hpp"
#include "work/error_feed.hpp"
#include "work/sycl_event.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kCode = -42;
int failures = 0;  ///< that the runtime has yet to report

// As in the runtime: an error of running work reaches the handler once.
void WaitAndThrow(void*) {
  if (failures == 0) return;
  NoteAsyncError(kCode);
  --failures;
}
void RefuseToWait(void*) { throw std::runtime_error("no wait"); }
int RefuseToSay(void*) { throw std::runtime_error("no status"); }
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

void Replace(Dpctl& dpctl) {
  dpctl.Event_WaitAndThrow.Bind(reinterpret_cast<void*>(&WaitAndThrow));
  dpctl.Event_GetCommandExecutionStatus.Bind(reinterpret_cast<void*>(&Complete));
  dpctl.Event_Delete.Bind(reinterpret_cast<void*>(&Delete));
  failures = 1;
}

/// listen(listener): calls the listener with errors that no caller receives.
Napi::Value Listen(const Napi::CallbackInfo& info) {
  static auto* feeds = new std::vector<std::unique_ptr<ErrorFeed>>();  // never destroyed
  feeds->push_back(std::make_unique<ErrorFeed>(info.Env(), info[0].As<Napi::Function>()));
  return info.Env().Undefined();
}

/// askNobody(): destroys an event whose work failed and that nobody queried, as for memory that is
/// freed in the background.
Napi::Value AskNobody(const Napi::CallbackInfo& info) {
  Dpctl dpctl;
  Replace(dpctl);
  int work = 0;
  SyclEvent event(dpctl, EventReference(dpctl, &work));
  event.IsComplete();
  return info.Env().Undefined();
}

/// fail(): calls the runtime's handler while nothing waits, as at the end of a queue.
Napi::Value Fail(const Napi::CallbackInfo& info) {
  NoteAsyncError(info[0].ToNumber().Int32Value());
  return info.Env().Undefined();
}

/// askAll(): returns the errors that four queries of one event throw.
Napi::Value AskAll(const Napi::CallbackInfo& info) {
  Dpctl dpctl;
  Replace(dpctl);
  int work = 0;
  SyclEvent event(dpctl, EventReference(dpctl, &work));
  auto heard = Napi::Array::New(info.Env());
  const auto note = [&](const std::string& message) { heard[heard.Length()] = message; };
  note(MessageOf([&] { event.Query(); }));
  note(MessageOf([&] { event.Synchronize(); }));
  note(MessageOf([&] { event.Query(); }));
  const PollResult poll = event.TryQuery();
  note(poll.done && poll.failure ? poll.failure->message : "");
  return heard;
}

/// What `EventWait` needs of a backend.
struct WaitingBackend {
  using AwaitedEvent = SyclEvent;
  static PollResult Poll(SyclEvent& event) { return event.TryQuery(); }
  static void NoteWait() {}
};

/// askForTwo(): returns the error of one wait for two events whose work failed.
Napi::Value AskForTwo(const Napi::CallbackInfo& info) {
  Dpctl dpctl;
  Replace(dpctl);
  failures = 2;
  int work = 0;
  const auto event = [&] {
    return std::make_shared<SyclEvent>(dpctl, EventReference(dpctl, &work));
  };
  EventWait<WaitingBackend> wait(Events{event(), event()});
  const PollResult poll = wait.Poll();
  return Napi::String::New(info.Env(), poll.done && poll.failure ? poll.failure->message : "");
}

/// askRefused(): returns the errors of three queries of one event while the runtime does not report
/// whether its work has ended. Also returns whether the event is complete then and later.
Napi::Value AskRefused(const Napi::CallbackInfo& info) {
  Dpctl dpctl;
  Replace(dpctl);
  failures = 0;  // the work does not fail
  dpctl.Event_WaitAndThrow.Bind(reinterpret_cast<void*>(&RefuseToWait));
  dpctl.Event_GetCommandExecutionStatus.Bind(reinterpret_cast<void*>(&RefuseToSay));
  int work = 0;
  SyclEvent event(dpctl, EventReference(dpctl, &work));
  auto heard = Napi::Array::New(info.Env());
  const auto note = [&](const std::string& message) { heard[heard.Length()] = message; };
  note(MessageOf([&] { event.Query(); }));
  note(MessageOf([&] { event.Synchronize(); }));
  const PollResult poll = event.TryQuery();
  note(poll.done && poll.failure ? poll.failure->message : "");
  const auto name = [](Progress progress) {
    if (progress == Progress::kUnknown) return "unknown";
    return progress == Progress::kComplete ? "reached" : "pending";
  };
  note(name(event.Poll()));
  dpctl.Event_WaitAndThrow.Bind(reinterpret_cast<void*>(&WaitAndThrow));
  dpctl.Event_GetCommandExecutionStatus.Bind(reinterpret_cast<void*>(&Complete));
  note(name(event.Poll()));
  return heard;
}

Napi::Object Start(Napi::Env env, Napi::Object exports) {
  exports["listen"] = Napi::Function::New<Listen>(env, "listen");
  exports["askNobody"] = Napi::Function::New<AskNobody>(env, "askNobody");
  exports["fail"] = Napi::Function::New<Fail>(env, "fail");
  exports["askRefused"] = Napi::Function::New<AskRefused>(env, "askRefused");
  exports["askForTwo"] = Napi::Function::New<AskForTwo>(env, "askForTwo");
  exports["askAll"] = Napi::Function::New<AskAll>(env, "askAll");
  return exports;
}

}  // namespace

NODE_API_MODULE(failing_event, Start)

}  // namespace array_interface::sycl
