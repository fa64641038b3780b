#include "plain_scan.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "kernels/host/on_threads.hpp"
#include "program/find_loop.hpp"
#include "tile_copy.hpp"

namespace array_interface {

namespace {

/// Neighbours of a tile on either side, so that no line of a cache is fetched twice.
constexpr std::uint64_t kRun = 64;
/// Elements of a tile that is copied: a second cache holds both sides.
constexpr std::uint64_t kTile = 1 << 14;
/// Outputs that are scanned at once, at most: a first cache holds what there is of each.
constexpr std::uint64_t kWidth = 1024;
/// So few outputs are scanned one after another, some elements of each.
constexpr std::uint64_t kNarrow = 16;
constexpr std::size_t kAlignment = 64;
constexpr std::uint64_t kFewestOfThread = 1 << 15;

/// An axis, and how the elements and the results lie along it.
struct Axis {
  std::uint64_t length;
  std::int64_t from;
  std::int64_t to;
  std::uint64_t side = 1;  ///< its length in a tile
};

bool IsNearer(const Axis& a, const Axis& b, std::int64_t Axis::*side) {
  return DistanceOf(a.*side) < DistanceOf(b.*side);
}

/// How a scan is cut into boxes of outputs, and those into tiles of some elements of each.
class Cut {
 public:
  explicit Cut(const ReductionCall& call) : plain_(*call.reduction->plain_scan) {
    const std::vector<std::int64_t>& from = call.element.arrays[plain_.source].strides;
    const std::vector<std::int64_t>& to = call.finish.arrays[plain_.target].strides;
    const std::vector<std::uint64_t>& shape = call.element.shape;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const bool is_last = axis + 1 == shape.size();
      if (shape[axis] > 1 || is_last) axes_.push_back({shape[axis], from[axis], to[axis]});
    }
    // The nearest results first, and the axis of the scan last.
    std::stable_sort(axes_.begin(), axes_.end() - 1,
                     [](const Axis& a, const Axis& b) { return IsNearer(a, b, &Axis::to); });
    leaf_ = plain_.is_exact ? Along().length : call.tree.leaf_rows;
    Choose();
  }

  const Axis& Along() const { return axes_.back(); }
  std::size_t Outer() const { return axes_.size() - 1; }
  const Axis& At(std::size_t axis) const { return axes_[axis]; }
  std::uint64_t leaf() const { return leaf_; }
  bool is_along() const { return is_along_; }

  /// The outputs of a whole box.
  std::uint64_t Width() const {
    std::uint64_t width = 1;
    for (std::size_t axis = 0; axis < Outer(); ++axis) width *= axes_[axis].side;
    return width;
  }

  /// The outputs of a box.
  std::uint64_t WidthOf(std::uint64_t box) const {
    std::uint64_t width = 1;
    for (std::size_t axis = 0; axis < Outer(); ++axis) {
      const auto [length, from, to, side] = axes_[axis];
      const std::uint64_t boxes = (length - 1) / side + 1;
      width *= std::min(side, length - box % boxes * side);
      box /= boxes;
    }
    return width;
  }

  std::uint64_t Boxes() const {
    std::uint64_t boxes = 1;
    for (std::size_t axis = 0; axis < Outer(); ++axis) {
      boxes *= (axes_[axis].length - 1) / axes_[axis].side + 1;
    }
    return boxes;
  }

 private:
  void Choose() {
    Axis& along = axes_.back();
    const auto nearest = [&](std::int64_t Axis::*side) {
      return std::min_element(axes_.rbegin(), axes_.rend(),
                              [&](const Axis& a, const Axis& b) { return IsNearer(a, b, side); });
    };
    const auto to = nearest(&Axis::to);
    const auto from = nearest(&Axis::from);
    const bool is_repeated = from->from == 0 || (to->from == 0 && to->length >= kRun);
    const bool is_same = to == from || is_repeated;
    is_along_ = is_same && &*to == &along;
    if (is_along_) {
      along.side = along.length;
      if (Outer() > 0 && along.length <= leaf_) axes_[0].side = Even(axes_[0].length, kWidth);
      return;
    }
    if (is_same && (to->length >= kRun || Outer() == 1)) {
      to->side = Even(to->length, kWidth);
    } else {
      Lengthen(&Axis::to);
      Lengthen(&Axis::from);
    }
    const auto room = [&] { return std::max<std::uint64_t>(1, kTile / Width()); };
    along.side = std::max(along.side, std::min(along.length, room()));
    for (std::size_t axis = 0; axis < Outer() && along.side == along.length; ++axis) {
      Axis& own = axes_[axis];
      own.side = Even(own.length, own.side * std::max<std::uint64_t>(1, room() / along.side));
    }
  }

