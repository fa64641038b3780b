#include "block_scan.hpp"

#include <algorithm>

namespace array_interface {

BlockScan::BlockScan(const ReductionCall& call)
    : call_(call),
      reduction_(*call.reduction),
      tree_(call.tree),
      units_(call),
      chunk_(ChunkOf(call)),
      elements_(call, memory_),
      combiner_(call, memory_),
      results_(call, memory_),
      sum_(memory_.New(chunk_, reduction_.types)),
      before_(memory_.New(chunk_, reduction_.types)),
      done_(memory_.New(chunk_, reduction_.types)) {}

void BlockScan::Run(std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t index = first; index < end; ++index) {
    const auto [output, width, piece] = units_[index];
    if (piece > 0) AddTotals(index == first ? 0 : piece - 1, piece, output, width);
    const std::uint64_t last = call_.is_cut ? piece : tree_.leaves - 1;
    for (std::uint64_t leaf = piece; leaf <= last; ++leaf) {
      if (call_.is_across) {
        ScanAcross(output, width, leaf);
      } else {
        ScanAlong(output, leaf);
      }
    }
  }
}

/// Combines the totals of the leaves from one to before another into what is before it.
void BlockScan::AddTotals(std::uint64_t leaf, std::uint64_t end, std::uint64_t output,
                          std::size_t width) {
  for (; leaf < end; ++leaf) {
    for (std::size_t column = 0; column < width; ++column) {
      const std::uint64_t item = (output + column) * tree_.pieces + leaf;
      CopyValues(reduction_.types, sum_, column, call_.totals, static_cast<std::size_t>(item), 1);
    }
    if (leaf == 0) {
      CopyValues(reduction_.types, before_, 0, sum_, 0, width);
    } else {
      combiner_.Combine(before_, 0, sum_, 0, before_, 0, width);
    }
  }
}

void BlockScan::ScanAcross(std::uint64_t output, std::size_t width, std::uint64_t leaf) {
  const std::uint64_t start = leaf * tree_.leaf_rows;
  const std::uint64_t end = std::min(start + tree_.leaf_rows, tree_.rows);
  for (std::uint64_t row = start; row < end; ++row) {
    const std::uint64_t at = row * call_.outputs + output;
    combiner_.FoldElements(sum_, 0, elements_.Map(at, width), 0, OneRow(width, row > start));
    Store(leaf, width, at);
  }
  if (!call_.is_cut) CopyValues(reduction_.types, before_, 0, leaf > 0 ? done_ : sum_, 0, width);
}

void BlockScan::ScanAlong(std::uint64_t output, std::uint64_t leaf) {
  const std::uint64_t start = leaf * tree_.leaf_rows;
  const std::uint64_t end = std::min(start + tree_.leaf_rows, tree_.rows);
  for (std::size_t index = 0; leaf > 0 && index < before_.size(); ++index) {
    Repeat(before_[index], SizeAt(index), chunk_);
  }
  std::size_t count = 0;
  for (std::uint64_t row = start; row < end; row += count) {
    const std::size_t last = count;
    count = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_, end - row));
    const std::uint64_t at = output * call_.elements + row;
    const Sources& elements = elements_.Map(at, count);
    if (last > 0) {
      CopyValues(reduction_.types, sum_, 0, sum_, last - 1, 1);
      combiner_.Combine(sum_, 0, elements, 0, sum_, 0, 1);
    } else {
      CopyValues(reduction_.types, sum_, 0, elements, 0, 1);
    }
    ScanChunk(elements, count);
    Store(leaf, count, at);
  }
  if (!call_.is_cut) {
    CopyValues(reduction_.types, before_, 0, leaf > 0 ? done_ : sum_, count - 1, 1);
  }
}

/// Combines elements one after another, behind the first of `sum_`.
void BlockScan::ScanChunk(const Sources& elements, std::size_t count) {
  if (reduction_.loops.empty()) {
    for (std::size_t index = 1; index < count; ++index) {
      combiner_.Combine(sum_, index - 1, elements, index, sum_, index, 1);
    }
    return;
  }
  for (std::size_t index = 0; index < sum_.size(); ++index) {
    const std::size_t size = SizeAt(index);
    reduction_.loops[index].scan(sum_[index] + size, sum_[index], elements[index] + size,
                                 count - 1);
  }
}

/// Stores what there is of a leaf, behind what is before it. Keeps it in `done_`.
void BlockScan::Store(std::uint64_t leaf, std::size_t count, std::uint64_t first) {
  if (leaf > 0) combiner_.Combine(before_, 0, sum_, 0, done_, 0, count);
  results_.Store(leaf > 0 ? done_ : sum_, 0, first, count);
}

}  // namespace array_interface
