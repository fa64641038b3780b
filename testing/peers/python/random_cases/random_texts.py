"""Random arrays, and the texts that NumPy prints for them: python random_texts.py SEED COUNT.

One JSON line an array: its dtype, shape and elements as base64, the limits of the text, `str` of the array, and `repr` of
it as an array of a class that is named HostArray. Then which elements are valid, and `str` of the masked array with those,
unless it has dates, which Python prints as its own objects. Then, if it has numbers, another array of numbers that is close to it or
not, the tolerance, and what `allclose` says.
"""

import base64
import json
import random
import sys

import numpy as np

NUMBERS = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
UNITS = ["", "[Y]", "[M]", "[W]", "[D]", "[h]", "[m]", "[s]", "[25s]", "[ms]", "[us]", "[ns]", "[as]"]
LETTERS = "ab'\"\\\n\t\u00e9\U0001f600\x7f\u200b "


class HostArray(np.ndarray):
    pass


def others(rng):
    dates = ["M8" + rng.choice(UNITS[1:]), "m8" + rng.choice(UNITS)]
    return rng.choice([f"S{rng.randint(1, 4)}", f"U{rng.randint(1, 4)}", f"V{rng.randint(1, 3)}", *dates])


def record(rng, depth):
    fields = []
    for index in range(rng.randint(1, 3)):
        name = rng.choice(["x", "two words", "\u00e9", "it's"]) + str(index)
        kind = record(rng, depth + 1) if depth < 2 and rng.random() < 0.2 else typed(rng, False)
        fields.append((name, kind, rng.choice([(), (), (2,), (2, 3), (8,)])))
    packed = np.dtype(fields)
    if rng.random() < 0.7:
        return packed
    offsets, end = [], 0
    for name in packed.names:
        offsets.append(end + rng.randint(0, 3))
        end = offsets[-1] + packed[name].itemsize
    formats = [packed[name] for name in packed.names]
    return np.dtype({"names": packed.names, "formats": formats, "offsets": offsets, "itemsize": end + rng.randint(0, 2)})


def typed(rng, may_be_record):
    if may_be_record and rng.random() < 0.1:
        return record(rng, 0)
    name = rng.choice(NUMBERS) if rng.random() < 0.75 else others(rng)
    # NumPy overlooks that such a duration is missing if its bytes are swapped.
    return np.dtype(("<" if name == "m8" else rng.choice("<<<>")) + name)


def floats(rng, count, dtype):
    kind = rng.randint(0, 7)
    if kind == 0:
        return np.frombuffer(rng.randbytes(count * dtype.itemsize), dtype)
    if kind == 1:
        return [rng.choice([0, -0.0, 1, np.nan, np.inf, -np.inf, 0.1, 1e-5, 123.456, 1e6, 1e8]) for _ in range(count)]
    if kind == 2:
        return [rng.choice([5e-324, 1e-323, 9.9e-324, 2.2e-308, 1e-310, 1.4e-45, 3e-45, 6e-8]) for _ in range(count)]
    if kind == 3:
        return [rng.choice([1, -1]) * 2.0 ** rng.randint(-30, 30) for _ in range(count)]
    if kind == 4:
        return [rng.randint(-4096, 4096) / 2.0 ** rng.randint(0, 14) for _ in range(count)]
    if kind == 5:
        digits = rng.randint(0, 9)
        return [round(rng.gauss(0, 100), digits) for _ in range(count)]
    if kind == 6:
        return [rng.randint(-9, 9) * 10.0 ** rng.randint(-12, 12) for _ in range(count)]
    return [float(rng.randint(-1000, 1000)) for _ in range(count)]


