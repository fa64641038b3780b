"""Complex numbers and what mpmath makes of them: python complex_mathematics.py SEED COUNT TYPE NAME...

As mathematics.py, for TYPE complex64 or complex128: operands and results are the real and the imaginary parts in turn. Results are
made of real functions, by formulas in which no digits cancel out, since mpmath's own lose some of a part that is small. Zeros,
infinities and NaN are NumPy's, which are C's, but for signs that C leaves open.
"""

import sys

import mpmath
import numpy as np
from mathematics import random, show, special
from mpmath import fadd, fmul, mp, mpc, mpf

mp.prec = 200


def square(x):
    return fmul(x, x, exact=True)


def total(first, *others):
    return fadd(first, total(*others), exact=True) if others else first


def half_log(rest):
    """Half the logarithm of 1 + rest, of any size."""
    return mpmath.log1p(rest) / 2 if abs(rest) < 0.5 else mpmath.log(+fadd(rest, 1, exact=True)) / 2


def log(x, y):
    return half_log(total(square(x), square(y), mpf(-1))), mpmath.atan2(y, x)


def log1p(x, y):
    return half_log(total(2 * x, square(x), square(y))), mpmath.atan2(y, total(x, mpf(1)))


def sinh(x, y):
    return mpmath.sinh(x) * mpmath.cos(y), mpmath.cosh(x) * mpmath.sin(y)


def cosh(x, y):
    return mpmath.cosh(x) * mpmath.cos(y), mpmath.sinh(x) * mpmath.sin(y)


def tanh(x, y):
    if abs(x) > 2000:
        return mpmath.sign(x) * mpf(1), mpf(0) * mpmath.sin(2 * y)
    under = mpmath.sinh(x) ** 2 + mpmath.cos(y) ** 2
    return mpmath.sinh(x) * mpmath.cosh(x) / under, mpmath.sin(y) * mpmath.cos(y) / under


def exp(x, y):
    return mpmath.exp(x) * mpmath.cos(y), mpmath.exp(x) * mpmath.sin(y)


def of_imaginary(function):
    """-i * function(i * z)."""

    def turned(x, y):
        re, im = function(-y, x)
        return im, -re

    return turned


def sqrt(x, y):
    root = mpmath.sqrt((abs(x) + mpmath.hypot(x, y)) / 2)
    return (root, y / (2 * root)) if x > 0 else (y / (2 * root), root)


def sign(x, y):
    return x / mpmath.hypot(x, y), y / mpmath.hypot(x, y)


def scaled(function, factor):
    return lambda x, y: [part * factor for part in function(x, y)]


FUNCTIONS = {"exp": exp, "log": log, "log1p": log1p, "sqrt": sqrt, "sign": sign, "sinh": sinh, "cosh": cosh, "tanh": tanh}
FUNCTIONS |= {"log2": scaled(log, 1 / mpmath.log(2)), "log10": scaled(log, 1 / mpmath.log(10))}
FUNCTIONS |= {"sin": of_imaginary(sinh), "tan": of_imaginary(tanh), "cos": lambda x, y: cosh(-y, x)}


def numbers(rng, count, dtype):
    """Parts of like size, parts of any size, and numbers on the unit circle."""
    part = -(-count // 3)
    angles, sizes = rng.uniform(-np.pi, np.pi, part), 1 + rng.uniform(-1, 1, part) * 2.0 ** -rng.uniform(0, 60, part)
    re = [random(rng, part, dtype), random(rng, part, dtype), (sizes * np.cos(angles)).astype(dtype)]
    im = [random(rng, part, dtype), rng.permutation(random(rng, part, dtype)), (sizes * np.sin(angles)).astype(dtype)]
    some = special(dtype)
    re, im = np.concatenate([*re, np.repeat(some, len(some))]), np.concatenate([*im, np.tile(some, len(some))])
    return re, im


def length(x, y):
    return mpmath.hypot(mpf(x), mpf(y)) if np.isfinite(x) and np.isfinite(y) else np.hypot(x, y)


def power(z, w, known):
    """The parts of a power, and how many times a unit of its size each error of w * log(z) is."""
    if z == 0 or w == 0 or not (np.isfinite(z) and np.isfinite(w)):
        return (known.real, known.imag), 1
    re, im = log(mpf(z.real), mpf(abs(z.imag)))
    by = mpc(w) * mpc(re, -im if np.signbit(z.imag) else im)
    value = mpmath.exp(by)
    return (value.real, value.imag), 1 + abs(by)


def parts_of(name, x, y, known):
    """The two parts of a result, of which NumPy says where they are 0, infinite or none."""
    own = known.real, known.imag
    if not (np.isfinite(x) and np.isfinite(y)) or (x == 0 and y == 0):
        return [float(part) for part in own]
    re, im = FUNCTIONS[name](mpf(float(x)), mpf(abs(float(y))))
    exact = re, -im if np.signbit(y) else im
    return [float(zero) if part == 0 else part for part, zero in zip(exact, own)]


def main():
    seed, count, dtype = int(sys.argv[1]), int(sys.argv[2]), np.dtype(sys.argv[3])
    names = sys.argv[4:] or [*FUNCTIONS, "abs"]
    rng = np.random.default_rng(seed)
    part = np.dtype("f4" if dtype == np.complex64 else "f8")
    with np.errstate(all="ignore"):
        re, im = numbers(rng, count, part)
        z = np.stack([re, im], axis=1).view(dtype)[:, 0]
        for name in names:
            if name == "abs":
                show(name, [z], [length(float(x), float(y)) for x, y in zip(re, im)], part)
                continue
            known = getattr(np, name)(z.astype("c16"))
            pairs = [parts_of(name, *one) for one in zip(re, im, known)]
            show(name, [z], [one for pair in pairs for one in pair], part)


main()
