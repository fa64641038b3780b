#include <algorithm>
#include <optional>
#include <utility>

#include "axes.hpp"
#include "output_staging.hpp"
#include "program/bind.hpp"
#include "program/words.hpp"
#include "reduction.hpp"
#include "staging.hpp"
#include "units.hpp"

namespace array_interface {

namespace {

/// Outputs that are computed at once, if there are so many.
constexpr std::uint64_t kManyOutputs = 16;
/// The same of outputs that are neighbours in memory, or that are so many bytes. Less than both
/// leaves most of a vector empty, unless the next elements follow at once.
constexpr std::uint64_t kManyNeighbours = 8;
constexpr std::uint64_t kNeighbourBytes = 32;
constexpr std::uint64_t kManyTogether = 2;
/// Outputs of fewer elements are computed across, unless the elements of each follow one another
/// and are at least so many bytes.
constexpr std::uint64_t kFewElements = 128;
constexpr std::uint64_t kFewBytes = 384;
/// More elements would take days; and no number of bytes of so many of them, with all that is kept
/// of each, is beyond 64 bits.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 48;

std::uint64_t Product(std::uint64_t a, std::uint64_t b, const char* expected) {
  std::uint64_t product = 0;
  Demand(!__builtin_mul_overflow(a, b, &product), expected, a);
  return product;
}

/// Returns the quotient, and refuses what is none.
std::uint64_t Quotient(std::uint64_t all, std::uint64_t part, const char* expected) {
  const bool divides = part != 0 && all % part == 0;
  Demand(divides, expected, part);
  return divides ? all / part : 0;
}

class Binder {
 public:
  Binder(const Reduction& reduction, const std::vector<std::uint64_t>& values,
         const std::vector<Extent>& extents)
      : reduction_(reduction), values_(values), extents_(extents) {}

  ReductionCall Bind(std::uint64_t count) {
    ReductionCall call{};
    call.reduction = &reduction_;
    call.repeats = 1;
    call.is_cut = reduction_.is_split && reduction_.is_scan;
    BindTree(call, count);
    if (call.first == call.end) return call;
    BindShape(call);
    const std::size_t axes = shape_.size();
    const bool is_dense = reduction_.is_split && !reduction_.is_scan;
    call.outer = reduction_.outer;
    call.element = CallOf(reduction_.element, axes);
    if (!is_dense) {
      call.finish = CallOf(reduction_.finish, reduction_.is_scan ? axes : reduction_.outer);
    }
    if (!reduction_.is_split && !reduction_.is_scan) StageOutputs(call);
    if (reduction_.is_exact) SortInner(call);
    if (IsPlace(reduction_) && reduction_.is_load) TakeFirst(call);
    call.is_across = !call.IsPlainScan() && IsAcross(call);
    if (is_dense) call.finish = CallOfItems(call);
    if (call.is_across) {
      call.element.program = &reduction_.element_across;
      call.row_outputs = RowOutputs(call);
      Rotate(call.element, call.outer);
      if (reduction_.is_scan) Rotate(call.finish, call.outer);
    } else {
      call.output_step = OutputStep(call);
      call.row_elements = RowElements(call);
    }
    for (std::size_t index = 0; index < reduction_.total_places.size(); ++index) {
      const auto size = static_cast<std::uint32_t>(SizeOf(reduction_.types[index]));
      const std::uint64_t items = call.outputs * call.tree.pieces;
      call.totals.push_back(BaseOf(reduction_.total_places[index], {items}, {size}, size, size));
    }
    return call;
  }

 private:
  std::uint64_t At(std::uint32_t place) const {
    return ReadIndex(reduction_.element.parameters, values_, place);
  }

