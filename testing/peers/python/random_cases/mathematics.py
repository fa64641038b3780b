"""Numbers and what NumPy makes of them in its widest floats: python mathematics.py SEED COUNT TYPE.

One JSON line a function of expressions: its name, and in base64 its operands, of TYPE (float32 or float64), and the results
as the sum of two float64, the second much smaller. COUNT random numbers of several kinds, and all special ones.
"""

import base64
import json
import sys

import numpy as np

FUNCTIONS = "exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh".split()
SPECIAL = [0, 0.5, 1, 2, 3, 10, 1000, np.pi, np.pi / 2, 1e22, 5319372648326541 * 2.0**970, 6381956970095103 * 2.0**797]
SPECIAL += [88.7, 103.98, 709.782712893384, 709.7827128933841, 710.475, 745.13, 745.14, 1074, 1075, np.inf, np.nan]


def special(dtype):
    limits = np.finfo(dtype)
    more = [limits.max, limits.tiny, limits.smallest_subnormal, 1 + limits.eps, 1 - limits.epsneg, limits.eps]
    values = np.array(SPECIAL + more).astype(dtype)
    return np.concatenate([values, -values])


def random(rng, count, dtype):
    part = count // 6
    bits = rng.integers(0, 256, part * np.dtype(dtype).itemsize, dtype="u1").view(dtype)
    sides = [
        bits,
        rng.uniform(-2, 2, part),
        rng.uniform(-750, 750, part),
        1 + rng.uniform(-0.5, 0.5, part) * 2.0 ** -rng.uniform(0, 50, part),
        rng.uniform(-1, 1, part) * 2.0 ** -rng.uniform(0, 60, part),
        rng.uniform(-1e6, 1e6, part),
    ]
    return np.concatenate([one.astype(dtype) for one in sides])


def exponents(rng, x, dtype):
    """Such that many powers are neither 0 nor infinite, and many exponents are whole."""
    most = 90 if dtype == np.float32 else 745
    by_size = rng.uniform(-most, most, len(x)) / np.log(np.abs(x.astype("f8")))
    kinds = [by_size, rng.integers(-20, 21, len(x)), rng.uniform(-4, 4, len(x)), rng.choice(special(dtype), len(x))]
    return np.choose(rng.integers(0, len(kinds), len(x)), kinds).astype(dtype)


def text(values):
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()


def show(name, operands, wide):
    high = wide.astype("f8")
    low = np.where(np.isfinite(high), wide - high, 0).astype("f8")
    print(json.dumps({"name": name, "operands": [text(one) for one in operands], "high": text(high), "low": text(low)}))


def main():
    seed, count = (int(one) for one in sys.argv[1:3])
    dtype = np.dtype(sys.argv[3])
    if np.finfo(np.longdouble).nmant < 63:
        sys.exit("expected floats of 80 bits or more, got none on this machine")
    rng = np.random.default_rng(seed)
    with np.errstate(all="ignore"):
        x = np.concatenate([special(dtype), random(rng, count, dtype)])
        for name in FUNCTIONS:
            show(name, [x], getattr(np, name)(x.astype(np.longdouble)))
        y = exponents(rng, x, dtype)
        some = special(dtype)
        pairs = [np.concatenate([x, np.repeat(some, len(some))]), np.concatenate([y, np.tile(some, len(some))])]
        show("pow", pairs, np.power(*(one.astype(np.longdouble) for one in pairs)))


main()
