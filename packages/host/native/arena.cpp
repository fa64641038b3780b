#include "arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "poison.hpp"

namespace array_interface {

namespace {

constexpr std::size_t kSlab = std::size_t{256} << 10;
/// Longer pieces have their own pages.
constexpr std::size_t kLongest = std::size_t{32} << 10;
/// Up to this size, sizes are multiples of the alignment. Above it, there are four sizes to a
/// doubling.
constexpr std::size_t kFine = std::size_t{1} << 10;
constexpr std::size_t kFineCount = kFine / Arena::kAlignment;
/// From this size on, huge pages pay off. Without them, a walk across rows misses the TLB at each
/// step.
constexpr std::size_t kLarge = std::size_t{4} << 20;
constexpr std::size_t kLargePage = std::size_t{2} << 20;
constexpr std::size_t kWord = 64;

int Log2(std::size_t value) { return 63 - __builtin_clzll(value); }

std::size_t IndexOf(std::size_t size) {
  if (size <= kFine) return (std::max<std::size_t>(size, 1) - 1) / Arena::kAlignment;
  const int power = Log2(size - 1);
  return kFineCount + 4 * static_cast<std::size_t>(power - Log2(kFine)) +
         ((size - 1) >> (power - 2)) - 4;
}

std::size_t PieceOf(std::size_t index) {
  if (index < kFineCount) return (index + 1) * Arena::kAlignment;
  const std::size_t step = index - kFineCount;
  return (5 + step % 4) << (static_cast<std::size_t>(Log2(kFine)) + step / 4 - 2);
}

std::byte* TakePages(std::size_t size) {
  const bool is_large = size >= kLarge;
  std::byte* const pages = Pages::Get().Take(size, is_large ? kLargePage : kSlab);
  // Failure does no harm.
  if (is_large && pages != nullptr) madvise(pages, size, MADV_HUGEPAGE);
  return pages;
}

}  // namespace

Arena::Slab::Slab(std::byte* start, std::size_t piece)
    : start(start),
      piece(piece),
      count(kSlab / piece),
      free(count),
      words((count + kWord - 1) / kWord, ~std::uint64_t{0}) {
  if (count % kWord != 0) words.back() = (std::uint64_t{1} << (count % kWord)) - 1;
}

std::byte* Arena::Slab::Take() {
  while (words[first] == 0) ++first;
  const auto bit = static_cast<std::size_t>(__builtin_ctzll(words[first]));
  words[first] &= words[first] - 1;
  --free;
  return start + (first * kWord + bit) * piece;
}

void Arena::Slab::Free(const std::byte* data) {
  const std::size_t at = static_cast<std::size_t>(data - start) / piece;
  words[at / kWord] |= std::uint64_t{1} << (at % kWord);
  first = std::min(first, at / kWord);
  ++free;
}

Arena& Arena::Get() {
  static auto& arena = *new Arena;
  return arena;
}

std::byte* Arena::Allocate(std::size_t size) {
  if (size > PTRDIFF_MAX) return nullptr;
  const std::size_t padded = size + kRedZone;
  if (padded <= kLongest) {
    std::byte* const piece = TakePiece(IndexOf(padded));
    if (piece != nullptr) Unpoison(piece, size);
    return piece;
  }
  std::byte* const pages = TakePages(Pages::Whole(padded));
  if (pages != nullptr) Poison(pages + size, Pages::Whole(padded) - size);
  return pages;
}

// Leaks the piece if there is no memory to record it as free.
void Arena::Free(std::byte* data, std::size_t size) noexcept try {
  const std::size_t padded = size + kRedZone;
  Poison(data, size);
  if (padded <= kLongest) return FreePiece(data, IndexOf(padded));
  Pages::Get().Free(data, Pages::Whole(padded));
} catch (const std::bad_alloc&) {
}

std::byte* Arena::TakePiece(std::size_t index) {
  const std::lock_guard lock(mutex_);
  auto& open = open_[index];
  Slab* const slab = open.empty() ? MakeSlab(index) : open.back();
  if (slab == nullptr) return nullptr;
  std::byte* const data = slab->Take();
  if (slab->free == 0) open.pop_back();
  return data;
}

Arena::Slab* Arena::MakeSlab(std::size_t index) {
  std::byte* const start = Pages::Get().Take(kSlab, kSlab);
  if (start == nullptr) return nullptr;
  Poison(start, kSlab);
  auto& slab = slabs_[reinterpret_cast<std::uintptr_t>(start)];
  slab = std::make_unique<Slab>(start, PieceOf(index));
  open_[index].push_back(slab.get());
  return slab.get();
}

void Arena::FreePiece(std::byte* data, std::size_t index) {
  const std::lock_guard lock(mutex_);
  const auto found = slabs_.find(reinterpret_cast<std::uintptr_t>(data) & ~(kSlab - 1));
  Slab& slab = *found->second;
  auto& open = open_[index];
  slab.Free(data);
  if (slab.free == 1) open.push_back(&slab);
  // Keep one slab, so that allocating and freeing one array repeatedly maps none.
  if (slab.free < slab.count || open.size() == 1) return;
  open.erase(std::find(open.begin(), open.end(), &slab));
  std::byte* const start = slab.start;
  slabs_.erase(found);
  Pages::Get().Free(start, kSlab);
}

}  // namespace array_interface