  void BindTree(ReductionCall& call, std::uint64_t count) {
    const TreePlaces& at = reduction_.places;
    Tree& tree = call.tree;
    tree = {At(at.lanes),  At(at.rows), At(at.rest),  At(at.leaf_rows),
            At(at.leaves), At(at.size), At(at.pieces)};
    const bool is_power = tree.lanes > 0 && (tree.lanes & (tree.lanes - 1)) == 0;
    Demand(is_power && tree.lanes <= 32, "1, 2, 4 .. 32 lanes", tree.lanes);
    Demand(tree.rows > 0 && tree.rest < tree.lanes, "rows", tree.rest);
    Demand(tree.leaf_rows > 0, "rows of a leaf", tree.leaf_rows);
    Demand(tree.leaves == PartsOf(tree.rows, tree.leaf_rows), "its leaves", tree.leaves);
    Demand(tree.size > 0, "leaves of a piece", tree.size);
    Demand(tree.pieces == (reduction_.is_split ? PartsOf(tree.leaves, tree.size) : 1), "its pieces",
           tree.pieces);
    Demand(reduction_.is_split || tree.size >= tree.leaves, "whole trees", tree.size);
    const bool is_scan = tree.lanes == 1 && (!reduction_.is_split || tree.size == 1);
    Demand(!reduction_.is_scan || is_scan, "a lane, and pieces of a leaf", tree.size);
    // Numbers beyond what there is mean all of it.
    tree.leaf_rows = std::min(tree.leaf_rows, tree.rows);
    tree.size = std::min(tree.size, tree.leaves);
    call.elements = Product(tree.rows, tree.lanes, "fewer elements");
    Demand(!__builtin_add_overflow(call.elements, tree.rest, &call.elements), "fewer elements", 0);
    const std::uint64_t total = At(at.total);
    call.first = std::min(total, At(at.first));
    call.end = call.first + std::min(total - call.first, count);
    call.outputs = total;
    if (!reduction_.is_split) return;
    const std::uint64_t items = Product(tree.pieces, tree.lanes, "fewer pieces");
    Demand(call.first == 0 && call.end == total, "all pieces at once", call.end);
    call.outputs = call.end = Quotient(total, items, "as many items as pieces");
  }

  void BindShape(const ReductionCall& call) {
    const std::uint64_t all = Product(call.outputs, call.elements, "fewer elements");
    Demand(all <= kMostElements, "fewer elements", all);
    const auto& places = reduction_.length_places;
    std::size_t next = 0;
    for (const auto& [axes, all] :
         {std::pair(reduction_.outer, call.outputs), std::pair(reduction_.inner, call.elements)}) {
      const std::size_t first = shape_.size();
      shape_.push_back(0);
      std::uint64_t behind = 1;
      for (std::uint32_t axis = 1; axis < axes; ++axis) {
        shape_.push_back(At(places[next++]));
        behind = Product(behind, shape_.back(), "fewer elements");
      }
      shape_[first] = Quotient(all, behind, "lengths that fit the number of elements");
    }
  }

  std::byte* BaseOf(std::uint32_t place, const std::vector<std::uint64_t>& shape,
                    const std::vector<std::int64_t>& strides, std::uint32_t item_size,
                    std::size_t unit) const {
    Extent reach{0, item_size};
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      Demand(Reach(reach, shape[axis], strides[axis]), "strides of bytes", place);
    }
    const Extent& extent = extents_[reduction_.element.parameters[place].index];
    const bool is_within = reach.low >= extent.low && reach.high <= extent.high;
    Demand(is_within, "an array that holds all elements at the place", place);
    Demand(values_[place] % unit == 0, "an array of aligned elements at the place", place);
    return reinterpret_cast<std::byte*>(values_[place]);  // NOLINT(performance-no-int-to-ptr)
  }

  /// A program over the first axes; its accumulators are placed later.
  ProgramCall CallOf(const Program& program, std::size_t axes) const {
    const auto end = shape_.begin() + static_cast<std::ptrdiff_t>(axes);
    ProgramCall made{&program, values_.data(), {shape_.begin(), end}, {}, 0, 1, false};
    made.arrays.reserve(program.arrays.size());
    for (const std::uint64_t length : made.shape) made.end *= length;
    for (std::size_t index = 0; index < program.arrays.size(); ++index) {
      const auto& [place, layout, item_size] = program.arrays[index];
      PlacedArray placed{nullptr, std::vector<std::int64_t>(axes, item_size), 0};
      if (place < reduction_.parameters) {
        const bool is_right =
            SetStrides(placed.strides, made.shape, &values_[place + 1], item_size);
        Demand(is_right, "strides of bytes", place);
        placed.base = BaseOf(place, made.shape, placed.strides, item_size, UnitOf(program, index));
      }
      made.arrays.push_back(std::move(placed));
    }
    return made;
  }

