"""Random reductions and scans of arrays, and what they are: python reductions.py SEED COUNT.

One JSON line a case: the reduction's name or texts, its operands (arrays of any layout over bytes of their own, in base64, and
numbers), its options, and the typestr, shape and elements of each result. Elements are combined in the tree of
docs/internals/adr/0036-reductions.md, so results have the same bits; NumPy's own reductions check the tree.
"""

import base64
import json
import math
import re
import sys

import numpy as np
from expressions import TYPES, Cases, Skip, divide, extreme, multiply


def combined(rows, reduce):
    """The tree. `rows` has arrays whose first axis is that of the elements, one for each accumulator."""
    count = len(rows[0])
    lanes = min(32, 1 << (count.bit_length() - 1))
    whole, rest = divmod(count, lanes)
    leaves = []

    def row(index):
        return tuple(one[index * lanes : (index + 1) * lanes] for one in rows)

    for start in range(0, whole, 16):
        leaf = row(start)
        for index in range(start + 1, min(start + 16, whole)):
            leaf = reduce(leaf, row(index))
        leaves.append(leaf)
    if rest > 0:
        last = reduce(tuple(one[:rest] for one in leaves[-1]), row(whole))
        leaves[-1] = tuple(np.concatenate([one, old[rest:]]) for one, old in zip(last, leaves[-1]))
    while len(leaves) > 1:
        pairs = [reduce(*leaves[i : i + 2]) for i in range(0, len(leaves) - 1, 2)]
        leaves = pairs + leaves[len(leaves) - len(leaves) % 2 :]
    made = leaves[0]
    while len(made[0]) > 1:
        half = len(made[0]) // 2
        made = reduce(tuple(one[:half] for one in made), tuple(one[half:] for one in made))
    return tuple(one[0] for one in made)


