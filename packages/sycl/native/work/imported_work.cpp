#include "imported_work.hpp"

#include <algorithm>
#include <utility>

#include "threads/gate.hpp"

namespace array_interface::sycl {

void ImportedWork::Note(std::shared_ptr<Event> event) {
  const auto is_reached = [](const auto& one) { return one->IsReached(); };
  events_.erase(std::remove_if(events_.begin(), events_.end(), is_reached), events_.end());
  events_.push_back(std::move(event));
}

void ImportedWork::Wait() noexcept {
  Gate::Instance().Pass([this] {
    for (const auto& event : events_) {
      try {
        event->Wait();
      } catch (...) {
        // The work failed, and nobody is left to be told.
      }
    }
  });
}

}  // namespace array_interface::sycl