  /// What stores the accumulators of pieces, in the order in which they are computed.
  ProgramCall CallOfItems(const ReductionCall& call) const {
    const Program& program = reduction_.finish;
    const std::uint64_t items = call.tree.pieces * call.tree.lanes;
    const std::uint64_t total = call.outputs * items;
    ProgramCall made{&program, values_.data(), {total}, {}, 0, total, false};
    if (call.is_across) made.shape = {items, call.outputs};
    for (std::size_t index = 0; index < program.arrays.size(); ++index) {
      const auto& [place, layout, item_size] = program.arrays[index];
      PlacedArray placed{nullptr, {item_size}, 0};
      if (place < reduction_.parameters) {
        placed.base = BaseOf(place, {total}, {item_size}, item_size, UnitOf(program, index));
        if (call.is_across) placed.strides.push_back(item_size * static_cast<std::int64_t>(items));
      }
      made.arrays.push_back(std::move(placed));
    }
    return made;
  }

  bool AreFewElements(const ReductionCall& call) const {
    if (call.elements >= kFewElements) return false;
    return !OutputStep(call) || call.elements * SizeOf(reduction_.element_types[0]) < kFewBytes;
  }

  /// The axis from which on elements are copied into C order, if they are combined along: whole
  /// lines of caches are read, whichever of these axes they lie along.
  std::size_t CopiedFrom(const ReductionCall& call) const {
    const std::size_t last = call.element.shape.size() - 1;
    if (reduction_.is_scan || AreFewOf(call)) return last;
    const auto rows = FindTurnedRows(call.element, call.outer);
    return rows ? rows->axis : last;
  }

  /// Whether the outputs are nearer in memory than their elements, or the elements are few.
  bool IsAcross(const ReductionCall& call) const {
    if (call.end - call.first < kManyOutputs && RowOutputs(call) == 0) return false;
    if (AreFewElements(call)) return true;
    std::int64_t nearer = 0;
    const std::size_t copied = CopiedFrom(call);
    for (const PlacedArray& array : call.element.arrays) {
      if (array.base == nullptr) continue;
      std::uint64_t along = DistanceOf(array.strides.back());
      for (std::size_t axis = copied; axis < array.strides.size(); ++axis) {
        along = std::min(along, DistanceOf(array.strides[axis]));
      }
      const std::uint64_t across = DistanceOf(array.strides[call.outer - 1]);
      nearer += across < along ? 1 : across > along ? -1 : 0;
    }
    return nearer > 0;
  }

  /// Lays out elements that may be combined in any order as they lie in memory: reduced axes
  /// forwards, the farther ones first, those in a row as one. Elements that repeat are taken once.
  void SortInner(ReductionCall& call) const {
    ProgramCall& element = call.element;
    const auto is_read = [](const PlacedArray& array) { return array.base != nullptr; };
    const auto first = std::find_if(element.arrays.begin(), element.arrays.end(), is_read);
    if (first == element.arrays.end()) return;
    TurnForwards(element, call.outer);
    if (element.shape.size() > call.outer + 1) SortAxes(element, call.outer, *first);
    TakeOnce(call);
    MergeRows(element, call.outer, element.shape.size());
  }

  /// Drops reduced axes along which all arrays repeat, and cuts the smaller tree.
  void TakeOnce(ReductionCall& call) const {
    ProgramCall& element = call.element;
    for (std::size_t axis = element.shape.size(); axis-- > call.outer;) {
      if (!Repeats(element, axis)) continue;
      call.repeats *= element.shape[axis];
      element.shape[axis] = 1;
      if (element.shape.size() > call.outer + 1) Erase(element, axis);
    }
    if (call.repeats == 1) return;
    element.end /= call.repeats;
    call.elements /= call.repeats;
    Tree& tree = call.tree;
    while (tree.lanes > call.elements) tree.lanes /= 2;
    tree.rows = call.elements / tree.lanes;
    tree.rest = call.elements % tree.lanes;
    tree.leaf_rows = std::min(tree.leaf_rows, tree.rows);
    tree.leaves = PartsOf(tree.rows, tree.leaf_rows);
    tree.size = std::min(tree.size, tree.leaves);
  }

  /// The same of a place: that of the first one of equal elements.
  void TakeFirst(ReductionCall& call) const {
    std::uint64_t step = call.elements;
    for (std::size_t axis = call.outer; axis < call.element.shape.size(); ++axis) {
      const std::uint64_t length = call.element.shape[axis];
      step /= length;
      if (!Repeats(call.element, axis)) call.place_axes.push_back({length, step});
    }
    TakeOnce(call);
    if (call.repeats == 1) call.place_axes.clear();
    call.repeats = 1;
  }

