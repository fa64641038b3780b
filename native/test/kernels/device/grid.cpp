// The kernels' source as C++, with a grid of several work items; the host build has only one.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/device/portable.h"
#include "kernels/launch/launch.hpp"
#include "test/kernels/sections.hpp"
#include "test/kernels/support/layout.hpp"
#include "test/kernels/support/random.hpp"
#include "test/support/check.hpp"

#undef FIRST_ITEM
#undef ITEM_COUNT
#define FIRST_ITEM() first_item
#define ITEM_COUNT() item_count

// Counts moved units: a unit that two items copy is as wrong as one that none copies.
#undef MOVE
#define MOVE(T, to, from) move_and_count<T>(to, from)

namespace {

u64 first_item = 0;
u64 item_count = 1;
u64 moves = 0;

template <typename T>
void move_and_count(void* to, const void* from) {
  std::memcpy(to, from, sizeof(T));
  ++moves;
}

#include "kernels/device/strided_copy.cl"

void run_item(std::uint32_t unit, const array_interface::KernelArguments& launch) {
  const auto kernel = unit == 1   ? strided_copy_1
                      : unit == 2 ? strided_copy_2
                      : unit == 4 ? strided_copy_4
                      : unit == 8 ? strided_copy_8
                                  : strided_copy_16;
  const auto& n = launch.lengths;
  const auto& d = launch.destination_strides;
  const auto& s = launch.source_strides;
  kernel(static_cast<unsigned char*>(launch.destination),
         static_cast<const unsigned char*>(launch.source), launch.count, launch.rank, n[0], n[1],
         n[2], n[3], n[4], n[5], d[0], d[1], d[2], d[3], d[4], d[5], s[0], s[1], s[2], s[3], s[4],
         s[5]);
}

}  // namespace

void check_grid() {
  constexpr u64 grids[] = {1, 3, 4096, 0x7fffffff, 0x80000000};
  std::mt19937 random = random_of(3);
  for (std::size_t rank = 0; rank <= 7; ++rank) {
    for (const std::uint32_t unit : {1u, 2u, 4u, 8u, 16u}) {
      for (int round = 0; round < rounds(5); ++round) {
        const u64 items = grids[round % 5];
        Layout layout = random_layout(random, rank, unit, true);
        const Subject named(text_of(layout.copy));
        const auto expected = copied_naively(layout);
        item_count = items;
        moves = 0;
        const auto launch_items = [&](const array_interface::KernelArguments& launch) {
          const u64 busy = std::min<u64>(items, launch.count + 5);
          for (first_item = 0; first_item < busy; ++first_item) run_item(unit, launch);
          first_item = items - 1;
          if (items > busy) run_item(unit, launch);
        };
        array_interface::for_each_launch(layout.copy, launch_items);
        CHECK(layout.destination == expected);
        CHECK(moves == array_interface::unit_count(layout.copy));
      }
    }
  }
}
