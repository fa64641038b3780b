#include "guest_work.hpp"

#include <iterator>

#include "background.hpp"
#include "runtime.hpp"

namespace array_interface::sycl {

void GuestWork::Expect(const QueueTable::Entry& queue) {
  if (queues_.count(queue) == 0) {
    for (auto known = queues_.begin(); known != queues_.end();) {
      known = known->expired() ? queues_.erase(known) : std::next(known);
    }
    queues_.insert(queue);
  }
  end_.Renew();
}

void GuestWork::Wait() {
  Background::Instance().Pass([this] {
    for (const auto& known : queues_) {
      const auto queue = known.lock();
      if (queue != nullptr) QueueTable::Wait(Runtime::Get().dpctl(), *queue);
    }
  });
}

}  // namespace array_interface::sycl
