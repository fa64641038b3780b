"""Random expressions of arrays and numbers, and what NumPy makes of them: python expressions.py SEED COUNT.

One JSON line a case: the text, its operands (arrays of any layout over bytes of their own, in base64, and numbers), and the
typestr, shape and elements of the result. Where docs/internals/adr/0035-expressions.md defines what NumPy leaves open or
does otherwise, the function here says so.
"""

import base64
import json
import math
import sys

import numpy as np

TYPES = "|b1 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8 <c8 <c16".split()
OTHER_ORDER = ">i2 >u4 >i8 >f4 >f8 >c8".split()
NAMES = {np.dtype(t).name: np.dtype(t) for t in TYPES}
SMALL = (np.dtype("b1"), np.dtype("i1"), np.dtype("u1"))


class Skip(Exception):
    """NumPy or the language has no such operation."""


class Node:
    """A part of a text. `value` has float32 for float16, which is computed in it; `probe` has the true types."""

    def __init__(self, text, value, probe):
        self.text, self.value, self.probe = text, value, probe

    @property
    def is_weak(self):
        return not isinstance(self.probe, (np.ndarray, np.generic))

    @property
    def kind(self):
        return np.asarray(self.probe).dtype.kind


def widened(x):
    """NumPy computes functions of small integers in float16, and they are computed in float32 here."""
    x = np.asarray(x)
    return x.astype("f4") if x.dtype in SMALL else x


def fit(*operands):
    """Raises if an array cannot hold an integer beside it."""
    for one in operands:
        for other in operands:
            if type(one) is int and isinstance(other, (np.ndarray, np.generic)) and other.dtype.kind in "iu":
                other.dtype.type(one)


def kind_of(*values):
    return np.result_type(*values).kind


def parts(x, dtype):
    x = np.asarray(x).astype(dtype)
    return x.real, x.imag


def join(re, im, dtype):
    made = np.empty(np.broadcast(re, im).shape, dtype)
    made.real, made.imag = re, im
    return made


def multiply(a, b):
    if kind_of(a, b) != "c":
        return a * b
    dtype = np.result_type(a, b)
    (ar, ai), (br, bi) = parts(a, dtype), parts(b, dtype)
    return join(ar * br - ai * bi, ar * bi + ai * br, dtype)


def divide(a, b):
    if kind_of(a, b) != "c":
        return a / b
    dtype = np.result_type(a, b)
    (ar, ai), (br, bi) = parts(a, dtype), parts(b, dtype)
    wide = abs(br) >= abs(bi)
    large, small = np.where(wide, br, bi), np.where(wide, bi, br)
    ratio = small / large
    scale = 1 / (large + small * ratio)
    top = np.where(wide, ar + ai * ratio, ar * ratio + ai)
    side = np.where(wide, ai - ar * ratio, ai * ratio - ar)
    none = (br == 0) & (bi == 0)
    return join(np.where(none, ar / abs(br), top * scale), np.where(none, ai / abs(br), side * scale), dtype)


def power(a, b):
    dtype = np.result_type(a, b)
    if dtype.kind == "f" and kind_of(a) in "biu" and kind_of(b) in "biu":
        raise Skip  # uint64 and a signed integer: a power of floats
    if dtype.kind not in "biu" or not isinstance(np.asarray(b + 0), np.ndarray):
        # NumPy's power of complex numbers is not exact for these exponents.
        ways = {2: lambda: multiply(a, a), 1: lambda: a, 0: lambda: np.ones_like(a), -1: lambda: divide(1, a)}
        return ways[b]() if dtype.kind == "c" else a**b
    if isinstance(a, int) and isinstance(b, int):
        return a**b
    fit(a, b)
    dtype = np.dtype("i1") if dtype.kind == "b" else dtype
    a, b = np.broadcast_arrays(np.asarray(a).astype(dtype), np.asarray(b).astype(dtype))
    made = np.power(a, np.where(b < 0, 0, b).astype(dtype))
    odd = np.where(b % 2 != 0, -1, 1)
    small = np.where(a == 1, 1, np.where(a == -1, odd, 0)) if dtype.kind == "i" else 0
    return np.where(b < 0, small, made).astype(dtype)


def extreme(which):
    def apply(a, b):
        if kind_of(a, b) == "c":
            raise Skip
        made = (np.minimum if which == "minimum" else np.maximum)(a, b)
        if made.dtype.kind != "f":
            return made
        a, b = np.broadcast_arrays(np.asarray(a).astype(made.dtype), np.asarray(b).astype(made.dtype))
        sign = np.signbit(a) | np.signbit(b) if which == "minimum" else np.signbit(a) & np.signbit(b)
        zero = np.where(sign, made.dtype.type(-0.0), made.dtype.type(0.0))
        return np.where((a == 0) & (b == 0), zero, made)

    return apply


