#include "arena.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using array_interface::Arena;
using array_interface::Pages;

std::atomic<int> checks{0};
std::atomic<int> failed{0};

void Expect(const char* name, bool holds) {
  ++checks;
  if (holds) return;
  ++failed;
  std::printf("%s\n", name);
}

bool IsOurs(const std::byte* data) {
  return Pages::Get().Has(reinterpret_cast<std::uintptr_t>(data));
}

struct Piece {
  std::byte* data;
  std::size_t size;
  unsigned char value;
};

bool IsWhole(const Piece& piece) {
  for (std::size_t at = 0; at < piece.size; ++at) {
    if (piece.data[at] != std::byte{piece.value}) return false;
  }
  return true;
}

/// Allocates and frees pieces of random sizes on several threads at once. No piece may lose a byte
/// to another.
void CheckPieces(unsigned seed) {
  constexpr int kRounds = 3000;
  constexpr std::size_t kMost = 60;
  std::mt19937 random(seed);
  std::vector<Piece> live;
  bool is_whole = true;
  bool is_placed = true;
  const auto end = [&](std::size_t at) {
    is_whole = is_whole && IsWhole(live[at]);
    Arena::Get().Free(live[at].data, live[at].size);
    live[at] = live.back();
    live.pop_back();
  };
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t size = random() & ((std::size_t{1} << (random() % 18)) - 1);
    std::byte* const data = Arena::Get().Allocate(size);
    const auto start = reinterpret_cast<std::uintptr_t>(data);
    is_placed = is_placed && data != nullptr && start % Arena::kAlignment == 0 && IsOurs(data);
    if (data == nullptr) continue;
    const auto value = static_cast<unsigned char>(random());
    std::memset(data, value, size);
    live.push_back({data, size, value});
    if (live.size() > kMost) end(random() % live.size());
  }
  while (!live.empty()) end(live.size() - 1);
  Expect("whole", is_whole);
  Expect("placed", is_placed);
}

void CheckThreads() {
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(CheckPieces, seed);
  for (auto& thread : threads) thread.join();
}

/// Allocates `count` pieces of a size, fills them with a value and returns their addresses.
std::set<std::byte*> Fill(std::size_t size, std::size_t count, unsigned char value) {
  std::set<std::byte*> places;
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* const data = Arena::Get().Allocate(size);
    std::memset(data, value, size);
    places.insert(data);
  }
  return places;
}