  /// Makes sides of a tile longer until enough of it are neighbours in one of both.
  void Lengthen(std::int64_t Axis::*side) {
    std::vector<Axis*> order;
    order.reserve(axes_.size());
    for (Axis& axis : axes_) order.push_back(&axis);
    std::stable_sort(order.begin(), order.end(),
                     [&](const Axis* a, const Axis* b) { return IsNearer(*a, *b, side); });
    std::uint64_t run = 1;
    for (Axis* const axis : order) {
      axis->side = std::max(axis->side, Even(axis->length, (kRun - 1) / run + 1));
      run *= axis->side;
      if (run >= kRun) return;
    }
  }

  /// The length of as few parts as there are of at most `most`.
  static std::uint64_t Even(std::uint64_t length, std::uint64_t most) {
    const std::uint64_t parts = (length - 1) / most + 1;
    return (length - 1) / parts + 1;
  }

  const PlainScan& plain_;
  std::vector<Axis> axes_;
  std::uint64_t leaf_;     ///< elements
  bool is_along_ = false;  ///< whether one output is scanned after another
};

/// Memory that is not initialised.
class Memory {
 public:
  explicit Memory(std::size_t bytes)
      : bytes_(static_cast<std::byte*>(std::aligned_alloc(
            kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment + kAlignment))) {
    if (bytes_ == nullptr) throw std::bad_alloc();
  }
  std::byte* get() const { return bytes_.get(); }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
};

/// Some outputs that are scanned together.
struct Box {
  const std::byte* from;
  std::byte* to;
  std::vector<Axis> lanes;  ///< longer than 1, the nearest results last
  std::uint64_t width;
  std::vector<std::int64_t> sides;  ///< the lengths of all axes
};

/// How many outputs of a box follow one another `step` bytes apart.
std::uint64_t RunOf(const Box& box, std::int64_t Axis::*side, std::int64_t step) {
  std::uint64_t run = 1;
  for (auto axis = box.lanes.rbegin(); axis != box.lanes.rend(); ++axis) {
    if ((*axis).*side != step) break;
    run *= axis->length;
    step *= static_cast<std::int64_t>(axis->length);
  }
  return run;
}

/// Elements or results of a tile, where the loop finds them.
struct Place {
  std::byte* at;
  std::ptrdiff_t row;
  std::ptrdiff_t lane;
};

/// Where a run of outputs begins on either side.
struct Offsets {
  std::int64_t from;
  std::int64_t to;
};

/// Scans boxes of outputs on one thread.
class Scanner {
 public:
  Scanner(const ReductionCall& call, const Cut& cut)
      : call_(call),
        plain_(*call.reduction->plain_scan),
        cut_(cut),
        leaf_(call.tree.leaf_rows),
        source_(call.element.arrays[plain_.source].base),
        target_(call.finish.arrays[plain_.target].base),
        own_(cut.Width() * plain_.size),
        before_(cut.Width() * plain_.size),
        total_(cut.Width() * plain_.size),
        elements_(TileBytes(plain_.from_size)),
        results_(TileBytes(plain_.to_size)) {}

  /// Scans all elements of a box.
  void Run(std::uint64_t index) {
    has_before_ = false;
    ScanRows(BoxAt(index), 0, cut_.Along().length);
  }

  /// Finds what each leaf of a box makes, from one to before another.
  void FindTotals(std::uint64_t index, std::uint64_t leaf, std::uint64_t end, std::byte* totals) {
    totals_ = totals;
    has_before_ = false;
    ScanRows(BoxAt(index), leaf * leaf_, std::min(end * leaf_, cut_.Along().length));
    totals_ = nullptr;
  }

