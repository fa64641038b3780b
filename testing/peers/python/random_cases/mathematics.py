"""Numbers and what MPFR and MPC make of them: python mathematics.py SEED COUNT TYPE NAME...

One JSON line for each function of expressions, or the named ones: its name, and in base64 its operands of TYPE (float32, float64,
complex64 or complex128); then for each result, and of complex ones for each part in turn, the nearest float of that type, a unit
in its last place, and how many units the result is above that float, all as float64. These units are NaN where C leaves the sign
open. COUNT random numbers of several kinds, and all special ones.

MPFR and MPC round correctly, and have the special values of C. The first results are compared with mpmath's.
"""

import base64
import json
import math
import sys

import gmpy2
import mpmath
import numpy as np
from gmpy2 import mpc, mpfr

gmpy2.get_context().precision = mpmath.mp.prec = 130
EXACT = gmpy2.context(precision=2300)
"""Holds the sum of 1 and any float, and what is left of e^x beside 1."""

SPECIAL = [0, 0.5, 1, 2, 3, 10, 1000, np.pi, np.pi / 2, 1e22, 5319372648326541 * 2.0**970, 6381956970095103 * 2.0**797]
SPECIAL += [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8, 171.6, 6.1, np.sqrt(2) - 1, 2.0**60, 2.0**500, 2.0**501, 2.5e305]
SPECIAL += [88.7, 103.98, 709.782712893384, 709.7827128933841, 710.475, 745.13, 745.14, 1074, 1075, np.inf, np.nan]
SPECIAL += [2.4570247382208006, 2.7476826467274127, 3.14358088834998, 39.99999999999999]  # lgamma of their opposites is about 0
FORMATS = {"float32": (24, 128), "float64": (53, 1024)}
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


