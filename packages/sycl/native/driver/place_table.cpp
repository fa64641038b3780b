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
  std::vector<std::shared_ptr<Place>> known;  // outlives the lock, since a place may end here
  const std::lock_guard lock(mutex_);
  place->context_id_ = place->id;
  for (const auto& other : places_) {
    auto live = other.lock();
    if (live == nullptr) continue;
    known.push_back(live);
    if (!live->HasContext(place->context.get())) continue;
    if (live->Is(place->context.get(), place->reference.get())) return live;
    place->context_id_ = live->context_id_;
  }
  const auto ended = [](const auto& other) { return other.expired(); };
  places_.erase(std::remove_if(places_.begin(), places_.end(), ended), places_.end());
  places_.push_back(place);
  return place;
}

std::vector<std::shared_ptr<Place>> PlaceTable::All() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Place>> all;
  for (const auto& place : places_) {
    if (auto live = place.lock()) all.push_back(std::move(live));
  }
  return all;
}

}  // namespace array_interface::sycl