  /// Scans leaves of a box, from one to before another, behind what those before make.
  void RunLeaves(std::uint64_t index, std::uint64_t leaf, std::uint64_t end,
                 const std::byte* totals) {
    const Box box = BoxAt(index);
    has_before_ = leaf > 0 && !plain_.is_exact;
    if (leaf > 0) {
      const auto width = static_cast<std::size_t>(box.width);
      const FoldShape shape{
          1,    static_cast<std::size_t>(leaf), width, static_cast<std::ptrdiff_t>(width), 0, 0,
          false};
      call_.reduction->loops[0].folds.fold((plain_.is_exact ? own_ : before_).get(), totals, shape);
    }
    ScanRows(box, leaf * leaf_, std::min(end * leaf_, cut_.Along().length));
  }

 private:
  using Copies = std::vector<std::pair<std::vector<std::int64_t>, TileCopy>>;

  std::size_t TileBytes(std::size_t size) const {
    return cut_.Width() * (cut_.is_along() ? 1 : cut_.Along().side) * size;
  }

  Box BoxAt(std::uint64_t index) const {
    Box box{source_, target_, {}, 1, {}};
    for (std::size_t at = 0; at < cut_.Outer(); ++at) {
      Axis axis = cut_.At(at);
      const std::uint64_t boxes = (axis.length - 1) / axis.side + 1;
      const std::uint64_t start = index % boxes * axis.side;
      index /= boxes;
      box.from += static_cast<std::int64_t>(start) * axis.from;
      box.to += static_cast<std::int64_t>(start) * axis.to;
      axis.length = std::min(axis.side, axis.length - start);
      box.width *= axis.length;
      box.sides.push_back(static_cast<std::int64_t>(axis.length));
      if (axis.length > 1) box.lanes.insert(box.lanes.begin(), axis);
    }
    return box;
  }

  void ScanRows(const Box& box, std::uint64_t row, std::uint64_t end) {
    const Axis& along = cut_.Along();
    while (row < end) {
      const std::uint64_t rows = std::min(along.side, end - row);
      const bool is_last = row + rows == end;
      Scan(box, row, rows, is_last ? 0 : static_cast<std::ptrdiff_t>(rows) * along.from);
      row += rows;
    }
  }

  /// Scans a tile: some elements of each output of a box. The next one is `ahead`.
  void Scan(const Box& box, std::uint64_t row, std::uint64_t rows, std::ptrdiff_t ahead) {
    const Axis& along = cut_.Along();
    const auto first = static_cast<std::int64_t>(row);
    // Nothing writes where the elements are.
    Place from{const_cast<std::byte*>(box.from) + first * along.from, along.from, 0};
    Place to{box.to + first * along.to, along.to, 0};
    const Place source = from;
    const Place target = to;
    const bool is_along = cut_.is_along() || box.width < kNarrow;
    const std::uint64_t read = FindRun(box, &Axis::from, plain_.from_size, is_along, from);
    if (totals_ != nullptr) to = {results_.get(), 0, 0};
    const std::uint64_t written =
        totals_ != nullptr ? box.width : FindRun(box, &Axis::to, plain_.to_size, is_along, to);
    if (read == 0) {
      from = InRows(elements_, box.width, plain_.from_size);
      const TileCopy& copy = CopyOf(reads_, box, rows, plain_.from_size, &Axis::from, nullptr);
      copy.Run(from.at, source.at, ahead);
    }
    if (written == 0) to = InRows(results_, box.width, plain_.to_size);
    const std::uint64_t run =
        std::min(read == 0 ? box.width : read, written == 0 ? box.width : written);
    FindRuns(box, run, read > 0, written > 0 && totals_ == nullptr);
    ScanLeaves(row, rows, run, from, to, is_along ? plain_.loops.along : plain_.loops.across);
    if (written > 0) return;
    CopyOf(writes_, box, rows, plain_.to_size, nullptr, &Axis::to).Run(target.at, to.at, 0);
  }

  /// Returns how many outputs a loop takes as a side of them lies in memory; 0 if they are copied.
  static std::uint64_t FindRun(const Box& box, std::int64_t Axis::*side, std::size_t size,
                               bool is_along, Place& place) {
    place.lane = static_cast<std::ptrdiff_t>(size);
    if (is_along && !box.lanes.empty()) place.lane = box.lanes.back().*side;
    const std::uint64_t run = RunOf(box, side, place.lane);
    return run == box.width || (!is_along && run >= kNarrow) ? run : 0;
  }

