"""Copies by CuPy, PyTorch and cuda.core, where they are installed: python3 peers.py BYTES_OF_A_BLOCK.

Says first, as JSON, which versions there are; then, for each line ["LIBRARY", WORK], the nanoseconds of one of so
many copies that are enqueued one after another and awaited together, or null where the library has no such copy. A
work is a name, or destination and source of a layout of bench/layouts/random.mjs."""

import json
import sys
import time

COPIES = 20
CALL, CALLS = "a call that copies 1 KiB", 10_000
SIDE, OTHER, WIDE = 4096, 4032, 5461
LARGEST_SIDE = int(sys.argv[1])


def cupy_works(cp):
    f4 = lambda n: cp.ones((n, n), "f4")
    to = f4(SIDE)
    pixels = lambda: cp.ones((SIDE, WIDE, 3), "u1").transpose(2, 0, 1)
    planes = lambda kind: cp.ones((3, SIDE, WIDE), kind)
    copy = lambda make_to, make_from: (lambda t, f: lambda: t.__setitem__(Ellipsis, f))(make_to(), make_from())
    swapped = lambda: cp.ndarray((SIDE, SIDE), ">f4", cp.ones(SIDE * SIDE, "u4").data)
    return {
        "contiguous f4": lambda: copy(lambda: to, lambda: f4(SIDE)),
        "transposed f4, 4096 x 4096": lambda: copy(lambda: to, lambda: f4(SIDE).T),
        "transposed f4, 4032 x 4032": lambda: copy(lambda: f4(OTHER), lambda: f4(OTHER).T),
        "channels last to first, u1": lambda: copy(lambda: planes("u1"), pixels),
        "channels last to first, u1 to f4": lambda: copy(lambda: planes("f4"), pixels),
        "padded crop f4": lambda: copy(lambda: to, lambda: cp.ones((SIDE, SIDE + 64), "f4")[:, :SIDE]),
        "reversed on both axes f4": lambda: copy(lambda: to, lambda: f4(SIDE)[::-1, ::-1]),
        "one row broadcast f4": lambda: copy(lambda: to, lambda: cp.broadcast_to(cp.ones(SIDE, "f4"), (SIDE, SIDE))),
        "f2 to f4": lambda: copy(lambda: to, lambda: cp.ones((SIDE, SIDE), "f2")),
        "f8 to f4": lambda: copy(lambda: to, lambda: cp.ones((SIDE, SIDE), "f8")),
        "big-endian f4 to native": lambda: copy(lambda: to, swapped),
    }


def torch_works(torch):
    ones = lambda shape, kind=torch.float32: torch.ones(shape, dtype=kind, device="cuda")
    to = ones((SIDE, SIDE))
    pixels = lambda: ones((SIDE, WIDE, 3), torch.uint8).permute(2, 0, 1)
    copy = lambda t, f: lambda: t.copy_(f)
    return {
        "contiguous f4": lambda: copy(to, ones((SIDE, SIDE))),
        "transposed f4, 4096 x 4096": lambda: copy(to, ones((SIDE, SIDE)).t()),
        "transposed f4, 4032 x 4032": lambda: copy(ones((OTHER, OTHER)), ones((OTHER, OTHER)).t()),
        "channels last to first, u1": lambda: copy(ones((3, SIDE, WIDE), torch.uint8), pixels()),
        "channels last to first, u1 to f4": lambda: copy(ones((3, SIDE, WIDE)), pixels()),
        "padded crop f4": lambda: copy(to, ones((SIDE, SIDE + 64))[:, :SIDE]),
        "one row broadcast f4": lambda: copy(to, ones(SIDE).expand(SIDE, SIDE)),
        "f2 to f4": lambda: copy(to, ones((SIDE, SIDE), torch.float16)),
        "f8 to f4": lambda: copy(to, ones((SIDE, SIDE), torch.float64)),
    }


def cupy_drawn(cp, sides):
    """A layout over blocks of its own, as CuPy copies whatever it gets."""

    def view(side):
        block = cp.ones(LARGEST_SIDE, "u1")
        return cp.ndarray(side["shape"], side["type"], block.data + side["offset"], side["byteStrides"])

    to, source = map(view, sides)
    return lambda: cp.copyto(to, source, casting="unsafe")


def is_dense(side, itemsize):
    for length, stride in zip(reversed(side["shape"]), reversed(side["byteStrides"])):
        if stride != itemsize:
            return False
        itemsize *= length
    return True


def torch_drawn(torch, sides):
    """contiguous() of the source where that is what it is about, else copy_(). PyTorch has no negative strides and no
    other byte order than the machine's, which raise here."""
    kinds = {"|b1": "bool", "|u1": "uint8", "<i2": "int16", "<u2": "uint16", "<f2": "float16", "<i4": "int32"}
    kinds |= {"<f4": "float32", "<i8": "int64", "<f8": "float64", "<c8": "complex64", "<c16": "complex128"}

    def view(side):
        kind = getattr(torch, kinds[side["type"]])
        block = torch.ones(LARGEST_SIDE, dtype=torch.uint8, device="cuda").view(kind)
        strides = [stride // kind.itemsize for stride in side["byteStrides"]]
        return block.as_strided(side["shape"], strides, side["offset"] // kind.itemsize)

    to, source = map(view, sides)
    if to.dtype == source.dtype and is_dense(sides[0], to.dtype.itemsize):
        return lambda: source.contiguous()
    return lambda: to.copy_(source)


def core_works(device, stream):
    to, source = (device.memory_resource.allocate(1024, stream=stream) for _ in range(2))
    return {CALL: lambda: lambda: source.copy_to(to, stream=stream)}


def none_drawn(_):
    raise NotImplementedError("layouts")


def by_name(works, drawn=none_drawn):
    """What makes the copy of a work: one that has a name, or a layout."""
    return lambda work: works[work]() if isinstance(work, str) else drawn(work)


def of_core():
    import cuda.core

    device = cuda.core.Device(0)
    device.set_current()
    stream = device.create_stream()
    return cuda.core.__version__, by_name(core_works(device, stream)), stream.sync


def of_cupy():
    import cupy

    works = by_name(cupy_works(cupy), lambda sides: cupy_drawn(cupy, sides))
    return cupy.__version__, works, lambda: cupy.cuda.Device().synchronize()


def of_torch():
    import torch

    works = by_name(torch_works(torch), lambda sides: torch_drawn(torch, sides))
    return torch.__version__, works, torch.cuda.synchronize


def libraries():
    """By name: version, works and a wait, of the libraries that are installed and find a device."""
    found = {}
    for name, load in {"cuda.core": of_core, "CuPy": of_cupy, "PyTorch": of_torch}.items():
        try:
            found[name] = load()
        except Exception as error:
            print(f"{name}: {error}", file=sys.stderr)
    return found


def made(works, work):
    """The copy, made and done twice; None where the library cannot do it."""
    try:
        act = works(work)
        act()
        act()
        return act
    except Exception as error:
        print(f"{work}: {error}", file=sys.stderr)
        return None


def main():
    found = libraries()
    print(json.dumps({name: version for name, (version, _, _) in found.items()}), flush=True)
    last, act = None, None
    for line in sys.stdin:
        library, work = json.loads(line)
        _, works, synchronize = found[library]
        if line != last:
            last, act = line, None  # what the one before held is given back
            act = made(works, work)
        copies = CALLS if work == CALL else COPIES
        synchronize()
        start = time.perf_counter_ns()
        for _ in range(copies if act else 0):
            act()
        synchronize()
        print(json.dumps((time.perf_counter_ns() - start) / copies if act else None), flush=True)


main()
