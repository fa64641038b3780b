"""Numbers and what NumPy makes of them in its widest floats, or mpmath: python mathematics.py SEED COUNT TYPE.

One JSON line a function of expressions: its name, and in base64 its operands, of TYPE (float32 or float64), and the results
as the sum of two float64, the second much smaller. COUNT random numbers of several kinds, and all special ones. NumPy has no
erf and no lgamma; mpmath computes them for some of the numbers.
"""

import base64
import json
import sys

import mpmath
import numpy as np

FUNCTIONS = "exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh".split()
SPECIAL = [0, 0.5, 1, 2, 3, 10, 1000, np.pi, np.pi / 2, 1e22, 5319372648326541 * 2.0**970, 6381956970095103 * 2.0**797]
SPECIAL += [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8, 171.6, 6.1, np.sqrt(2) - 1, 2.0**60, 2.0**500, 2.0**501, 2.5e305]
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


def erf(x):
    return mpmath.erf(x)


def lgamma(x):
    if mpmath.isinf(x):
        return mpmath.inf
    if x <= 0 and mpmath.isint(x):
        return mpmath.inf
    if x > 0:
        return mpmath.loggamma(x)
    return mpmath.log(mpmath.pi) - mpmath.log(abs(x * mpmath.sinpi(x))) - mpmath.loggamma(-x)


def show_exact(function, x):
    values = [mpmath.nan if np.isnan(one) else function(mpmath.mpf(float(one))) for one in x]
    high = np.array([float(one) for one in values])
    rest = [float(value - float(value)) if np.isfinite(one) else 0.0 for value, one in zip(values, high)]
    high = np.where((x == 0) & (high == 0), x, high)  # mpmath has no -0
    text_of = {"high": text(high), "low": text(np.array(rest))}
    print(json.dumps({"name": function.__name__, "operands": [text(x)], **text_of}))


def main():
    seed, count = (int(one) for one in sys.argv[1:3])
    dtype = np.dtype(sys.argv[3])
    if np.finfo(np.longdouble).nmant < 63:
        sys.exit("expected floats of 80 bits or more, got none on this machine")
    mpmath.mp.prec = 130
    rng = np.random.default_rng(seed)
    with np.errstate(all="ignore"):
        x = np.concatenate([special(dtype), random(rng, count, dtype)])
        for name in FUNCTIONS:
            show(name, [x], getattr(np, {"a": "arc"}.get(name[0], name[0]) + name[1:])(x.astype(np.longdouble)))
        few = np.concatenate([special(dtype), random(rng, count // 30, dtype)])
        show_exact(erf, few)
        show_exact(lgamma, few)
        y = exponents(rng, x, dtype)
        some = special(dtype)
        pairs = [np.concatenate([x, np.repeat(some, len(some))]), np.concatenate([y, np.tile(some, len(some))])]
        for name, function in {"pow": np.power, "atan2": np.arctan2, "hypot": np.hypot, "logaddexp": np.logaddexp}.items():
            show(name, pairs, function(*(one.astype(np.longdouble) for one in pairs)))


main()