def scanned(rows, reduce):
    """What was combined until each element: one after another in leaves, behind the totals of the leaves before."""
    count = len(rows[0])
    size = max(64, -(-count // 256))
    made, before = [], None
    for start in range(0, count, size):
        leaf = None
        for index in range(start, min(start + size, count)):
            row = tuple(one[index] for one in rows)
            leaf = row if leaf is None else reduce(leaf, row)
            made.append(leaf if before is None else reduce(before, leaf))
        before = made[-1]
    return tuple(np.stack(one) for one in zip(*made))


def wide(dtype):
    return np.dtype({"b": "i8", "i": "i8", "u": "u8", "f": "f8", "c": "c16"}[dtype.kind])


def plus(a, b):
    return (a[0] + b[0],)


def times(a, b):
    return (multiply(a[0], b[0]),)


def half_plus(a, b):
    return (a[0] * 0.5 + b[0],)


def merged(a, b):
    (an, am, asq), (bn, bm, bsq) = a, b
    d, n = bm - am, an + bn
    return n, am + d * (bn / n), asq + bsq + d * d * (an * bn / n)


def better(test):
    def reduce(a, b):
        (av, ap), (bv, bp) = a, b
        is_better = test(bv, av) | ((bv == av) & (bp < ap))
        second = np.where(np.isnan(av), np.isnan(bv) & (bp < ap), np.isnan(bv) | is_better)
        return np.where(second, bv, av), np.where(second, bp, ap)

    return reduce


def computed(x):
    """float16 is computed in float32."""
    return x.astype("f4") if x.dtype == np.float16 else x


def is_close(made, expected, size, count):
    made, expected = np.asarray(made), np.asarray(expected)
    finite = np.isfinite(expected) & np.isfinite(made) & np.isfinite(size)
    error = (16 + math.log2(count + 1)) * 2 * np.finfo(made.dtype).eps * size + np.finfo(made.dtype).tiny
    return bool(np.all(abs(made - expected)[finite] <= error[finite]))


class Reductions(Cases):
    def shape(self):
        if self.count(0, 9) == 0:
            return (self.count(33, 3000),)
        if self.count(0, 9) == 0:
            # Long rows, short ones, columns of few elements, and of many.
            kinds = [(1, 3, 400, 1200), (16, 60, 40, 140), (17, 300, 1, 6), (128, 700, 2, 15)]
            least, most, shortest, longest = self.one_of(kinds)
            return (self.count(least, most), self.count(shortest, longest))
        return tuple(self.count(1, 6) if self.count(0, 29) else 0 for _ in range(self.count(0, 4)))

    def axes(self, ndim):
        """The option, and the axes."""
        every = list(range(ndim))
        kind = self.count(0, 3)
        if kind == 0 or ndim == 0:
            return None, every
        chosen = sorted(self.random.choice(every, self.count(1, ndim) if kind > 1 else 1, replace=False).tolist())
        if self.count(0, 19) == 0:
            chosen = []
        shown = [axis - ndim if self.count(0, 1) else axis for axis in chosen]
        return (shown[0] if len(shown) == 1 and self.count(0, 1) else shown), chosen

    def scan(self):
        shape = self.shape()
        if len(shape) == 0:
            raise Skip
        axis = self.count(0, len(shape) - 1)
        count = shape[axis]
        options = {} if len(shape) == 1 and self.count(0, 1) else {"axis": self.one_of([axis, axis - len(shape)])}
        exclusive, initial = (self.count(0, 3) == 0 for _ in range(2))
        options |= {"exclusive": True} if exclusive else {}
        options |= {"includeInitial": True} if initial else {}
        name = self.one_of(["cumulativeSum", "cumulativeProd", "own"])
        dtype = np.dtype(self.one_of(TYPES if name != "own" else ["i2", "f4", "f8"]))
        array, side = self.array(shape, dtype)
        to = wide(dtype) if dtype.kind in "biu" else dtype
        if name == "own":
            steps = {"map": "float64(x) + position", "reduce": "a * 0.5 + b", "identity": -1, "post": "y = a"}
            case = {"signature": {"inputs": {"x": "T"}, "outputs": {"y": "float64"}}, "steps": steps, "scans": True}
            x, first, to = np.moveaxis(array, axis, 0).astype("f8"), -1.0, np.dtype("f8")
            x = x + np.arange(count).reshape([-1] + [1] * (len(shape) - 1))
            apply = half_plus
        else:
            case = {"name": name}
            if self.count(0, 3) == 0:
                to = np.dtype(self.one_of("i1 u2 f4 f8".split() if dtype.kind in "biu" else "f4 f8".split() if dtype.kind == "f" else ["c8", "c16"]))
                options["dtype"] = to.name
            x = np.moveaxis(array, axis, 0).astype(wide(to))
            first, apply = (0, plus) if name == "cumulativeSum" else (1, times)
        made = scanned((x,), apply)[0] if count else x
        if name != "own" and to.kind in "iu" and dtype.kind in "biu":
            numpy = (np.cumsum if name == "cumulativeSum" else np.cumprod)(array, axis, dtype=to)
            assert np.array_equal(np.moveaxis(made, 0, axis).astype(to), numpy), "NumPy has another result"
        if exclusive or initial:
            start = np.full((1, *x.shape[1:]), first, x.dtype)
            made = np.concatenate([start, made])[: count + 1 if initial else count]
        made = np.moveaxis(made, 0, axis).astype(to)
        result = "y" if name == "own" else "result"
        return {**case, "operands": {"x": side}, "options": options, "results": {result: self.output(made, made.shape)}}

    def output(self, value, shape):
        value = np.array(value).reshape(shape)
        for part in [value.real, value.imag] if value.dtype.kind == "c" else [value] if value.dtype.kind == "f" else []:
            part[np.isnan(part)] = np.nan
        data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
        return {"typestr": value.dtype.str, "shape": shape, "data": data}

    def reduced(self, name, x, axes, keep):
        """A reduction within a text."""
        kept = [axis for axis in range(x.ndim) if axis not in axes]
        count = math.prod(x.shape[axis] for axis in axes)
        rows = np.ascontiguousarray(x.transpose([*axes, *kept])).reshape(count, math.prod(x.shape[axis] for axis in kept))
        if name in ("sum", "mean"):
            to = wide(x.dtype) if name == "sum" else x.dtype if x.dtype.kind == "f" else np.dtype("f8")
            made = combined((rows.astype(wide(to)),), plus)[0]
            made = (made + made.dtype.type(0) if name == "sum" else made / float(count)).astype(to if x.dtype.kind != "f" else x.dtype)
        elif name in ("min", "max"):
            apply = extreme(f"{name}imum")
            made = combined((rows,), lambda a, b: (apply(a[0], b[0]),))[0]
        else:
            made = {"argmax": np.argmax, "count_nonzero": np.count_nonzero}[name](rows, axis=0)
        made = np.asarray(made).astype("i8") if name in ("argmax", "count_nonzero") else made
        return made.reshape([1 if axis in axes else n for axis, n in enumerate(x.shape) if keep or axis not in axes])

    def text(self):
        """A text of `evaluate` with one reduction, or one within another or beside elements."""
        shape = self.shape()
        if math.prod(shape) == 0 or len(shape) == 0:
            raise Skip
        dtype = np.dtype(self.one_of("i2 u1 i8 f4 f8".split()))
        x, x_side = self.array(shape, dtype)
        w, w_side = self.array(tuple(1 if self.count(0, 2) == 0 else n for n in shape), dtype)
        x, w = np.array(x, dtype), np.array(w, dtype)
        number = self.one_of([2.5, -0.75, 3.0])
        sides = {"x": x_side, "w": w_side, "n": {"number": number}}

        def some():
            axes = sorted(self.random.choice(len(shape), self.count(1, len(shape)), replace=False).tolist())
            shown = ", ".join(str(axis - len(shape) if self.count(0, 1) else axis) for axis in axes)
            return axes, f"axis={shown}" if len(axes) == 1 and self.count(0, 1) else f"axis=({shown})"

        before = self.one_of([("x", x), ("x * w", x * w), ("let d = x - w; d", x - w), ("where(x > w, x, w)", np.where(x > w, x, w))])
        name = self.one_of("sum mean min max argmax count_nonzero".split())
        axes, shown = some()
        lets, _, inner = before[0].rpartition("; ")
        kind = self.count(0, 2)
        if kind == 0:
            value = self.reduced(name, before[1], axes, False)
            post = self.one_of([("{}", lambda y: y), ("{} * n + 1", lambda y: y * number + 1), ("sqrt({} * 2)", lambda y: np.sqrt(y * 2)), ("{0} > 2 ? {0} : 0", lambda y: np.where(y > 2, y, 0))])
            text, made = post[0].format(f"{name}({inner}, {shown})"), post[1](value)
        elif kind == 1:
            value = self.reduced(name, before[1], axes, True)
            text, made = f"(x - {name}({inner}, keepdims=true, {shown})) * n", (x - value) * number
        else:
            others, other = some()
            outer = self.one_of(["sum", "mean", "max"])
            value = self.reduced(name, before[1], axes, True)
            text, made = f"{outer}(x * n - {name}({inner}, {shown}, keepdims=true), {other}) / 2", self.reduced(outer, x * number - value, others, False) / 2
        text = f"{lets}; {text}" if lets else text
        used = {one: side for one, side in sides.items() if re.search(rf"\b{one}\b", text)}
        made = np.asarray(made)
        return {"text": text, "operands": used, "options": {}, "results": {"result": self.output(made, made.shape)}}

    def log_sum_exp(self):
        """NumPy's exponentials have other bits."""
        shape, dtype = self.shape(), np.dtype(self.one_of("i2 f4 f8".split()))
        x, side = self.array(shape, dtype)
        option, axes = self.axes(len(shape))
        wide_x = np.array(x, "f8")
        most = wide_x.max(tuple(axes), keepdims=True, initial=-math.inf)
        shift = np.where(np.isfinite(most), most, 0)
        made = np.log(np.exp(wide_x - shift).sum(tuple(axes))) + shift.reshape(np.sum(wide_x, tuple(axes)).shape)
        made = np.asarray(made, "f8" if dtype.kind == "i" else dtype)
        near = 2.0**-22 if dtype == "f4" else 2.0**-45
        return {
            "name": "logSumExp",
            "operands": {"x": side},
            "options": {} if option is None else {"axis": option},
            "results": {"result": {**self.output(made, made.shape), "near": near}},
        }

    def dense(self, values):
        data = base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()
        return {"typestr": values.dtype.str, "shape": values.shape, "strides": values.strides, "offset": 0, "data": data}

    def counts(self, rows, weights):
        """What each bin counts: `rows` says which elements are its own."""
        if weights is None:
            return rows.sum(1)
        to = wide(weights.dtype) if weights.dtype.kind in "biu" else weights.dtype
        own = np.where(rows, weights.reshape(1, -1), weights.dtype.type(0)).T.astype(wide(to))
        made = combined((own,), plus)[0] if len(own) else np.zeros(len(rows), wide(to))
        return (made + made.dtype.type(0)).astype(to)

    def histogram(self):
        shape = self.shape()
        x, side = self.array(shape, np.dtype(self.one_of("i2 u1 i8 f4 f8".split())))
        x, operands, options, weights = np.array(x), {"x": side}, {}, None
        kind = self.count(0, 2)
        if kind == 0:
            edges = np.sort(self.random.normal(0, 5, self.count(2, 9))).astype(self.one_of(["f4", "f8", "i2"]))
            operands["edges"] = self.dense(edges)
        else:
            bins = self.one_of([1, 3, 10, 17])
            options |= {"bins": bins} if bins != 10 else {}
            limits = (self.one_of([-3, 0.25]), self.one_of([0.25, 7, 1000.5])) if kind == 1 else None
            options |= {"range": limits} if limits else {}
            if limits is None and not (np.isfinite(x).all() and abs(x.astype("f8")).max(initial=0) < 1e30):
                raise Skip  # NumPy refuses them
            try:
                edges = np.histogram_bin_edges(x, bins, limits)
            except ValueError as error:
                raise Skip from error  # too narrow for so many bins
        if self.count(0, 2) == 0:
            weights, operands["weights"] = self.array(shape, np.dtype(self.one_of("u1 i4 f4 f8".split())))
        flat, low, high = x.reshape(1, -1), edges[:-1, None], edges[1:, None]
        last = np.arange(len(low))[:, None] == len(low) - 1
        rows = (low <= flat) & ((flat < high) | last & (flat == high))
        made = self.counts(rows, weights if weights is None else np.array(weights))
        if weights is None and (kind == 0 or x.dtype != "f4"):
            assert np.array_equal(made, np.histogram(x[~np.isnan(x)], edges if kind == 0 else bins, limits if kind else None)[0]), "NumPy has another histogram"
        if weights is None and self.count(0, 3) == 0:
            options["density"] = True
            made = made / np.diff(edges).astype("f8") / made.sum()
        results = {"counts": self.output(made, made.shape), "edges": self.output(edges, edges.shape)}
        return {"name": "histogram", "operands": operands, "options": options, "results": results}

    def bincount(self):
        shape = self.shape()
        x = self.random.integers(0, self.count(1, 20), shape).astype(self.one_of("u1 i2 i8 u8".split()))
        operands, options, weights = {"x": self.dense(x)}, {}, None
        length = int(x.max()) + 1 if x.size else 0
        if self.count(0, 1):
            length = options["length"] = self.count(0, 25)
        if self.count(0, 1):
            weights, operands["weights"] = self.array(shape, np.dtype(self.one_of("u1 i4 f4 f8".split())))
            weights = np.array(weights)
        made = self.counts(x.reshape(1, -1) == np.arange(length)[:, None], weights)
        if weights is None:
            assert np.array_equal(made, np.bincount(x.reshape(-1).astype("i8"), minlength=length)[:length]), "NumPy has other counts"
        return {"name": "bincount", "operands": operands, "options": options, "results": {"result": self.output(made, made.shape)}}

    def searchsorted(self):
        types = self.one_of([("f4", "f4"), ("f8", "f4"), ("i2", "f8"), ("i8", "i8"), ("u1", "i2")])
        vector = np.sort(self.elements((self.count(0, 40),), np.dtype(types[0])))
        x, side = self.array(self.shape(), np.dtype(types[1]))
        options = self.one_of([{}, {"side": "left"}, {"side": "right"}])
        made = np.asarray(np.searchsorted(vector, np.array(x), **options))
        return {"name": "searchsorted", "operands": {"sorted": self.dense(vector), "x": side}, "options": options, "results": {"result": self.output(made, made.shape)}}

    def case(self):
        kind = self.count(0, 15)
        if kind == 15:
            return self.one_of([self.histogram, self.bincount, self.searchsorted])()
        if kind == 0:
            return self.log_sum_exp()
        if kind < 4:
            return self.text()
        if kind < 7:
            return self.scan()
        shape = self.shape()
        option, axes = self.axes(len(shape))
        options = {} if option is None else {"axis": option}
        keep = self.count(0, 2) == 0
        if keep:
            options["keepDims"] = True
        kept = [axis for axis in range(len(shape)) if axis not in axes]
        count = math.prod(shape[axis] for axis in axes)
        result = tuple(1 if axis in axes else n for axis, n in enumerate(shape)) if keep else tuple(shape[axis] for axis in kept)
        others = math.prod(shape[axis] for axis in kept)

        def rows(x):
            return np.ascontiguousarray(np.broadcast_to(x, shape).transpose(axes + kept)).reshape(count, others)

        make = self.standard if self.count(0, 2) else self.own
        made = make(shape, tuple(axes), keep, count, rows, options)
        outputs = {name: self.output(value, result) for name, value in made.pop("results").items()}
        return {**made, "options": options, "results": outputs}

    def standard(self, shape, axes, keep, count, rows, options):
        name = self.one_of("sum prod min max mean variance std any all argmin argmax countNonzero".split())
        dtype = np.dtype(self.one_of(TYPES))
        array, side = self.array(shape, dtype)
        x = rows(array)
        case = {"name": name, "operands": {"x": side}}
        if count == 0 and name in ("min", "max", "argmin", "argmax"):
            raise Skip  # an error, which a test of its own expects
        if dtype.kind == "c" and name in ("min", "max", "variance", "std", "argmin", "argmax"):
            raise Skip
        if name in ("sum", "prod"):
            to = wide(dtype) if dtype.kind in "biu" else dtype
            if self.count(0, 3) == 0:
                to = np.dtype(self.one_of("i1 u2 i8 u8 f4 f8 c16".split() if dtype.kind in "biu" else "f4 f8 c8 c16".split() if dtype.kind == "f" else ["c8", "c16"]))
                options["dtype"] = to.name
            x = x.astype(wide(to))
            value = combined((x,), plus if name == "sum" else times)[0] if count else np.full(x.shape[1], name == "prod", x.dtype)
            if name == "sum":
                value = value + value.dtype.type(0)
                if wide(to).kind in "fc" and not is_close(value, x.sum(0), abs(x).sum(0), count):
                    raise AssertionError("the tree's sum is not NumPy's")
            if to.kind in "iu" and dtype.kind in "biu":
                numpy = (np.sum if name == "sum" else np.prod)(array, axes, dtype=to)
                assert np.array_equal(value.astype(to), numpy.reshape(-1)), "NumPy has another result"
            return {**case, "results": {"result": value.astype(to)}}
        real = dtype if dtype.kind in "fc" else np.dtype("f8")
        if name == "mean":
            x = x.astype(wide(real))
            value = combined((x,), plus)[0] if count else np.zeros(x.shape[1], x.dtype)
            number = np.asarray(float(count)).astype(x.dtype)
            return {**case, "results": {"result": divide(value, number).astype(real)}}
        if name in ("variance", "std"):
            x = x.astype("f8")
            correction = self.one_of([0, 0, 1, 0.5])
            if correction:
                options["correction"] = correction
            squares = combined((np.ones_like(x), x, np.zeros_like(x)), merged)[2] if count else np.zeros(x.shape[1])
            value = squares / max(count - correction, 0.0)
            if count > 0 and not is_close(squares, ((x - x.mean(0)) ** 2).sum(0), (x * x).sum(0) * 8, count):
                raise AssertionError("the tree's variance is not NumPy's")
            return {**case, "results": {"result": (np.sqrt(value) if name == "std" else value).astype(real)}}
        if name in ("min", "max"):
            apply = extreme("minimum" if name == "min" else "maximum")
            value = combined((computed(x),), lambda a, b: (apply(a[0], b[0]),))[0]
            return {**case, "results": {"result": value.astype(dtype)}}
        if name in ("argmin", "argmax"):
            places = np.broadcast_to(np.arange(count)[:, None], x.shape)
            value = combined((computed(x), places), better(np.less if name == "argmin" else np.greater))[1]
            assert np.array_equal(value, getattr(np, name)(x, 0)), "NumPy has another place"
            return {**case, "results": {"result": value}}
        functions = {"any": np.any, "all": np.all, "countNonzero": np.count_nonzero}
        return {**case, "results": {"result": np.asarray(functions[name](x, axis=0))}}

    def own(self, shape, axes, keep, count, rows, options):
        if count == 0:
            raise Skip
        kind = self.count(0, 5)
        dtype = np.dtype(self.one_of("i2 u1 i8 f2 f4 f8".split()))
        array, side = self.array(shape, dtype)
        x = computed(rows(array))
        number = {"number": self.one_of([2.5, -0.75, 3.0])}
        places = np.broadcast_to(np.arange(count)[:, None], x.shape)
        one, two = {"inputs": {"x": "T"}, "outputs": {"y": "T"}}, {"inputs": {"x": "T", "w": "T"}, "outputs": {"y": "T"}}
        if kind == 0 and dtype.kind == "f":
            steps = {"map": "x * x", "reduce": "a + b", "identity": 0, "post": "y = sqrt(a)"}
            y = np.sqrt(combined((x * x,), plus)[0]).astype(dtype)
            return {"signature": one, "steps": steps, "operands": {"x": side}, "results": {"y": y}}
        if kind == 1:
            narrow = tuple(1 if self.count(0, 2) == 0 else n for n in shape)
            other, other_side = self.array(narrow[self.count(0, len(shape)) :], dtype)
            steps = {"map": "x * w", "reduce": "a + b", "identity": 0}
            y = combined((x * computed(rows(other)),), plus)[0].astype(dtype)
            return {"signature": two, "steps": steps, "operands": {"x": side, "w": other_side}, "results": {"y": y}}
        if kind == 2:
            apply = [extreme("minimum"), extreme("maximum")]
            low, high = combined((x, x), lambda a, b: tuple(apply[i](a[i], b[i]) for i in (0, 1)))
            signature = {"inputs": {"x": "T"}, "outputs": {"low": "T", "width": "float64"}}
            steps = {
                "map": "least = x; most = x",
                "reduce": "least = minimum(a_least, b_least); most = maximum(a_most, b_most)",
                "post": "width = float64(most) - float64(least); low = least",
            }
            results = {"low": low.astype(dtype), "width": high.astype("f8") - low.astype("f8")}
            return {"signature": signature, "steps": steps, "operands": {"x": side}, "results": results}
        if kind == 3:
            # Neither associative nor commutative: only this very tree has the same bits.
            steps = {"map": "float64(x) * w + position", "reduce": "a * 0.5 + b * w", "post": "y = a"}
            signature = {"inputs": {"x": "T", "w": "float64"}, "outputs": {"y": "float64"}}
            w = number["number"]
            y = combined((x.astype("f8") * w + places,), lambda a, b: (a[0] * 0.5 + b[0] * w,))[0]
            return {"signature": signature, "steps": steps, "operands": {"x": side, "w": number}, "results": {"y": y}}
        if kind == 4 and len(shape) > 0:
            axis = self.count(0, len(shape) - 1)
            index = rows(np.arange(shape[axis]).reshape([-1 if i == axis else 1 for i in range(len(shape))]))
            steps = {"map": f"x > 0 ? i{axis} : -1", "reduce": "maximum(a, b)", "post": "y = a / count"}
            signature = {"inputs": {"x": "T"}, "outputs": {"y": "float64"}}
            y = combined((np.where(x > 0, index, -1),), lambda a, b: (np.maximum(a[0], b[0]),))[0] / count
            return {"signature": signature, "steps": steps, "operands": {"x": side}, "results": {"y": y}}
        steps = {"map": "x > w ? 1 : 0", "reduce": "a + b", "identity": 0, "post": "y = a; z = a == count"}
        signature = {"inputs": {"x": "float64", "w": "float64"}, "outputs": {"y": "int16", "z": "bool"}}
        y = (x.astype("f8") > number["number"]).sum(0)
        return {"signature": signature, "steps": steps, "operands": {"x": side, "w": number}, "results": {"y": y.astype("i2"), "z": y == count}}


def main():
    seed, count = map(int, sys.argv[1:])
    cases = Reductions(seed)
    np.seterr(all="ignore")
    while count > 0:
        try:
            case = cases.case()
        except Skip:
            continue
        print(json.dumps(case))
        count -= 1


if __name__ == "__main__":
    main()
