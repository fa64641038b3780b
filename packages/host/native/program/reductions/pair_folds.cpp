#include "pair_folds.hpp"

#include <algorithm>
#include <cstring>

#include "units.hpp"

namespace array_interface {

namespace {

/// A program of a pair, of as many elements as a row may have. Its arrays are placed later.
ProgramCall OfRow(const Program& pair, const std::uint64_t* values) {
  const std::uint64_t most = std::max(kChunk, kWidth * kMostLanes);
  ProgramCall made{&pair, values, {most}, {}, 0, most, false};
  for (const ProgramArray& array : pair.arrays) made.arrays.push_back({nullptr, {array.item_size}});
  return made;
}

}  // namespace

PairFolds::PairFolds(const ReductionCall& call, ValueMemory& memory)
    : reduction_(*call.reduction),
      pair_call_(OfRow(reduction_.pair, call.element.values)),
      step_call_(OfRow(reduction_.step, call.element.values)),
      pair_(pair_call_, kChunk),
      step_(step_call_, kChunk),
      first_(memory.New(kChunk, reduction_.types)),
      second_(memory.New(kChunk, reduction_.types)) {}

void PairFolds::Combine(ConstValues a, std::size_t a_at, ConstValues b, std::size_t b_at,
                        const Values& to, std::size_t at, std::size_t count) {
  PlaceValues(reduction_, pair_call_, 0, a, a_at, 0);
  PlaceValues(reduction_, pair_call_, 1, b, b_at, 0);
  pair_.Run(0, count, [&](std::size_t before, std::size_t done) {
    for (std::size_t index = 0; index < to.size(); ++index) {
      const std::size_t size = SizeAt(index);
      std::memcpy(to[index] + (at + before) * size, pair_.Result(index), done * size);
    }
  });
}

void PairFolds::Fold(const Values& to, std::size_t at, ConstValues from, std::size_t start,
                     const FoldShape& shape) {
  const auto add = [&](std::size_t row, std::size_t rows, std::size_t groups, std::size_t width) {
    for (; rows > 0; --rows, row += shape.width) {
      Gather(second_, from, row, shape.from_step, groups, width);
      Combine(first_, 0, second_, 0, first_, 0, groups * width);
    }
  };
  FoldInBlocks(to, at, from, start, shape, add);
}

void PairFolds::FoldElements(const Values& to, std::size_t at, ConstValues from, std::size_t start,
                             const FoldShape& shape) {
  const auto add = [&](std::size_t row, std::size_t rows, std::size_t groups, std::size_t width) {
    for (; rows > 0; --rows, row += shape.width) Step(from, row, shape.from_step, groups, width);
    for (std::size_t index = 0; index < first_.size(); ++index) {
      if (reduction_.stays_same[index]) Repeat(first_[index], SizeAt(index), groups * width);
    }
  };
  FoldInBlocks(to, at, from, start, shape, add);
}

/// Has `add(start, rows, groups, width)` combine what is in `first_` with rows of some groups.
template <typename AddRows>
void PairFolds::FoldInBlocks(const Values& to, std::size_t at, ConstValues from, std::size_t start,
                             const FoldShape& shape, AddRows&& add) {
  const std::size_t most = std::max<std::size_t>(1, kChunk / shape.width);
  for (std::size_t group = 0; group < shape.groups; group += most) {
    const std::size_t groups = std::min(most, shape.groups - group);
    for (std::size_t lane = 0; lane < shape.width; lane += kChunk) {
      const std::size_t width = std::min(kChunk, shape.width - lane);
      const std::size_t to_start = at + group * shape.to_step + lane;
      const std::size_t from_start = start + group * shape.from_step + lane;
      if (shape.adds) {
        Gather(first_, to, to_start, shape.to_step, groups, width);
        add(from_start, shape.rows, groups, width);
      } else {
        Gather(first_, from, from_start, shape.from_step, groups, width);
        add(from_start + shape.width, shape.rows - 1, groups, width);
      }
      Scatter(to, to_start, shape.to_step, groups, width);
    }
  }
}

/// Combines `first_` with a row of elements of each group. What stays the same is one number then.
void PairFolds::Step(ConstValues from, std::size_t at, std::size_t from_step, std::size_t groups,
                     std::size_t width) {
  for (std::size_t index = 0; index < second_.size(); ++index) {
    if (reduction_.is_same[index]) {
      std::memcpy(second_[index], from[index] + at * SizeAt(index), SizeAt(index));
    } else {
      GatherOne(index, second_, from, at, from_step, groups, width);
    }
  }
  PlaceValues(reduction_, step_call_, 0, first_, 0, 0);
  PlaceValues(reduction_, step_call_, 1, second_, 0, 0);
  step_.Refill();
  step_.Run(0, groups * width, [&](std::size_t before, std::size_t done) {
    for (std::size_t index = 0; index < first_.size(); ++index) {
      const std::size_t size = SizeAt(index);
      if (reduction_.stays_same[index]) continue;
      std::memcpy(first_[index] + before * size, step_.Result(index), done * size);
    }
  });
  for (std::size_t index = 0; index < first_.size(); ++index) {
    if (!reduction_.stays_same[index]) continue;
    std::memcpy(first_[index], step_.SameResult(index), SizeAt(index));
  }
}

/// Copies a row of each group, to one behind the other.
void PairFolds::Gather(const Values& to, ConstValues from, std::size_t start, std::size_t step,
                       std::size_t groups, std::size_t width) const {
  for (std::size_t index = 0; index < to.size(); ++index) {
    GatherOne(index, to, from, start, step, groups, width);
  }
}

void PairFolds::GatherOne(std::size_t index, const Values& to, ConstValues from, std::size_t start,
                          std::size_t step, std::size_t groups, std::size_t width) const {
  const std::size_t size = SizeAt(index);
  for (std::size_t group = 0; group < groups; ++group) {
    std::memcpy(to[index] + group * width * size, from[index] + (start + group * step) * size,
                width * size);
  }
}

void PairFolds::Scatter(const Values& to, std::size_t at, std::size_t step, std::size_t groups,
                        std::size_t width) const {
  for (std::size_t index = 0; index < to.size(); ++index) {
    const std::size_t size = SizeAt(index);
    for (std::size_t group = 0; group < groups; ++group) {
      std::memcpy(to[index] + (at + group * step) * size, first_[index] + group * width * size,
                  width * size);
    }
  }
}

}  // namespace array_interface