def complex_numbers(rng, count, dtype):
    """Parts of like size, parts of any size, numbers on the unit circle, and all pairs of special ones."""
    part = -(-count // 3)
    angles, sizes = rng.uniform(-np.pi, np.pi, part), 1 + rng.uniform(-1, 1, part) * 2.0 ** -rng.uniform(0, 60, part)
    some = special(dtype)
    re = [random(rng, part, dtype), random(rng, part, dtype), sizes * np.cos(angles), np.repeat(some, len(some))]
    im = [random(rng, part, dtype), rng.permutation(random(rng, part, dtype)), sizes * np.sin(angles), np.tile(some, len(some))]
    return np.stack([np.concatenate(re), np.concatenate(im)], axis=1).astype(dtype).view(np.result_type(dtype, "c8"))[:, 0]


def logaddexp(x, y):
    if gmpy2.is_nan(x) or gmpy2.is_nan(y):
        return mpfr("nan")
    larger, smaller = max(x, y), min(x, y)
    if gmpy2.is_infinite(larger) or gmpy2.is_infinite(smaller):
        return larger + 0
    return EXACT.add(larger, EXACT.log1p(EXACT.exp(EXACT.sub(smaller, larger))))


def log2(z):
    value = gmpy2.log(z)
    return mpc(value.real / gmpy2.const_log2(), value.imag / gmpy2.const_log2())


def log1p(z):
    """By real functions: MPC loses digits beside 1."""
    if not (gmpy2.is_finite(z.real) and gmpy2.is_finite(z.imag)):
        return gmpy2.log(mpc(z.real + 1, z.imag))
    rest = EXACT.add(EXACT.mul(z.real, EXACT.add(z.real, 2)), EXACT.mul(z.imag, z.imag))
    return mpc(gmpy2.log1p(rest) / 2, gmpy2.atan2(z.imag, EXACT.add(z.real, 1)))


def exp2(z):
    """By real functions, of all digits of z ln 2."""
    if not gmpy2.is_finite(z.imag):
        return gmpy2.exp(z)
    re, im = (EXACT.mul(part, EXACT.const_log2()) for part in (z.real, z.imag))
    size = EXACT.exp(re)
    return mpc(EXACT.mul(size, EXACT.cos(im)), EXACT.mul(size, EXACT.sin(im))) if im != 0 else mpc(size, z.imag)


def expm1(z):
    return mpc(EXACT.sub(EXACT.exp(z).real, 1), gmpy2.exp(z).imag) if z != 0 else z


def tanh(z):
    """C17's of 0 and infinity, where MPC has NaN twice; and of large numbers, where a part of MPC's may have the wrong sign."""
    if z.real == 0 and not gmpy2.is_finite(z.imag):
        return mpc(z.real, math.nan)
    return gmpy2.tanh(mpc(max(-1e6, min(1e6, z.real)), z.imag) if gmpy2.is_finite(z.real) else z)


def tan(z):
    value = tanh(mpc(-z.imag, z.real))
    return mpc(value.imag, -value.real)


def acosh(z):
    return gmpy2.acosh(z) if z.real != 0 or not gmpy2.is_nan(z.imag) else mpc(math.nan, gmpy2.const_pi() / 2)


def power(z, w):
    """Of 0, NumPy's."""
    return z**w if z != 0 or w == 0 else mpc(0) if w.real > 0 else mpc(math.nan, math.nan)


def sign(z):
    size = gmpy2.hypot(z.real, z.imag)
    if gmpy2.is_infinite(z.real) != gmpy2.is_infinite(z.imag):
        return mpc(*(gmpy2.copy_sign(mpfr(gmpy2.is_infinite(part)), part) if gmpy2.is_infinite(part) else 0 for part in (z.real, z.imag)))
    return mpc(z.real / size, z.imag / size) if size != 0 else mpc(0)


NAMES = "exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh erf atan2 hypot".split()
REAL = {name: getattr(gmpy2, name) for name in NAMES}
REAL |= {"lgamma": lambda x: gmpy2.lgamma(x)[0], "pow": lambda x, y: x**y, "logaddexp": logaddexp}
NAMES = "exp log log10 sqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh".split()
COMPLEX = {name: getattr(gmpy2, name) for name in NAMES} | {
    "abs": lambda z: gmpy2.hypot(z.real, z.imag),
    **{"exp2": exp2, "log2": log2, "log1p": log1p, "expm1": expm1, "tan": tan, "tanh": tanh, "acosh": acosh, "sign": sign, "pow": power},
}
PAIRED = {"pow", "atan2", "hypot", "logaddexp"}
OF_LENGTH = {"expm1": lambda z: 1, "pow": lambda z, w: 1 + np.abs(np.nan_to_num(w * np.log(z.astype("c16")), nan=0, posinf=0, neginf=0))}
"""Complex functions whose errors are in units of the result's length, and times how many units."""
WITH_OPEN_SIGNS = set(COMPLEX) - {"log", "log2", "log10", "log1p", "abs", "sign", "pow"}


def rounded(value, digits, end):
    """The nearest float to a number, its unit in the last place, and how many units the number is above it."""
    if value == 0 or not gmpy2.is_finite(value):
        return float(value), 1.0, 0.0
    man, exp = (int(part) for part in value.as_mantissa_exp())
    is_below, man = man < 0, abs(man)
    bits = man.bit_length()
    unit = max(exp + bits - digits, 3 - digits - end)
    lost = unit - exp
    if lost > bits + 60:
        whole, rest = 0, 0.0
    elif lost <= 0:
        whole, rest = man << -lost, 0.0
    else:
        whole, left = man >> lost, man & ((1 << lost) - 1)
        is_up = (left << 1) + (whole & 1) > 1 << lost
        whole, rest = whole + is_up, left / (1 << lost) - is_up
    if unit + whole.bit_length() > end:
        # The unit counts in the length of a complex number, of which the other part may be finite.
        return (-math.inf if is_below else math.inf), 2.0 ** min(unit, 1023), 0.0
    nearest = math.ldexp(whole, unit)
    return (-nearest, 2.0**unit, -rest) if is_below else (nearest, 2.0**unit, rest)


def in_mpmath(value):
    if isinstance(value, mpfr):
        return mpmath.mpf(tuple(int(part) for part in value.as_mantissa_exp()))
    return mpmath.mpc(in_mpmath(value.real), in_mpmath(value.imag))


MPMATH = {
    "abs": abs,
    "exp2": lambda x: 2**x,
    "log2": lambda x: mpmath.log(x, 2),
    "lgamma": lambda x: mpmath.log(abs(mpmath.gamma(x))),
    "logaddexp": lambda x, y: mpmath.log(mpmath.exp(x) + mpmath.exp(y)),
    "pow": mpmath.power,
}


def compare_with_mpmath(name, operands, values):
    """Exits if what MPFR and MPC make of numbers of usual size, beside no cut, is not what mpmath makes of them."""
    for *given, value in zip(*operands, values):
        parts = [part for one in given for part in (one.real, one.imag)]
        is_usual = all(1e-3 < abs(part) < 100 for part in (parts if isinstance(given[0], mpc) else given))
        if not (is_usual and gmpy2.is_finite(value)):
            continue
        own = MPMATH.get(name) or getattr(mpmath, name)
        numbers = [in_mpmath(one) for one in given]
        made, expected = in_mpmath(value), own(*numbers)
        if abs(made - expected) > mpmath.ldexp(1 + abs(expected), -80):
            sys.exit(f"{name}{tuple(given)}: MPFR makes {value}, and mpmath {expected}")


def text(values):
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()


def is_open(name, z):
    """Whether C leaves signs open: of NaN, and of what is infinite beside 0 or something infinite."""
    infinite = [math.isinf(part) for part in (z.real, z.imag)]
    is_lost = z != z or all(infinite) or (any(infinite) and 0 in (z.real, z.imag))
    return name in WITH_OPEN_SIGNS and is_lost


def show(name, operands, dtype):
    of = mpc if dtype.kind == "c" else mpfr
    given = [[of(one) for one in operand.tolist()] for operand in operands]
    values = [(COMPLEX if dtype.kind == "c" else REAL)[name](*one) for one in zip(*given)]
    compare_with_mpmath(name, [operand[:2000] for operand in given], values[:2000])
    if isinstance(values[0], mpc):
        parts = [part for value in values for part in (value.real, value.imag)]
    else:
        parts = values
    digits, end = FORMATS[operands[0].real.dtype.name]
    nearest, units, rests = np.array([rounded(one, digits, end) for one in parts], "f8").T.copy()
    if dtype.kind == "c" and len(operands) == 1:
        lost = np.array([is_open(name, one) for one in operands[0].tolist()])
        units[np.repeat(lost, len(parts) // len(values))] = np.nan
    if dtype.kind == "c" and name in OF_LENGTH:
        wide = np.repeat(units.reshape(-1, 2).max(axis=1) * OF_LENGTH[name](*operands), 2)
        rests, units = rests * units / wide, wide
    made = {"nearest": text(nearest), "units": text(units), "rests": text(rests)}
    print(json.dumps({"name": name, "operands": [text(one) for one in operands], **made}), flush=True)


def real_operands(rng, count, dtype):
    x = np.concatenate([special(dtype), random(rng, count, dtype)])
    some, y = special(dtype), exponents(rng, x, dtype)
    return [np.concatenate([x, np.repeat(some, len(some))]), np.concatenate([y, np.tile(some, len(some))])]


def complex_operands(rng, count, dtype):
    z = complex_numbers(rng, count, np.dtype(f"f{dtype.itemsize // 2}"))
    w = rng.uniform(-4, 4, (len(z), 2)) * 2.0 ** -rng.uniform(0, 20, (len(z), 1))
    return [z, w.astype(z.real.dtype).view(dtype)[:, 0]]


def main():
    seed, count, dtype = int(sys.argv[1]), int(sys.argv[2]), np.dtype(sys.argv[3])
    rng = np.random.default_rng(seed)
    with np.errstate(all="ignore"):
        operands = (complex_operands if dtype.kind == "c" else real_operands)(rng, count, dtype)
        for name in sys.argv[4:] or (COMPLEX if dtype.kind == "c" else REAL):
            given = operands if name in PAIRED else operands[:1]
            if dtype.kind == "c" and name == "pow":
                given = [operand[np.isfinite(operands[0])] for operand in given]  # C leaves the others open
            show(name, given, dtype)


main()
