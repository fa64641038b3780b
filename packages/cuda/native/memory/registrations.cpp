#include "memory/registrations.hpp"

#include <algorithm>

namespace array_interface::cuda {

void Registrations::Add(const std::shared_ptr<Allocation>& memory) {
  const auto is_gone = [](const auto& known) { return known.expired(); };
  registered_.erase(std::remove_if(registered_.begin(), registered_.end(), is_gone),
                    registered_.end());
  registered_.push_back(memory);
  end_.Renew();
}

void Registrations::End() {
  for (const auto& known : registered_) {
    if (const auto memory = known.lock()) memory->Abandon();
  }
  bin_->Drain();
}

}  // namespace array_interface::cuda