def clip(x, low, high):
    dtype = np.result_type(x, low, high)
    if dtype.kind == "c":
        raise Skip
    fit(x, low, high)
    x, low, high = (np.asarray(one).astype(dtype) for one in (x, low, high))
    return extreme("minimum")(extreme("maximum")(x, low), high)


def cast(name):
    def apply(x, probing=False):
        x, to = np.asarray(x), NAMES[name]
        if to.kind == "b":
            return x != 0
        if x.dtype.kind == "c" and to.kind != "c":
            x = x.real
        if x.dtype.kind == "f" and to.kind in "iu":
            limits = np.iinfo(to)
            low, high = x <= float(limits.min), x >= float(limits.max) + (1 if to.itemsize < 8 else 0)
            inside = np.where(low | high | np.isnan(x), 0, x).astype(to)
            return np.where(low, limits.min, np.where(high, limits.max, inside)).astype(to)
        made = x.astype(to)
        return made if probing or name != "float16" else made.astype("f4")

    apply.probes = True
    return apply


def of_floats(function):
    """A function that NumPy computes in a float type, chosen by its operands."""

    def apply(*operands, probing=False):
        if kind_of(*operands) == "c":
            raise Skip
        if all(not isinstance(one, (np.ndarray, np.generic)) for one in operands):
            return function(*(np.float64(one) for one in operands))
        dtype = np.result_type(*operands)
        if not probing and dtype in SMALL:
            operands = [np.asarray(one).astype("f4") for one in operands]
        return function(*operands)

    apply.probes = True
    return apply


def real_only(function):
    def apply(*operands):
        if kind_of(*operands) == "c":
            raise Skip
        return function(*operands)

    return apply


def whole(function):
    """Integers are whole. NumPy rounds complex numbers, too, and refuses to cut them."""

    def apply(x):
        x = np.asarray(x)
        return x if x.dtype.kind in "biu" else function(x)

    return apply


def where(condition, a, b):
    fit(a, b)
    return np.where(np.asarray(condition) != 0, a, b)


def without_nan_sign(x):
    return np.signbit(x) & ~np.isnan(x)


def copysign(a, b):
    made = np.copysign(a, b)
    return np.where(np.isnan(b), abs(made), made).astype(made.dtype)


def next_after(a, b, probing=False):
    """In the operands' own type: float16 is no float32 here."""
    dtype = np.result_type(a, b) if probing else next_after.dtype
    if dtype.kind == "c":
        raise Skip
    if probing:
        made = of_floats(np.nextafter)(a, b, probing=True)
        next_after.dtype = np.asarray(made).dtype
        return made
    one, other = np.asarray(a).astype(dtype), np.asarray(b).astype(dtype)
    # Of two zeros, C's function and NumPy's of other types return the second.
    made = np.where(one == other, other, np.nextafter(one, other))
    return made.astype("f4") if dtype == "f2" else made


next_after.probes = True


def sign(x):
    x = np.asarray(x)
    if x.dtype.kind in "bc":
        raise Skip
    return np.sign(x)


def conj(x):
    x = np.asarray(x)
    return x if x.dtype.kind != "c" else np.conj(x)


def magnitude(x):
    if kind_of(x) == "c":
        raise Skip
    return abs(x)