def values(rng, count, dtype):
    if dtype.names is not None:
        array = np.zeros(count, dtype)
        for name in dtype.names:
            base, shape = dtype[name].subdtype or (dtype[name], ())
            size = int(np.prod(shape, dtype="i8"))
            array[name] = values(rng, count * size, base).reshape((count, *shape))
        return array
    if dtype.kind == "c":
        part = np.dtype(f"{dtype.str[0]}f{dtype.itemsize // 2}")
        array = np.zeros(count, dtype)
        array.real = np.array(floats(rng, count, part)).astype(part)
        array.imag = np.array(floats(rng, count, part)).astype(part)
        return array
    if dtype.kind == "f":
        return np.array(floats(rng, count, dtype)).astype(dtype)
    if dtype.kind == "U":
        length = dtype.itemsize // 4
        return np.array(["".join(rng.choices(LETTERS, k=rng.randint(0, length))) for _ in range(count)], dtype)
    if dtype.kind == "S":
        return np.frombuffer(bytes(rng.choices(b"ab'\"\\\n\x00\xff ", k=count * dtype.itemsize)), dtype)
    if dtype.kind in "mM":
        most = 10 ** rng.choice([1, 4, 9, 17] if dtype.str[-3:] in ("ns]", "as]") else [1, 3, 5])
        ticks = [-(2**63) if rng.random() < 0.05 else rng.randint(-most, most) for _ in range(count)]
        return np.array(ticks, dtype.str[0] + "i8").view(dtype)
    if dtype.kind == "b":
        return np.array([rng.random() < 0.5 for _ in range(count)])
    array = np.frombuffer(rng.randbytes(count * dtype.itemsize), dtype)
    return array >> rng.randint(0, 8 * dtype.itemsize - 1) if dtype.kind in "iu" else array


def shaped(rng):
    kind = rng.random()
    if kind < 0.1:
        return (rng.choice((999, 1000, 1001, 2500)),)
    if kind < 0.2:
        return tuple(rng.choice((0, 1, 30, 60)) for _ in range(rng.randint(1, 2)))
    return tuple(rng.choice((1, 2, 3, 4, 7, 8)) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4))))


def limits(rng):
    if rng.random() < 0.5:
        return {}
    return {
        "precision": rng.randint(0, 17),
        "threshold": rng.choice((0, 5, 1000)),
        "edgeItems": rng.randint(1, 5),
        "lineWidth": rng.choice((10, 20, 40, 75, 120)),
    }


def text(rng):
    dtype = typed(rng, True)
    shape = shaped(rng)
    array = values(rng, int(np.prod(shape, dtype="i8")), dtype).reshape(shape).astype(dtype, copy=False)
    given = limits(rng)
    names = {"edgeItems": "edgeitems", "lineWidth": "linewidth"}
    with np.printoptions(**{names.get(name, name): value for name, value in given.items()}):
        texts = {"str": str(array), "repr": repr(array.view(HostArray)), **masked(rng, array)}
    descr = np.lib.format.dtype_to_descr(dtype)
    return {**side(array, descr), "limits": given, **texts, **close(rng, array)}


def has_dates(dtype):
    if dtype.names is not None:
        return any(has_dates(dtype[name].base) for name in dtype.names)
    return dtype.kind in "mM"


def masked(rng, array):
    if has_dates(array.dtype):
        return {}
    valid = np.array([rng.random() < 0.7 for _ in range(array.size)], "u1").reshape(array.shape)
    text = str(np.ma.array(array, mask=np.asarray(valid == 0)))
    return {"valid": base64.b64encode(valid.tobytes()).decode(), "masked": text}


def close(rng, array):
    if array.dtype.kind not in "biufc" or array.ndim == 0:
        return {}
    dtype = typed(rng, False)
    while dtype.kind not in "biufc":
        dtype = typed(rng, False)
    other = array if rng.random() < 0.8 else array[:1]
    tolerance = {"rtol": rng.choice((0.0, 1e-5, 1e-3, 0.1)), "atol": rng.choice((0.0, 1e-8, 1e-3, 2.0))}
    limit = tolerance["atol"] + tolerance["rtol"]
    if dtype.kind in "fc" and array.dtype.kind in "fc":
        other = other * (1 + limit * rng.choice((0, 0.5, 0.999, 1, 1.001)) / 2)
    if dtype.kind in "biu":
        if array.dtype.kind in "fc":
            dtype = np.dtype("f8")
        else:
            dtype = array.dtype
    other = other.astype(np.dtype("c16") if array.dtype.kind == "c" and dtype.kind == "f" else dtype)
    equal = rng.random() < 0.5
    is_close = np.allclose(array, other, rtol=tolerance["rtol"], atol=tolerance["atol"], equal_nan=equal)
    return {"other": side(other, other.dtype.str), "tolerance": {**tolerance, "equalNaN": equal}, "isClose": bool(is_close)}


def side(array, descr):
    return {"dtype": descr, "shape": array.shape, "data": base64.b64encode(array.tobytes()).decode()}


def main():
    rng = random.Random(int(sys.argv[1]))
    np.seterr(all="ignore")
    for _ in range(int(sys.argv[2])):
        print(json.dumps(text(rng), separators=(",", ":")))


main()
