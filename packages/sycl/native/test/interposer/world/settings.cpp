#include "settings.hpp"

#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace array_interface::sycl::interposer {

namespace {

std::string Read(const char* name) {
  const char* value = getenv((std::string("ARRAY_INTERFACE_INTERPOSER_") + name).c_str());
  return value == nullptr ? "" : value;
}

std::uint64_t Number(const std::string& text, std::uint64_t otherwise) {
  return text.empty() ? otherwise : std::strtoull(text.c_str(), nullptr, 10);
}

}  // namespace

Settings::Settings()
    : two_devices(Read("DEVICES") == "2"),
      blocking_free(Read("FREE") == "blocking"),
      keeps_freed(Read("FREED") == "kept"),
      are_peers(Read("PEERS") == "1"),
      looks(static_cast<int>(Number(Read("LOOKS"), 16))),
      limit(Number(Read("LIMIT"), 0)) {
  SetOrder(Read("SCHEDULE"));
}

void Settings::SetOrder(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  order = name == "lazy" ? Order::kLazy : name == "random" ? Order::kRandom : Order::kEager;
  if (name.size() < text.size()) seed_ = Number(text.substr(name.size() + 1), 1);
}

void Settings::ThrowOnce() {
  if (thrown.empty()) return;
  throw std::runtime_error(std::exchange(thrown, ""));
}

std::uint64_t Settings::Random(std::uint64_t limit) {
  seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
  return (seed_ >> 33) % limit;
}

}  // namespace array_interface::sycl::interposer
