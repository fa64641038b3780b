// An addon for tests: queues one of which cannot be waited for. The runtime of the tests never
// fails, so its functions are replaced; the table is the one that queues are kept in.

#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "napi/setup.hpp"
#include "queue_table.hpp"

namespace array_interface::sycl {

namespace {

std::array<int, 3> native{};
std::vector<void*> waited;

void Wait(void* queue) {
  waited.push_back(queue);
  if (queue == &native[0]) throw std::runtime_error("lost");
}
void Delete(void*) {}

/// waitForAll(): how many of three queues are waited for, and how many are left when the one that
/// throws has ended.
Napi::Value WaitForAll(const Napi::CallbackInfo& info) {
  Dpctl dpctl;
  dpctl.Queue_Wait.Bind(reinterpret_cast<void*>(&Wait));
  dpctl.Queue_Delete.Bind(reinterpret_cast<void*>(&Delete));
  waited.clear();
  QueueTable table;
  std::vector<QueueTable::Entry> entries;
  for (int& queue : native) {
    entries.push_back(std::make_shared<QueueReference>(dpctl, &queue));
    table.Add(entries.back(), nullptr);
  }
  auto counts = Napi::Object::New(info.Env());
  try {
    table.Wait(dpctl);
    counts["waited"] = static_cast<double>(waited.size());
    table.End(dpctl, entries.front());
    counts["left"] = static_cast<double>(table.All().size());
  } catch (const SyclError&) {
    counts["threw"] = true;
  }
  return counts;
}

Napi::Object Start(Napi::Env env, Napi::Object exports) {
  exports["waitForAll"] = Napi::Function::New<WaitForAll>(env, "waitForAll");
  return exports;
}

}  // namespace

NODE_API_MODULE(failing_queue, Start)

}  // namespace array_interface::sycl
