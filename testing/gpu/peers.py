"""Copies by CuPy, PyTorch and cuda.core, where they are installed: python3 peers.py.

Says first, as JSON, which versions there are; then, for each line ["LIBRARY", "WORK"], the nanoseconds of one of so
many copies that are enqueued one after another and awaited together, or null where the library has no such copy."""

import json
import sys
import time

COPIES = 20
CALL, CALLS = "a call that copies 1 KiB", 10_000
SIDE, OTHER, WIDE = 4096, 4032, 5461


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


def core_works(device, stream):
    to, source = (device.memory_resource.allocate(1024, stream=stream) for _ in range(2))
    return {CALL: lambda: lambda: source.copy_to(to, stream=stream)}


def libraries():
    found = {}
    try:
        import cuda.core

        device = cuda.core.Device(0)
        device.set_current()
        stream = device.create_stream()
        found["cuda.core"] = (cuda.core.__version__, core_works(device, stream), stream.sync)
    except Exception as error:
        print(f"cuda.core: {error}", file=sys.stderr)
    try:
        import cupy

        found["CuPy"] = (cupy.__version__, cupy_works(cupy), lambda: cupy.cuda.Device().synchronize())
    except Exception as error:  # absent, or without a device
        print(f"CuPy: {error}", file=sys.stderr)
    try:
        import torch

        found["PyTorch"] = (torch.__version__, torch_works(torch), torch.cuda.synchronize)
    except Exception as error:
        print(f"PyTorch: {error}", file=sys.stderr)
    return found


def made(works, work):
    """The copy, made and done twice; None where the library cannot do it."""
    try:
        act = works[work]()
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
