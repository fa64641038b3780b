#include "place_table.hpp"

#include <algorithm>

namespace array_interface::sycl {

std::shared_ptr<Place> PlaceTable::Find(void* context, void* device) const {
  for (const auto& place : All()) {
    if (place->Is(context, device)) return place;
  }
  return nullptr;
}

std::shared_ptr<Place> PlaceTable::Add(std::shared_ptr<Place> place) {
  const auto known = All();  // outlives the lock: the end of a place may be here
  std::lock_guard lock(mutex_);
  for (const auto& other : places_) {
    auto live = other.lock();
    if (live != nullptr && live->Is(place->context.get(), place->reference.get())) return live;
  }
  const auto ended = [](const auto& other) { return other.expired(); };
  places_.erase(std::remove_if(places_.begin(), places_.end(), ended), places_.end());
  places_.push_back(place);
  return place;
}

std::vector<std::shared_ptr<Place>> PlaceTable::All() const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Place>> all;
  for (const auto& place : places_) {
    if (auto live = place.lock()) all.push_back(std::move(live));
  }
  return all;
}

}  // namespace array_interface::sycl
