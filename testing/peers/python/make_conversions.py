"""Writes what NumPy makes of numbers of every type as every other, which casting rules allow it, and what
two types are promoted to.

python make_conversions.py CONVERSIONS CASTING PROMOTION ROUNDINGS: JSON files, the same for the same
version of NumPy, and laid out as the formatter does it, so that they are the files of the checkout.
A float that an integer cannot hold is left out, as NumPy's answer differs between machines; so are
NaNs, whose bits do. Powers of ten come from a table: NumPy's own differ with the vectors of the machine.
"""

import base64
import itertools
import json
import sys
import warnings
from pathlib import Path

import numpy as np

TYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
FLOATS = ["f2", "f4", "f8"]
INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
RULES = ["no", "equiv", "safe", "same_kind", "unsafe"]
SCALARS = {"boolean": True, "bigint": 1, "number": 1.0}
COUNT = 16
LINE_WIDTH = 100
POWERS = np.array([float(f"1e{exponent}") for exponent in range(-9, 9)])


def numbers(dtype, random):
    """Some numbers of a type: small, large, at the limits, with and without a fraction."""
    if dtype.kind == "b":
        return random.integers(0, 2, COUNT * 4).astype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        edges = np.array([limits.min, limits.max, 0, 1], dtype)
        bits = random.integers(0, 256, COUNT * 3 * dtype.itemsize, dtype=np.uint8).view(dtype)
        return np.concatenate([edges, bits, random.integers(0, 100, COUNT).astype(dtype)])
    size = COUNT * (2 if dtype.kind == "c" else 1)
    parts = np.concatenate(
        [
            random.normal(size=size),
            np.round(random.normal(size=size) * 60) / 4,
            random.normal(size=size) * POWERS[random.integers(-9, 9, size) + 9],
            np.array([0.0, -0.0, np.inf, -np.inf, 65504, 65519.9, 65520, 2.0**-24, 2.0**-25, 2.0**31]),
        ]
    )
    real = f"f{dtype.itemsize // (2 if dtype.kind == 'c' else 1)}"
    with np.errstate(over="ignore"):
        parts = parts.astype(real)
    return parts.view(dtype) if dtype.kind == "c" else parts


def fits(values, dtype):
    """Which of the values the type can hold, so that NumPy defines the result."""
    if dtype.kind not in "iu" or values.dtype.kind not in "fc":
        return np.ones(len(values), bool)
    real = np.trunc(values.real.astype("f8"))
    bits = 8 * dtype.itemsize - (dtype.kind == "i")
    return np.isfinite(real) & (real >= np.iinfo(dtype).min) & (real < 2.0**bits)


def conversion(source, target, random):
    """One pair, in random byte orders: typestrs, and both sides' bytes."""
    from_type, to_type = (np.dtype(random.choice(["<", ">"]) + name) for name in (source, target))
    values = numbers(np.dtype(source), random)
    values = random.permutation(values[fits(values, np.dtype(target))])[:COUNT].astype(from_type)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        results = values.astype(to_type)
    texts = [base64.b64encode(array.tobytes()).decode() for array in (values, results)]
    return [from_type.str, to_type.str, *texts]


def rounding(source, target, random):
    """Floats as the nearest integers, as np.rint makes them; those beyond the limits are clipped."""
    from_type, to_type = (np.dtype(random.choice(["<", ">"]) + name) for name in (source, target))
    limits = np.iinfo(target)
    bits = 8 * to_type.itemsize - (to_type.kind == "i")
    whole = random.integers(-300, 300, COUNT)
    edges = np.array([limits.min, limits.max, 2.0**bits, 2.0 ** (bits - 1)], "f8")
    near = np.concatenate([whole, edges])
    special = [0.5, -0.5, 1.5, 2.5, -0.0, np.nan, np.inf, -np.inf, 1e30, -1e30, 0.49999999999999994]
    parts = [near + 0.5, near, np.nextafter(near + 0.5, -np.inf), random.normal(size=COUNT) * 100]
    real = np.concatenate([*parts, special]).astype(source)
    rounded = np.rint(real)
    wide = rounded.astype("f8")
    results = np.zeros(len(real), target)
    fits = (wide >= float(limits.min)) & (wide < 2.0**bits)
    results[fits] = rounded[fits].astype(target)
    results[wide >= 2.0**bits] = limits.max
    results[wide < float(limits.min)] = limits.min
    texts = [real.astype(from_type), results.astype(to_type)]
    return [from_type.str, to_type.str, *(base64.b64encode(one.tobytes()).decode() for one in texts)]


def laid_out(rows):
    """Lists of texts as JSON: a row on one line if it fits, else an entry on each line."""
    lines = []
    for row in rows:
        entries = [json.dumps(entry) for entry in row]
        line = f"  [{', '.join(entries)}]"
        whole = "  [\n    " + ",\n    ".join(entries) + "\n  ]"
        lines.append(line if len(line) < LINE_WIDTH else whole)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main():
    random = np.random.default_rng(20261121)
    np.seterr(all="ignore")
    pairs = list(itertools.product(TYPES, TYPES))
    rows = [conversion(source, target, random) for source, target in pairs]
    rules = {
        f"{source} {target}": next(rule for rule in RULES if np.can_cast(source, target, rule))
        for source, target in pairs
    }
    promoted = {f"{one} {other}": np.result_type(one, other).name for one, other in pairs}
    for (name, scalar), source in itertools.product(SCALARS.items(), TYPES):
        promoted[f"{source} {name}"] = np.result_type(np.dtype(source), scalar).name
    floats = itertools.product(FLOATS, INTEGERS)
    rounded = [rounding(source, target, random) for source, target in floats]
    conversions, casting, promotion, roundings = map(Path, sys.argv[1:])
    conversions.write_text(laid_out(rows))
    casting.write_text(json.dumps(rules, indent=2) + "\n")
    promotion.write_text(json.dumps(promoted, indent=2) + "\n")
    roundings.write_text(laid_out(rounded))


main()
