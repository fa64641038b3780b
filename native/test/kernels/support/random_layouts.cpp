#include "random_layouts.hpp"

#include <cstdint>

#include "random.hpp"

void for_random_layouts(std::mt19937& random, std::size_t most_rank, void (*check)(Layout&)) {
  for (std::size_t rank = 0; rank <= most_rank; ++rank) {
    for (const std::uint32_t unit : {1u, 2u, 4u, 8u, 16u}) {
      for (int round = 0; round < rounds(40); ++round) {
        Layout layout = random_layout(random, rank, unit, round % 2 == 0);
        check(layout);
      }
    }
  }
  for (int round = 0; round < rounds(1500); ++round) {
    Layout layout = random_permutation(random, 1u << random() % 5);
    check(layout);
  }
  for (int round = 0; round < rounds(1500); ++round) {
    const array_interface::Conversion conversion{
        array_interface::ElementType(random() % 15), array_interface::ElementType(random() % 15),
        random() % 2 == 0, random() % 2 == 0, random() % 2 == 0};
    Layout layout = random_permutation(random, conversion);
    check(layout);
  }
}
