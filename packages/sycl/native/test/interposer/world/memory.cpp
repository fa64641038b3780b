#include "memory.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace array_interface::sycl::interposer {

namespace {

// From this number of users on, those that have ended are removed.
constexpr std::size_t kManyUsers = 8;

std::uintptr_t Address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// The entry whose range, with a size from `size`, contains an address.
template <class Map, class Size>
auto FindAround(Map& map, std::uintptr_t address, Size size) {
  auto after = map.upper_bound(address);
  if (after == map.begin()) return map.end();
  const auto entry = std::prev(after);
  return address - entry->first < size(entry->second) ? entry : map.end();
}

}  // namespace

void Allocation::AddUser(const CommandPointer& command) {
  // what follows on an in-order queue ends later
  const auto precedes = [&](const CommandPointer& user) {
    return user->in_order && user->queue_number == command->queue_number;
  };
  users.erase(std::remove_if(users.begin(), users.end(), precedes), users.end());
  if (users.size() >= kManyUsers) {
    const auto ended = [](const CommandPointer& user) { return user->Ended(); };
    users.erase(std::remove_if(users.begin(), users.end(), ended), users.end());
  }
  users.push_back(command);
}

bool Memory::IsRefused() {
  if (refused_ == 0) return false;
  if (before_refused_ > 0) {
    --before_refused_;
    return false;
  }
  --refused_;
  return true;
}

bool Memory::Reserve(UsmType type, Mark device, std::size_t size, std::size_t limit) {
  if (IsRefused()) return false;
  if (type != UsmType::kHost) {
    auto& used = device_bytes_[device];
    if (limit > 0 && (size > limit || used > limit - size)) return false;
    used += size;
  }
  Total& total = totals_[static_cast<std::size_t>(type)];
  ++total.blocks;
  total.bytes += size;
  return true;
}

void Memory::Unreserve(UsmType type, Mark device, std::size_t size) {
  if (type != UsmType::kHost) device_bytes_[device] -= size;
  Total& total = totals_[static_cast<std::size_t>(type)];
  --total.blocks;
  total.bytes -= size;
}

void Memory::Add(const void* pointer, Allocation allocation) {
  live_[Address(pointer)] = std::move(allocation);
}

Allocation* Memory::Around(const void* pointer) {
  const auto size = [](const Allocation& one) { return one.size; };
  const auto found = FindAround(live_, Address(pointer), size);
  return found == live_.end() ? nullptr : &found->second;
}

bool Memory::Remove(const void* pointer, Allocation& removed) {
  const auto found = live_.find(Address(pointer));
  if (found == live_.end()) return false;
  removed = std::move(found->second);
  live_.erase(found);
  Unreserve(removed.type, removed.device, removed.size);
  return true;
}

void Memory::Keep(const void* pointer, std::size_t size) { kept_[Address(pointer)] = size; }

bool Memory::IsKept(const void* pointer) const {
  const auto size = [](std::size_t bytes) { return bytes; };
  return FindAround(kept_, Address(pointer), size) != kept_.end();
}

void Memory::Refuse(std::uint64_t nth, std::uint64_t count) {
  before_refused_ = nth == 0 ? 0 : nth - 1;
  refused_ = nth == 0 ? 0 : count;
}

std::string Memory::Counts() const {
  static constexpr std::array<const char*, 4> kNames = {"", "device", "shared", "host"};
  std::string text;
  for (std::size_t type = 1; type < kNames.size(); ++type) {
    text += std::string(type == 1 ? "" : ",") + "\"" + kNames[type] +
            "\":{\"blocks\":" + std::to_string(totals_[type].blocks) +
            ",\"bytes\":" + std::to_string(totals_[type].bytes) + "}";
  }
  return text;
}

}  // namespace array_interface::sycl::interposer
