#include "imported_work.hpp"

#include <algorithm>
#include <utility>

#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

void ImportedWork::Note(std::shared_ptr<SyclEvent> event) {
  const auto is_complete = [](const auto& one) { return one->IsComplete(); };
  events_.erase(std::remove_if(events_.begin(), events_.end(), is_complete), events_.end());
  events_.push_back(std::move(event));
}

void ImportedWork::Wait() noexcept {
  ExitGate::Instance().Pass([this] {
    for (const auto& event : events_) {
      try {
        event->Synchronize();
      } catch (...) {
        // The work failed, and no caller is left to receive the error.
      }
    }
  });
}

}  // namespace array_interface::sycl