# name: how it is written, how many operands, what NumPy does
OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": multiply,
    "/": divide,
    "//": real_only(lambda a, b: a // b),
    "%": real_only(lambda a, b: a % b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": real_only(lambda a, b: a < b),
    "<=": real_only(lambda a, b: a <= b),
    ">": real_only(lambda a, b: a > b),
    ">=": real_only(lambda a, b: a >= b),
    "&&": np.logical_and,
    "||": np.logical_or,
}
UNARY = {"-": lambda a: -a, "~": lambda a: ~a, "!": np.logical_not, "+": lambda a: a}
FUNCTIONS = {
    "abs": (1, magnitude),
    "ceil": (1, whole(np.ceil)),
    "floor": (1, whole(np.floor)),
    "trunc": (1, whole(np.trunc)),
    "round": (1, whole(np.rint)),
    "sqrt": (1, of_floats(np.sqrt)),
    "square": (1, lambda x: multiply(x, x)),
    "sign": (1, sign),
    "signbit": (1, of_floats(without_nan_sign)),
    "isnan": (1, np.isnan),
    "isinf": (1, np.isinf),
    "isfinite": (1, np.isfinite),
    "real": (1, np.real),
    "imag": (1, np.imag),
    "conj": (1, conj),
    "copysign": (2, of_floats(copysign)),
    "nextafter": (2, next_after),
    "minimum": (2, extreme("minimum")),
    "maximum": (2, extreme("maximum")),
    "logical_xor": (2, np.logical_xor),
    "clip": (3, clip),
    "where": (3, where),
    **{name: (1, cast(name)) for name in NAMES},
}
LITERALS = ["0", "1", "2", "3", "7", "100", "-1", "0.5", "2.0", "-0.1", "1e-3", "3.75", "255", "1e300", "true", "pi", "inf", "nan"]
VALUES = {"true": True, "pi": math.pi, "inf": math.inf, "nan": math.nan}


class Cases:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def one_of(self, values):
        return values[int(self.random.integers(len(values)))]

    def count(self, low, high):
        return int(self.random.integers(low, high + 1))

    def elements(self, shape, dtype):
        """Small numbers, special ones and any others."""
        if dtype.kind == "b":
            return self.random.integers(0, 2, shape).astype(dtype)
        small = self.random.integers(0 if dtype.kind == "u" else -9, 10, shape)
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            any_ = self.random.integers(limits.min, limits.max, shape, dtype, endpoint=True)
            edges = self.random.choice(np.array([limits.min, limits.max, limits.max - 1, 0, 1], dtype), shape)
            return self.mixed(shape, [small.astype(dtype), any_, edges])
        if dtype.kind == "c":
            part = np.dtype(f"f{dtype.itemsize // 2}")
            return join(self.elements(shape, part), self.elements(shape, part), dtype)
        raw = self.random.integers(0, 256, (*shape, dtype.itemsize)).astype("u1")
        bits = np.ascontiguousarray(raw).view(dtype).reshape(shape)
        special = self.random.choice(np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 0.5, -2.5, 1e-7, -1e-42, 1e38, 3e9, -1e19]).astype(dtype), shape)
        return self.mixed(shape, [small.astype(dtype), self.random.normal(0, 3, shape).astype(dtype), bits, special])

    def mixed(self, shape, choices):
        which = self.random.integers(0, len(choices), shape)
        if self.count(0, 2) == 0:
            which = np.full(shape, self.count(0, len(choices) - 1))
        return np.choose(which, choices)

    def array(self, shape, dtype):
        """An array over bytes of its own, with strides of all kinds. Returns it and how it is laid out."""
        order = list(range(len(shape)))[::-1] if self.count(0, 1) else list(self.random.permutation(len(shape)))
        is_dense = self.count(0, 2) == 0
        gaps = [0] if is_dense else [0, 0, 0, dtype.itemsize, 2 * dtype.itemsize, 3]
        strides, span, start = [0] * len(shape), dtype.itemsize, 0
        for axis in order:
            step = span + self.one_of(gaps)
            if not is_dense and self.count(0, 9) == 0:
                continue
            if not is_dense and self.count(0, 3) == 0:
                strides[axis] = -step
                start += max(0, shape[axis] - 1) * step
            else:
                strides[axis] = step
            span = step * max(1, shape[axis])
        offset = start + (0 if is_dense else self.one_of([0, 0, dtype.itemsize, 1]))
        data = bytearray(offset + span + 8)
        made = np.ndarray(shape, dtype, data, offset, strides)
        values = self.elements(shape, dtype.newbyteorder("="))
        for axis, stride in enumerate(strides):
            if stride == 0 and shape[axis] > 1:
                values = np.broadcast_to(values.take([0], axis), shape)
        made[...] = values
        side = {"typestr": dtype.str, "shape": shape, "strides": strides, "offset": offset}
        return made, {**side, "data": base64.b64encode(data).decode()}

    def operands(self, shape):
        sides, nodes = {}, []
        for index in range(self.count(1, 4)):
            name = "xyzw"[index]
            if index > 0 and self.count(0, 4) == 0:
                number = self.one_of([2, 5, 100, True, False, 0.25, -1.5, 3.0, 1e-30])
                is_int = isinstance(number, int) and not isinstance(number, bool)
                sides[name] = {"number": {"$int": str(number)} if is_int else number}
                nodes.append(Node(name, number, number))
                continue
            own = shape if index == 0 else tuple(1 if self.count(0, 3) == 0 else n for n in shape)[self.count(0, min(1, len(shape))) :]
            dtype = np.dtype(self.one_of(OTHER_ORDER if self.count(0, 19) == 0 else TYPES))
            made, sides[name] = self.array(own, dtype)
            native = np.array(made, dtype.newbyteorder("="))
            value = native.astype("f4") if dtype.kind == "f" and dtype.itemsize == 2 else native
            nodes.append(Node(name, np.atleast_1d(value), np.ones(1, dtype.newbyteorder("="))))
        if len(shape) > 0 and self.count(0, 9) == 0:
            axis = self.count(0, len(shape) - 1)
            index = np.broadcast_to(np.expand_dims(np.arange(shape[axis]), tuple(i for i in range(len(shape)) if i != axis)), shape)
            nodes.append(Node(f"i{axis}", index, np.ones(1, "i8")))
        return sides, nodes

    def leaf(self, nodes):
        if self.count(0, 4) == 0:
            text = self.one_of(LITERALS)
            value = VALUES[text] if text in VALUES else (float(text) if "." in text or "e" in text else int(text))
            return Node(text if text[0] != "-" else f"({text})", value, value)
        return self.one_of(nodes)

    def tree(self, nodes, left):
        """Of `left` operations at most, at least one of whose operands is no literal."""
        if left == 0:
            return self.one_of([node for node in nodes])
        kind = self.count(0, 9)
        rest = left - 1
        if kind == 0:
            symbol = self.one_of(list(UNARY))
            return self.apply(f"{symbol}{{}}", UNARY[symbol], [self.tree(nodes, rest)])
        if kind == 1:
            base = self.tree(nodes, rest)
            if base.kind in "biu":
                small = [self.one_of([0, 1, 2, 3, 5, -1, -2])]
                exponent = Node(str(small[0]), small[0], small[0]) if self.count(0, 1) else self.leaf(nodes)
                if exponent.kind not in "biu":
                    raise Skip
                return self.apply("{} ** {}", power, [base, exponent])
            exponent = self.one_of([-1, 0, 0.5, 1, 2, 2.0]) if base.kind == "f" else self.one_of([0, 1, 2, -1])
            return self.apply("{} ** {}", power, [base, Node(str(exponent), exponent, exponent)])
        if kind <= 3:
            name = self.one_of(list(FUNCTIONS))
            count, function = FUNCTIONS[name]
            first = self.tree(nodes, rest // count)
            others = [self.tree(nodes, rest // count) if self.count(0, 1) else self.leaf(nodes) for _ in range(count - 1)]
            return self.apply(f"{name}({', '.join(['{}'] * count)})", function, [first, *others], closed=True)
        if kind == 4:
            three = [self.tree(nodes, rest // 3), self.leaf(nodes), self.tree(nodes, rest // 3)]
            return self.apply("{} ? {} : {}", FUNCTIONS["where"][1], three)
        symbol = self.one_of(list(OPERATORS))
        some = self.count(0, rest)
        both = [self.tree(nodes, some), self.tree(nodes, rest - some) if self.count(0, 2) else self.leaf(nodes)]
        if self.count(0, 1):
            both.reverse()
        return self.apply(f"{{}} {symbol} {{}}", OPERATORS[symbol], both)

    def apply(self, form, function, nodes, closed=False):
        if all(node.is_weak for node in nodes):
            raise Skip
        probing = {"probing": True} if hasattr(function, "probes") else {}
        probe = function(*(node.probe for node in nodes), **probing)
        value = function(*(node.value for node in nodes))
        texts = [node.text if closed or node.text.isidentifier() else f"({node.text})" for node in nodes]
        return Node(form.format(*texts), value, np.asarray(probe))

    def case(self):
        shape = tuple(self.count(1, 5) if self.count(0, 19) else 0 for _ in range(self.count(0, 3)))
        if self.count(0, 19) == 0:
            shape = (self.count(500, 1500),)
        sides, nodes = self.operands(shape)
        made = self.tree(nodes, self.count(1, 12))
        used = {name: side for name, side in sides.items() if name in made.text.replace("(", " ").replace(")", " ").replace(",", " ").replace("~", " ").replace("!", " ").replace("-", " ").replace("+", " ").split()}
        if "x" not in used or made.is_weak:
            raise Skip
        dtype = np.asarray(made.probe).dtype
        if dtype == np.float32 and made.text in NAMES:
            raise Skip
        result = np.array(np.broadcast_to(made.value, shape or (1,))).astype(dtype).reshape(shape)
        for part in [result.real, result.imag] if dtype.kind == "c" else [result] if dtype.kind == "f" else []:
            part[np.isnan(part)] = np.nan
        data = base64.b64encode(np.ascontiguousarray(result).tobytes()).decode()
        return {"text": made.text, "operands": used, "typestr": dtype.str, "shape": shape, "data": data}


def main():
    seed, count = map(int, sys.argv[1:])
    cases = Cases(seed)
    np.seterr(all="ignore")
    while count > 0:
        try:
            case = cases.case()
        except (Skip, TypeError, OverflowError, ZeroDivisionError, ValueError):
            continue
        print(json.dumps(case))
        count -= 1


if __name__ == "__main__":
    main()