  static Place InRows(const Memory& memory, std::uint64_t width, std::size_t size) {
    return {memory.get(), static_cast<std::ptrdiff_t>(width * size),
            static_cast<std::ptrdiff_t>(size)};
  }

  /// Finds where runs of outputs begin: in rows of a tile, or where they lie in memory.
  void FindRuns(const Box& box, std::uint64_t run, bool is_read, bool is_written) {
    runs_.assign(1, {0, 0});
    std::uint64_t inner = box.width;
    for (const Axis& axis : box.lanes) {
      if (inner == run) return;
      inner /= axis.length;
      const std::int64_t from =
          is_read ? axis.from : static_cast<std::int64_t>(inner * plain_.from_size);
      const std::int64_t to =
          is_written ? axis.to : static_cast<std::int64_t>(inner * plain_.to_size);
      const std::vector<Offsets> outer = std::move(runs_);
      runs_.clear();
      for (const Offsets& start : outer) {
        for (std::uint64_t index = 0; index < axis.length; ++index) {
          const auto at = static_cast<std::int64_t>(index);
          runs_.push_back({start.from + at * from, start.to + at * to});
        }
      }
    }
  }

  void ScanLeaves(std::uint64_t row, std::uint64_t rows, std::uint64_t run, Place from, Place to,
                  ScanLoop loop) {
    const std::uint64_t leaf = totals_ == nullptr ? cut_.leaf() : leaf_;
    for (const std::uint64_t end = row + rows; row < end;) {
      const std::uint64_t of_leaf = row % leaf;
      const std::uint64_t count = std::min(leaf - of_leaf, end - row);
      const ScanShape shape{static_cast<std::size_t>(count),
                            static_cast<std::size_t>(run),
                            from.row,
                            from.lane,
                            to.row,
                            to.lane,
                            of_leaf == 0};
      std::size_t at = 0;
      for (const auto& [read, written] : runs_) {
        loop(to.at + written, from.at + read, shape,
             {own_.get() + at, has_before_ ? before_.get() + at : nullptr, total_.get() + at});
        at += run * plain_.size;
      }
      from.at += static_cast<std::ptrdiff_t>(count) * from.row;
      to.at += static_cast<std::ptrdiff_t>(count) * to.row;
      row += count;
      const bool is_whole = row % leaf == 0 || row == cut_.Along().length;
      if (!is_whole) continue;
      if (totals_ != nullptr) {
        const std::size_t bytes = runs_.size() * run * plain_.size;
        std::memcpy(totals_, own_.get(), bytes);
        totals_ += bytes;
        continue;
      }
      std::swap(before_, total_);
      has_before_ = true;
    }
  }

  /// Returns the copy of a tile of this shape. The side that has no strides is in rows.
  const TileCopy& CopyOf(Copies& copies, const Box& box, std::uint64_t rows, std::size_t size,
                         std::int64_t Axis::*from, std::int64_t Axis::*to) const {
    std::vector<std::int64_t> shape = box.sides;
    shape.push_back(static_cast<std::int64_t>(rows));
    const auto is_alike = [&](const auto& one) { return one.first == shape; };
    const auto known = std::find_if(copies.begin(), copies.end(), is_alike);
    if (known != copies.end()) return known->second;
    std::vector<Axis> axes = {cut_.Along()};
    axes[0].length = rows;
    axes.insert(axes.end(), box.lanes.begin(), box.lanes.end());
    StridedCopy copy{nullptr, nullptr, static_cast<std::uint32_t>(size), {}, {}, {}};
    for (const Axis& axis : axes) copy.lengths.push_back(static_cast<std::int64_t>(axis.length));
    copy.source_strides.resize(axes.size());
    copy.destination_strides.resize(axes.size());
    auto in_rows = static_cast<std::int64_t>(size);
    for (std::size_t axis = axes.size(); axis-- > 0;) {
      copy.source_strides[axis] = from == nullptr ? in_rows : axes[axis].*from;
      copy.destination_strides[axis] = to == nullptr ? in_rows : axes[axis].*to;
      in_rows *= copy.lengths[axis];
    }
    copies.emplace_back(std::move(shape), copy);
    return copies.back().second;
  }

