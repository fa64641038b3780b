#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "sections.hpp"
#include "test/support/check.hpp"
#include "threads/exit_gate.hpp"

using array_interface::ExitGate;
using std::chrono::milliseconds;

namespace {

/// A thread that is inside the gate until LetGo().
class Inside {
 public:
  explicit Inside(ExitGate& gate)
      : thread_([this, &gate] {
          gate.Pass([this] {
            is_inside_ = true;
            while (!is_let_go_) std::this_thread::sleep_for(milliseconds(1));
          });
        }) {
    while (!is_inside_) std::this_thread::sleep_for(milliseconds(1));
  }
  ~Inside() {
    LetGo();
    thread_.join();
  }
  void LetGo() { is_let_go_ = true; }

 private:
  std::atomic<bool> is_inside_{false};
  std::atomic<bool> is_let_go_{false};
  std::thread thread_;
};

void check_open() {
  ExitGate gate;
  int calls = 0;
  CHECK(gate.Pass([&] {
    ++calls;
    CHECK(gate.Pass([&] { ++calls; }));
  }));
  CHECK(calls == 2);
  auto thing = std::make_shared<int>(1);
  const std::weak_ptr<int> seen = thing;
  gate.Drop(std::move(thing));
  CHECK(seen.expired());
}

/// After the end no call passes, but objects dropped just before are destroyed.
void check_closed() {
  ExitGate gate;
  auto last = std::make_shared<int>(2);
  const std::weak_ptr<int> let_go = last;
  gate.Close(std::nullopt, [&] { gate.Drop(std::move(last)); });
  CHECK(let_go.expired());
  int calls = 0;
  CHECK(!gate.Pass([&] { ++calls; }));
  CHECK(calls == 0);
}

/// Closing waits for calls inside, and lets no new ones in.
void check_wait() {
  ExitGate gate;
  Inside inside(gate);
  std::atomic<bool> is_closed{false};
  std::thread closing([&] {
    gate.Close(milliseconds(60'000));
    is_closed = true;
  });
  std::this_thread::sleep_for(milliseconds(20));
  CHECK(!is_closed);
  inside.LetGo();
  closing.join();
  CHECK(!gate.Pass([] {}));
}

/// Closing does not wait longer than the timeout for calls inside.
void check_timeout() {
  ExitGate gate;
  const Inside inside(gate);
  bool has_spoken = false;
  gate.Close(milliseconds(1), [&] { has_spoken = true; });
  CHECK(!has_spoken);
  CHECK(!gate.Pass([] {}));
}

}  // namespace

void check_gate() {
  check_open();
  check_closed();
  check_wait();
  check_timeout();
}