  /// Whether loops read elements where they are.
  bool IsPlain() const {
    const bool has_loops = HasLoops(reduction_) || IsPlace(reduction_);
    return reduction_.is_load && !reduction_.is_scan && has_loops;
  }

  /// The outputs that follow one another in memory, of which rows of elements are evenly apart.
  std::uint64_t RowOutputs(const ReductionCall& call) const {
    const std::size_t last = call.outer - 1;
    // What has an order, or places, knows one step from a row to the next one.
    const bool is_one = reduction_.is_exact || call.element.shape.size() == call.outer + 1;
    const bool are_all = call.first == 0 && call.end == call.outputs;
    if (!IsPlain() || !is_one || !are_all) return 0;
    const PlacedArray& array = call.element.arrays[SourceOf(reduction_)];
    const auto size = static_cast<std::int64_t>(SizeOf(reduction_.element_types[0]));
    const bool are_neighbours = array.strides[last] == size;
    const std::uint64_t length = call.element.shape[last];
    return are_neighbours && length >= FewestInRow(call, array.strides.back(), size) ? length : 0;
  }

  /// How many outputs that are neighbours are enough.
  std::uint64_t FewestInRow(const ReductionCall& call, std::int64_t step, std::int64_t size) const {
    if (call.elements < kFewElements) return kManyOutputs;
    // The place of a bool is soon known along.
    const bool is_bool = reduction_.types[0] == ValueType::kBool;
    if (IsPlace(reduction_)) return is_bool ? kManyOutputs : kManyNeighbours;
    const std::uint64_t length = call.element.shape[call.outer - 1];
    if (step == size * static_cast<std::int64_t>(length)) return kManyTogether;
    if (HasMethodLoops(reduction_)) return kManyNeighbours;
    return std::min(kManyNeighbours, kNeighbourBytes / static_cast<std::uint64_t>(size));
  }

  std::optional<std::size_t> OutputStep(const ReductionCall& call) const {
    if (!IsPlain() || call.element.shape.size() != 2) return std::nullopt;
    const std::vector<std::int64_t>& strides = call.element.arrays[SourceOf(reduction_)].strides;
    const auto size = static_cast<std::int64_t>(SizeOf(reduction_.element_types[0]));
    const bool is_even = strides[1] == size && strides[0] >= 0;
    if (!is_even) return std::nullopt;
    return static_cast<std::size_t>(strides[0] / size);
  }

  /// The elements of a row, if there is one output, or the same row of the next one is nearer than
  /// the next row of this one. Else 0.
  std::uint64_t RowElements(const ReductionCall& call) const {
    const std::size_t axes = call.element.shape.size();
    // What one element may decide is sooner known along.
    const bool is_exact = reduction_.is_exact && reduction_.absorbs == Absorbs::kNothing;
    if (!IsPlain() || !is_exact || axes < call.outer + 2) return 0;
    const std::uint64_t outputs = call.end - call.first;
    if (call.outer > 1 && outputs < call.outputs) return 0;
    const std::vector<std::int64_t>& strides = call.element.arrays[SourceOf(reduction_)].strides;
    const auto size = static_cast<std::int64_t>(SizeOf(reduction_.element_types[0]));
    const std::int64_t step = strides[call.outer - 1];  // from an output to the next one
    const bool are_rows = strides.back() == size && step >= 0;
    const bool are_near = outputs == 1 || DistanceOf(step) < DistanceOf(strides[axes - 2]);
    const std::uint64_t length = call.element.shape.back();
    const bool are_many = length * call.element.shape[axes - 2] >= kFewElements;
    const bool are_columns = outputs == 1 && are_many && length >= kManyNeighbours;
    return are_rows && are_near && (are_columns || length >= kFewElements) ? length : 0;
  }

  const Reduction& reduction_;
  const std::vector<std::uint64_t>& values_;
  const std::vector<Extent>& extents_;
  std::vector<std::uint64_t> shape_;  ///< the outer, then the inner axes
};

}  // namespace

std::variant<ReductionCall, ProgramFault> BindReduction(const Reduction& reduction,
                                                        const std::vector<std::uint64_t>& values,
                                                        const std::vector<Extent>& extents,
                                                        std::uint64_t count) {
  try {
    return Binder(reduction, values, extents).Bind(count);
  } catch (BadProgram& fault) {
    return std::move(fault.message);
  }
}

}  // namespace array_interface