  const ReductionCall& call_;
  const PlainScan& plain_;
  const Cut& cut_;
  const std::uint64_t leaf_;  ///< elements
  const std::byte* source_;
  std::byte* target_;
  Memory own_;
  Memory before_;
  Memory total_;
  Memory elements_;
  Memory results_;
  std::vector<Offsets> runs_;
  Copies reads_;
  Copies writes_;
  bool has_before_ = false;
  std::byte* totals_ = nullptr;  ///< where those of leaves go, if nothing else is written
};

/// Has threads share the leaves of each box: they find what each leaf makes, and then scan it.
void RunInLeaves(const ReductionCall& call, const Cut& cut, std::size_t parts) {
  const std::uint64_t leaves = call.tree.leaves;
  const std::size_t size = SizeOf(call.reduction->types[0]);
  const std::size_t bytes = static_cast<std::size_t>(cut.Width()) * size;
  const Memory totals(static_cast<std::size_t>(leaves) * bytes);
  const auto at = [&](std::size_t part) { return leaves * part / parts; };
  for (std::uint64_t box = 0; box < cut.Boxes(); ++box) {
    // A box that is not whole has less for each leaf.
    const std::size_t own = static_cast<std::size_t>(cut.WidthOf(box)) * size;
    on_threads(parts - 1, [&](std::size_t part) {
      Scanner(call, cut).FindTotals(box, at(part), at(part + 1), totals.get() + at(part) * own);
    });
    on_threads(parts, [&](std::size_t part) {
      Scanner(call, cut).RunLeaves(box, at(part), at(part + 1), totals.get());
    });
  }
}

/// The load whose value a program stores, converted or not. A float is stored without payload, an
/// element of a reduction as it is.
std::optional<Instruction> LoadOf(const Program& program) {
  const std::vector<Instruction>& all = program.instructions;
  const Instruction& store = all.back();
  const Instruction* one = &all[store.operands[0]];
  const bool is_stored = program.role == Role::kWhole && IsFloat(store.type);
  if (is_stored && one->operation != Operation::kWithoutPayload) return std::nullopt;
  if (is_stored) one = &all[one->operands[0]];
  if (one->operation == Operation::kConvert) one = &all[one->operands[0]];
  const bool is_load = one->operation == Operation::kLoad && !one->is_same;
  return is_load && program.store_count == 1 ? std::optional(*one) : std::nullopt;
}

}  // namespace

std::optional<PlainScan> FindPlainScan(const Reduction& reduction) {
  if (!reduction.is_scan || reduction.is_split || reduction.inner > 1) return std::nullopt;
  if (reduction.types.size() > 1 || reduction.loops.empty()) return std::nullopt;
  const std::optional<Instruction> load = LoadOf(reduction.element);
  const std::optional<Instruction> value = LoadOf(reduction.finish);
  if (!load || !value) return std::nullopt;
  const Instruction& store = reduction.finish.instructions.back();
  const auto is_whole = [](const Program& program, const Instruction& one) {
    return one.part == 0 && program.arrays[one.source].item_size == SizeOf(one.type);
  };
  if (!is_whole(reduction.element, *load) || !is_whole(reduction.finish, store)) {
    return std::nullopt;
  }
  const std::vector<Instruction>& pair = reduction.pair.instructions;
  const ValueType type = reduction.types[0];
  const ScanLoops loops =
      FindScanLoops(pair[pair.back().operands[0]].operation, type, load->type, store.type);
  if (loops.across == nullptr) return std::nullopt;
  return PlainScan{load->source,       store.source,   SizeOf(type), SizeOf(load->type),
                   SizeOf(store.type), !IsFloat(type), loops};
}

void RunPlainScan(const ReductionCall& call, std::size_t threads) {
  const Cut cut(call);
  const std::uint64_t boxes = cut.Boxes();
  const std::uint64_t most = call.outputs * call.elements / kFewestOfThread;
  const auto parts = static_cast<std::size_t>(
      std::clamp<std::uint64_t>(most, 1, std::max<std::size_t>(1, threads)));
  if (boxes < parts && call.tree.leaves >= parts) {
    RunInLeaves(call, cut, parts);
    return;
  }
  const std::uint64_t own = std::min<std::uint64_t>(parts, boxes);
  on_threads(static_cast<std::size_t>(own), [&](std::size_t part) {
    Scanner scanner(call, cut);
    const std::uint64_t end = boxes * (part + 1) / own;
    for (std::uint64_t box = boxes * part / own; box < end; ++box) scanner.Run(box);
  });
}

}  // namespace array_interface