/// Whichever pieces of full slabs are freed, the next ones reuse their addresses and touch no
/// others.
void CheckReuse() {
  std::mt19937 random(1);
  bool is_reused = true;
  bool is_whole = true;
  for (const std::size_t size : {1, 64, 65, 1000, 1500, 5000, 30'000}) {
    const std::size_t count = (std::size_t{1} << 20) / std::max<std::size_t>(size, 64);
    const auto all = Fill(size, count, 1);
    for (int round = 0; round < 4; ++round) {
      std::set<std::byte*> gone;
      for (std::byte* const data : all) {
        if (round == 0 ? data == *all.begin() : random() % 4 == 0) gone.insert(data);
      }
      for (std::byte* const data : gone) Arena::Get().Free(data, size);
      is_reused = is_reused && Fill(size, gone.size(), 1) == gone;
    }
    for (std::byte* const data : all) {
      is_whole = is_whole && IsWhole({data, size, 1});
      Arena::Get().Free(data, size);
    }
  }
  Expect("places that were left are taken", is_reused);
  Expect("nobody's bytes change", is_whole);
}

/// Sizes around each boundary at which another size class begins, or pieces get their own pages.
std::vector<std::size_t> BorderSizes() {
  std::vector<std::size_t> sizes;
  for (std::size_t power = 128; power <= std::size_t{1} << 19; power *= 2) {
    for (const std::size_t border : {power, power / 4 * 5, power / 4 * 6, power / 4 * 7}) {
      for (const std::size_t less : {0, 1, 63, 64, 65}) sizes.push_back(border - less);
      sizes.push_back(border + 1);
    }
  }
  return sizes;
}

/// Memory of any size is returned to where memory of that size comes from.
void CheckBorders() {
  bool is_whole = true;
  for (const std::size_t size : BorderSizes()) {
    std::vector<std::byte*> all;
    for (unsigned char value = 1; value < 4; ++value) all.push_back(*Fill(size, 1, value).begin());
    for (unsigned char value = 1; value < 4; ++value) {
      is_whole = is_whole && IsWhole({all[value - 1U], size, value});
      Arena::Get().Free(all[value - 1U], size);
    }
    const std::set<std::byte*> left(all.begin(), all.end());
    std::byte* const next = Arena::Get().Allocate(size);
    Arena::Get().Free(next, size);
    if (left.count(next) == 0) std::printf("%zu bytes do not come back\n", size);
    is_whole = is_whole && left.count(next) == 1;
  }
  Expect("memory of every size goes back", is_whole);
}

/// The range of nameless mappings around an address.
std::pair<std::uintptr_t, std::uintptr_t> MappedAround(std::uintptr_t address) {
  std::ifstream file("/proc/self/maps");
  std::pair<std::uintptr_t, std::uintptr_t> run{0, 0};
  for (std::string line; std::getline(file, line);) {
    unsigned long low = 0;
    unsigned long high = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx", &low, &high) != 2) continue;
    const bool is_next = low == run.second && line.find('/') == std::string::npos;
    if (!is_next && run.first <= address && address < run.second) break;
    run = {is_next ? run.first : low, high};
  }
  return run;
}

/// The first address behind this package's, and the last one before them, are not this package's.
void CheckEdges() {
  std::byte* const data = Arena::Get().Allocate(std::size_t{1} << 20);
  const auto [low, high] = MappedAround(reinterpret_cast<std::uintptr_t>(data));
  Expect("edges", high > low && !Pages::Get().Has(low - 1) && !Pages::Get().Has(high));
  Arena::Get().Free(data, std::size_t{1} << 20);
}

/// Bytes of this process: of its address space, and resident.
std::pair<std::size_t, std::size_t> Sizes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return {all * Pages::Whole(1), resident * Pages::Whole(1)};
}

std::size_t Resident() { return Sizes().second; }

/// Addresses are reserved for many memories at once, and later memories use what an earlier one
/// leaves.
void CheckAddresses() {
  constexpr std::size_t kRegion = std::size_t{64} << 30;
  const std::size_t before = Sizes().first;
  std::vector<std::pair<std::byte*, std::size_t>> all;
  for (std::size_t size = 40'000; size < 400'000; size += 1000) {
    all.emplace_back(Arena::Get().Allocate(size), size);
  }
  for (const auto& [data, size] : all) Arena::Get().Free(data, size);
  Expect("one region is enough", Sizes().first - before <= kRegion + (kRegion >> 1));
}

/// Freed memory is returned to the system, but its address is not.
void CheckReturn() {
  constexpr std::size_t kSize = std::size_t{8} << 20;
  constexpr int kCount = 48;
  const std::size_t before = Resident();
  std::vector<std::byte*> all;
  for (int i = 0; i < kCount; ++i) {
    all.push_back(Arena::Get().Allocate(kSize));
    std::memset(all.back(), 1, kSize);
  }
  const std::size_t most = Resident();
  Expect("used", most - before >= kSize * kCount / 2);
  for (std::byte* const data : all) Arena::Get().Free(data, kSize);
  Expect("given back", Resident() - before <= std::size_t{160} << 20);
  bool is_ours = true;
  for (std::byte* const data : all) is_ours = is_ours && IsOurs(data) && IsOurs(data + kSize - 1);
  Expect("addresses stay", is_ours);
}

void CheckRefusals() {
  Expect("more than there can be", Arena::Get().Allocate(SIZE_MAX) == nullptr);
  Expect("more than there is", Arena::Get().Allocate(std::size_t{1} << 46) == nullptr);
  int local = 0;
  Expect("another's", !IsOurs(reinterpret_cast<std::byte*>(&local)));
}

}  // namespace

int main() {
  CheckRefusals();
  CheckThreads();
  CheckReuse();
  CheckBorders();
  CheckEdges();
  CheckAddresses();
  CheckReturn();
  std::printf("%d checks, %d failed\n", checks.load(), failed.load());
  return failed == 0 ? 0 : 1;
}
