"""Numbers and what mpmath makes of them: python mathematics.py SEED COUNT TYPE NAME...

One JSON line for each function of expressions, or the named ones: its name, and in base64 its operands of TYPE (float32 or
float64); the floats of that type that are nearest to the results, units in the last place of the results, and how many units the
results are above these floats, all as float64. COUNT random numbers of several kinds, and all special ones.
"""

import base64
import json
import math
import sys

import mpmath
import numpy as np
from mpmath import inf, mp, mpf, nan

mp.prec = 130

SPECIAL = [0, 0.5, 1, 2, 3, 10, 1000, np.pi, np.pi / 2, 1e22, 5319372648326541 * 2.0**970, 6381956970095103 * 2.0**797]
SPECIAL += [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8, 171.6, 6.1, np.sqrt(2) - 1, 2.0**60, 2.0**500, 2.0**501, 2.5e305]
SPECIAL += [88.7, 103.98, 709.782712893384, 709.7827128933841, 710.475, 745.13, 745.14, 1074, 1075, np.inf, np.nan]
SPECIAL += [2.4570247382208006, 2.7476826467274127, 3.14358088834998, 39.99999999999999]  # lgamma of their opposites is about 0
FORMATS = {np.dtype("float32"): (24, 128), np.dtype("float64"): (53, 1024)}
"""Digits of a float, and the exponent from which on it is infinite."""


def special(dtype):
    limits = np.finfo(dtype)
    more = [limits.max, limits.tiny, limits.smallest_subnormal, 1 + limits.eps, 1 - limits.epsneg, limits.eps]
    values = np.array(SPECIAL + more).astype(dtype)
    return np.concatenate([values, -values])


def random(rng, count, dtype):
    part = -(-count // 6)
    bits = rng.integers(0, 256, part * dtype.itemsize, dtype="u1").view(dtype)
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


def lgamma(x):
    if mpmath.isinf(x) or (x <= 0 and mpmath.isint(x)):
        return inf
    if x > 0:
        return mpmath.loggamma(x)
    with mp.workprec(260):  # around the roots, digits cancel out
        return mpmath.log(mp.pi) - mpmath.log(abs(x * mpmath.sinpi(x))) - mpmath.loggamma(-x)


def logaddexp(x, y):
    larger, smaller = max(x, y), min(x, y)
    if mpmath.isinf(larger) or mpmath.isinf(smaller):
        return larger
    with mp.workprec(260):
        return larger + mpmath.log1p(mpmath.exp(smaller - larger))


def power(x, y):
    size = mpmath.exp(y * mpmath.log(abs(x)))
    return -size if x < 0 and y % 2 == 1 else size


def hypot(x, y):
    return mpmath.sqrt(x * x + y * y)


FUNCTIONS = {name: getattr(mpmath, name) for name in "exp expm1 log log10 log1p sin cos tan sinh cosh tanh".split()}
FUNCTIONS |= {name: getattr(mpmath, name) for name in "asin acos atan asinh acosh atanh erf".split()}
FUNCTIONS |= {"exp2": lambda x: mpmath.exp(x * mp.ln2), "log2": lambda x: mpmath.log(x) / mp.ln2, "lgamma": lgamma}
PAIRED = {"pow": power, "atan2": mpmath.atan2, "hypot": hypot, "logaddexp": logaddexp}


def of_one(function, x):
    """mpmath has no zero with a sign, and complex results of what has no real one."""
    if np.isnan(x):
        return nan
    value = function(mpf(float(x)))
    if isinstance(value, mpmath.mpc):
        return nan
    return float(x) if value == 0 and x == 0 else value


def of_two(name, x, y):
    """Of zeros, infinities and what has no power: C's own, which is exact but for multiples of pi."""
    x, y = float(x), float(y)
    is_plain = math.isfinite(x) and math.isfinite(y) and x != 0 and y != 0
    if is_plain and not (name == "pow" and x < 0 and y != math.floor(y)):
        return PAIRED[name](mpf(x), mpf(y))
    function = {"pow": np.power, "atan2": np.arctan2, "hypot": np.hypot, "logaddexp": np.logaddexp}[name]
    own = float(function([x, 1], [y, 1])[0])  # NumPy takes the power 0.5 of all for a square root
    if name == "atan2" and own != 0 and math.isfinite(own):
        return mp.pi * round(own / math.pi * 4) / 4
    return logaddexp(mpf(x), mpf(y)) if name == "logaddexp" and math.isfinite(own) else own


def rounded(value, digits, end):
    """The nearest float to a number, its unit in the last place, and how many units the number is above it."""
    if isinstance(value, float) or not mpmath.isfinite(value) or value == 0:
        return float(value), 1.0, 0.0
    sign, man, exp, bc = (int(part) for part in value._mpf_)
    if exp + bc > end:
        return (-math.inf if sign else math.inf), 1.0, 0.0
    unit = max(exp + bc - digits, 3 - digits - end)
    lost = unit - exp
    if exp + bc < unit - 60:
        whole, rest = 0, 0.0
    elif lost <= 0:
        whole, rest = man << -lost, 0.0
    else:
        whole, left = man >> lost, man & ((1 << lost) - 1)
        is_up = (left << 1) + (whole & 1) > 1 << lost
        whole, rest = whole + is_up, left / (1 << lost) - is_up
    nearest = math.ldexp(whole, unit) if whole < 1 << digits or exp + bc < end else math.inf
    return (-nearest, 2.0**unit, -rest) if sign else (nearest, 2.0**unit, rest)


def text(values):
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()


def show(name, operands, values, dtype):
    nearest, units, rests = np.array([rounded(one, *FORMATS[dtype]) for one in values], "f8").T
    made = {"nearest": text(nearest), "units": text(units), "rests": text(rests)}
    print(json.dumps({"name": name, "operands": [text(one) for one in operands], **made}), flush=True)


def main():
    seed, count, dtype = int(sys.argv[1]), int(sys.argv[2]), np.dtype(sys.argv[3])
    names = sys.argv[4:] or [*FUNCTIONS, *PAIRED]
    rng = np.random.default_rng(seed)
    x = np.concatenate([special(dtype), random(rng, count, dtype)])
    with np.errstate(all="ignore"):
        y = exponents(rng, x, dtype)
        some = special(dtype)
        first = np.concatenate([x, np.repeat(some, len(some))])
        second = np.concatenate([y, np.tile(some, len(some))])
        for name in names:
            if name in FUNCTIONS:
                show(name, [x], [of_one(FUNCTIONS[name], one) for one in x], dtype)
            else:
                show(name, [first, second], [of_two(name, *pair) for pair in zip(first, second)], dtype)


if __name__ == "__main__":
    main()
