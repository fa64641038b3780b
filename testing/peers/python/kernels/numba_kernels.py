"""Kernels that Numba compiles, run on the CUDA simulator, against what NumPy and Python compute.

`python numba_kernels.py [SEED [NAME…]]` writes a line for each of these cases, or for all: `ok NAME`, or
`FAIL NAME: what differs`.
"""

import math
import sys
import warnings

import numpy as np
from numba import cuda, float32, float64, int32, int64
from numba.core.errors import NumbaWarning

warnings.simplefilter("ignore", NumbaWarning)
warnings.simplefilter("ignore", RuntimeWarning)

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64")
CASES = {}


def case(function):
    """A case yields (what, got, wanted), and may add the relative error that is allowed."""
    CASES[function.__name__] = function
    return function


def run(function, grid, block, *arguments, shared=0, **options):
    """Compiles and launches a kernel. Returns the arrays as they are afterwards."""
    kernel = cuda.jit(**options)(function)
    arrays = [cuda.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments]
    kernel[grid, block, 0, shared](*arrays)
    cuda.synchronize()
    return [a.copy_to_host() if hasattr(a, "copy_to_host") else a for a in arrays]


def integers(random, dtype, size):
    """Integers of every magnitude, and the extremes."""
    limits = np.iinfo(dtype)
    values = random.integers(limits.min, limits.max, size, dtype, endpoint=True)
    values >>= random.integers(0, limits.bits, size).astype(dtype)
    values[:4] = limits.min, limits.max, 0, 1
    return values


def floats(random, dtype, size, low=-30, high=30):
    return (random.standard_normal(size) * np.exp2(random.uniform(low, high, size))).astype(dtype)


def computed(expression, out, *inputs, block=128, **options):
    """What a kernel sets out[i] to: an expression of the inputs' a[i], b[i] and c[i]."""
    names = "abc"[: len(inputs)]
    values = "".join(f"        {name} = {name}_[i]\n" for name in names)
    parameters = ", ".join(f"{name}_" for name in names)
    code = (
        f"def kernel(out, {parameters}):\n    i = cuda.grid(1)\n    if i < out.size:\n{values}"
        f"        out[i] = {expression}\n"
    )
    scope = {"cuda": cuda, "math": math, "np": np}
    exec(code, scope)
    return run(scope["kernel"], -(-out.size // block), block, out, *inputs, **options)[0]


def each(label, expressions, a, b, block=128):
    """Evaluates expressions of a and b in a kernel and in NumPy. A pair has another expression for NumPy."""
    for expression in expressions:
        here, there = (expression, expression) if isinstance(expression, str) else expression
        wanted = eval(there, {"a": a, "b": b, "np": np})
        yield f"{label} {here}", computed(here, np.zeros_like(a), a, b, block=block), wanted


@case
def integer_arithmetic(random):
    expressions = ["a + b", "a - b", "a * b", "a & b", "a | b", "a ^ b", "~a", "-a"]
    expressions += [("min(a, b)", "np.minimum(a, b)"), ("max(a, b)", "np.maximum(a, b)")]
    for dtype in INTEGERS:
        yield from each(dtype, expressions, integers(random, dtype, 500), integers(random, dtype, 500))


@case
def integer_division(random):
    for dtype in INTEGERS:
        a, b = integers(random, dtype, 500), integers(random, dtype, 500)
        b[b == 0] = 7
        if np.iinfo(dtype).min < 0:
            b[b == -1] = 3
        yield from each(dtype, ["a // b", "a % b"], a, b)
        yield f"{dtype} a / b", computed("a / b", np.zeros(500), a, b), a.astype(float) / b.astype(float)


@case
def shifts(random):
    for dtype in INTEGERS:
        a = integers(random, dtype, 300)
        b = random.integers(0, np.iinfo(dtype).bits, 300).astype(dtype)
        yield from each(dtype, ["a << b", "a >> b"], a, b, block=100)


@case
def comparisons(random):
    for dtype in INTEGERS + FLOATS:
        if dtype in FLOATS:
            a, b = floats(random, dtype, 300, -2, 2), floats(random, dtype, 300, -2, 2)
            a[:3], b[1:4] = np.nan, np.nan
            a[4:6], b[4:6] = (0, -np.inf), (-0.0, np.inf)
        else:
            a, b = integers(random, dtype, 300), integers(random, dtype, 300)
        b[100:200] = a[100:200]
        all_six = "(a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5"
        parts = (a < b, a <= b, a > b, a >= b, a == b, a != b)
        wanted = sum(part.astype("int64") << bit for bit, part in enumerate(parts))
        yield dtype, computed(all_six, np.zeros(300, "int64"), a, b), wanted


@case
def bits(random):
    for dtype in ("int32", "uint32", "int64", "uint64"):
        a = integers(random, dtype, 300)
        width = np.iinfo(dtype).bits
        unsigned = [int(x) % 2**width for x in a]
        for name, reference in (
            ("popc", lambda x: bin(x).count("1")),
            ("clz", lambda x: width - x.bit_length()),
            ("brev", lambda x: int(f"{x:0{width}b}"[::-1], 2)),
            ("ffs", lambda x: (x & -x).bit_length()),
        ):
            if name == "brev" and dtype.startswith("int"):
                continue  # Numba has it for unsigned numbers
            got = computed(f"cuda.{name}(a)", np.zeros(300, "uint64"), a)
            wanted = np.array([reference(x) for x in unsigned], "uint64")
            yield f"{dtype} {name}", got.astype(f"uint{width}"), wanted.astype(f"uint{width}")


@case
def float_arithmetic(random):
    exact = ["a + b", "a - b", "a * b", "a / b", "-a", "abs(a)"]
    exact += [("math.sqrt(abs(a))", "np.sqrt(abs(a))"), ("math.copysign(a, b)", "np.copysign(a, b)")]
    whole = [(f"math.{name}(a)", f"np.{name}(a)") for name in ("floor", "ceil", "trunc")]
    whole += [("round(a)", "np.round(a)"), ("math.fmod(a, b)", "np.fmod(a, b)"), "a // b", "a % b"]
    whole += [("min(a, b)", "np.minimum(a, b)"), ("max(a, b)", "np.maximum(a, b)")]
    for dtype in FLOATS:
        a, b = floats(random, dtype, 500), floats(random, dtype, 500)
        a[:6] = 0.0, -0.0, np.inf, -np.inf, np.nan, np.finfo(dtype).smallest_subnormal
        yield from each(dtype, exact, a, b)
        a, b = (random.integers(-400, 400, 500) / np.dtype(dtype).type(8) for _ in "ab")
        b[b == 0] = 3
        yield from each(dtype, whole, a, b)


@case
def fused_multiply_add(random):
    for dtype in FLOATS:
        a, b, c = (floats(random, dtype, 300, -3, 3) for _ in range(3))
        exact = [float_of(dtype, x, y, z) for x, y, z in zip(a, b, c)]
        yield dtype, computed("cuda.fma(a, b, c)", np.zeros_like(a), a, b, c), np.array(exact, dtype)


def float_of(dtype, a, b, c):
    """a * b + c, rounded once."""
    from fractions import Fraction

    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    if dtype == "float64":
        return float(exact)
    near = np.float32(float(exact))
    candidates = (np.nextafter(near, np.float32(-np.inf)), near, np.nextafter(near, np.float32(np.inf)))
    even = lambda x: int(x.view("uint32")) & 1
    return min(candidates, key=lambda x: (abs(Fraction(float(x)) - exact), even(x)))


@case
def casts(random):
    kinds = INTEGERS + FLOATS + ("bool",)
    for source in kinds:
        if source == "bool":
            a = random.integers(0, 2, 200).astype(bool)
        elif source in FLOATS:
            a = floats(random, source, 200, -4, 40)
        else:
            a = integers(random, source, 200)
        for target in kinds:
            values = a
            if source in FLOATS and target in INTEGERS:  # what does not fit is nobody's business
                limits = np.iinfo(target)
                fits = (np.trunc(a) >= float(limits.min)) & (np.trunc(a) <= float(limits.max) * 0.999)
                values = a[fits]
            if values.size == 0:
                continue
            got = computed("a", np.zeros(values.size, target), values)
            yield f"{source} to {target}", got, values.astype(target)


@case
def saturating_casts(random):
    a = np.array([np.inf, -np.inf, 1e30, -1e30, 3e9, -3e9, 255.5, -0.5], "float64")
    got = computed("np.int32(a)", np.zeros(8, "int32"), a, block=32)
    yield "float64 to int32", got, np.clip(np.trunc(a), -(2.0**31), 2.0**31 - 1).astype("int32")


FUNCTIONS = {
    "sin": (-30, 30), "cos": (-30, 30), "tan": (-1.5, 1.5), "asin": (-1, 1), "acos": (-1, 1),
    "atan": (-1e3, 1e3), "sinh": (-10, 10), "cosh": (-10, 10), "tanh": (-5, 5), "exp": (-50, 50),
    "expm1": (-5, 5), "log": (1e-6, 1e6), "log2": (1e-6, 1e6), "log10": (1e-6, 1e6),
    "log1p": (-0.9, 100), "erf": (-3, 3), "erfc": (-3, 3), "gamma": (0.1, 20), "lgamma": (0.1, 50),
    "asinh": (-100, 100), "acosh": (1, 100), "atanh": (-0.99, 0.99),
}


@case
def functions(random):
    for dtype, tolerance in (("float32", 2e-5), ("float64", 1e-13)):
        for name, (low, high) in FUNCTIONS.items():
            a = random.uniform(low, high, 200).astype(dtype)
            wanted = np.array([getattr(math, name)(float(x)) for x in a], dtype)
            yield f"{dtype} {name}", computed(f"math.{name}(a)", np.zeros_like(a), a), wanted, tolerance
        a, b = random.uniform(0.1, 10, 200).astype(dtype), random.uniform(-5, 5, 200).astype(dtype)
        for name, reference in (("pow", np.power), ("atan2", np.arctan2), ("hypot", np.hypot)):
            got = computed(f"math.{name}(a, b)", np.zeros_like(a), a, b)
            yield f"{dtype} {name}", got, reference(a, b), tolerance


@case
def functions_with_fastmath(random):
    a = random.uniform(0.1, 3, 200).astype("float32")
    for name in ("sin", "cos", "exp", "log", "sqrt", "tanh", "tan", "log2", "log10"):
        wanted = np.array([getattr(math, name)(float(x)) for x in a], "float32")
        got = computed(f"math.{name}(a)", np.zeros_like(a), a, fastmath=True)
        yield name, got + 1, wanted + 1, 2e-3
    got = computed("1 / a + a ** 3.5", np.zeros_like(a), a, fastmath=True)
    yield "division and powers", got, 1 / a + a**3.5, 1e-4


@case
def half_precision(random):
    a = random.standard_normal(300).astype("float16")
    b = random.standard_normal(300).astype("float16") + np.float16(3)
    yield from each("float16", ["a + b", "a - b", "a * b", "-a", "abs(a)"], a, b)
    yield "a / b", computed("a / b", np.zeros_like(a), a, b), a / b, 2e-3
    got = computed("(a < b) | (a == b) << 1", np.zeros(300, "int64"), a, b)
    yield "comparisons", got, (a < b).astype("int64") | (a == b).astype("int64") << 1
    for target in ("float32", "float64", "int32", "int8"):
        got = computed("a", np.zeros(300, target), a)
        if target.startswith("float"):
            yield f"to {target}", got, a.astype(target)
    for source in ("float32", "float64", "int32"):
        values = (floats(random, "float64", 300, -20, 15)).astype(source)
        yield f"from {source}", computed("a", np.zeros_like(a), values), values.astype("float16")


@case
def complex_numbers(random):
    for dtype, tolerance in (("complex64", 1e-5), ("complex128", 1e-13)):
        a, b = ((random.standard_normal(200) + 1j * random.standard_normal(200)).astype(dtype) for _ in "ab")
        for what, got, wanted in each(dtype, ["a + b", "a * b", "a / b", "a - b"], a, b):
            yield what, abs(got - wanted) / abs(wanted) < tolerance, np.ones(200, bool)


@case
def loops(random):
    def collatz(out, a):
        i = cuda.grid(1)
        if i < out.size:
            n, steps = a[i], 0
            while n != 1:
                n = n // 2 if n % 2 == 0 else 3 * n + 1
                steps += 1
            out[i] = steps

    def steps(n):
        count = 0
        while n != 1:
            n, count = (n // 2 if n % 2 == 0 else 3 * n + 1), count + 1
        return count

    a = random.integers(1, 5000, 200)
    yield "collatz", run(collatz, 4, 64, np.zeros(200, "int64"), a)[0], np.array([steps(int(n)) for n in a])

    def mandelbrot(out, width):
        x, y = cuda.grid(2)
        if x < out.shape[0] and y < out.shape[1]:
            c = complex(x / width * 3 - 2, y / width * 2 - 1)
            z = 0j
            count = 0
            while count < 50 and z.real * z.real + z.imag * z.imag < 4:
                z = z * z + c
                count += 1
            out[x, y] = count

    def depth(c):
        z = 0j
        for count in range(50):
            if z.real * z.real + z.imag * z.imag >= 4:
                return count
            z = complex(z.real * z.real - z.imag * z.imag, 2 * z.real * z.imag) + c
        return 50

    got = run(mandelbrot, (3, 3), (8, 8), np.zeros((24, 20), "int32"), 20.0)[0]
    wanted = [[depth(complex(x / 20 * 3 - 2, y / 20 * 2 - 1)) for y in range(20)] for x in range(24)]
    yield "mandelbrot", np.mean(got != np.array(wanted, "int32")) < 0.01, np.True_


@case
def shared_memory(random):
    def reduce(out, a):
        shared = cuda.shared.array(128, float64)
        t = cuda.threadIdx.x
        i = cuda.grid(1)
        shared[t] = a[i] if i < a.size else 0
        cuda.syncthreads()
        step = 64
        while step > 0:
            if t < step:
                shared[t] += shared[t + step]
            cuda.syncthreads()
            step //= 2
        if t == 0:
            out[cuda.blockIdx.x] = shared[0]

    a = random.integers(-1000, 1000, 1000).astype(float)
    padded = np.concatenate([a, np.zeros(24)]).reshape(8, 128)
    yield "reduction", run(reduce, 8, 128, np.zeros(8), a)[0], padded.sum(1)

    def multiply(c, a, b):
        left = cuda.shared.array((8, 8), float32)
        right = cuda.shared.array((8, 8), float32)
        x, y = cuda.grid(2)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = float32(0)
        for tile in range(a.shape[1] // 8):
            left[tx, ty] = a[x, tile * 8 + ty]
            right[tx, ty] = b[tile * 8 + tx, y]
            cuda.syncthreads()
            for k in range(8):
                total += left[tx, k] * right[k, ty]
            cuda.syncthreads()
        c[x, y] = total

    a, b = (random.integers(-9, 9, (32, 32)).astype("float32") for _ in "ab")
    yield "matrix product", run(multiply, (4, 4), (8, 8), np.zeros((32, 32), "float32"), a, b)[0], a @ b

    def transpose(out, a):
        tile = cuda.shared.array((16, 17), int32)
        x, y = cuda.grid(2)
        if x < a.shape[0] and y < a.shape[1]:
            tile[cuda.threadIdx.x, cuda.threadIdx.y] = a[x, y]
        cuda.syncthreads()
        if x < a.shape[0] and y < a.shape[1]:
            out[y, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y]

    a = integers(random, "int32", 20 * 30).reshape(20, 30)
    yield "transposition", run(transpose, (2, 2), (16, 16), np.zeros((30, 20), "int32"), a)[0], a.T

    def reverse(out):
        shared = cuda.shared.array(0, int64)
        t = cuda.threadIdx.x
        shared[t] = t * t
        cuda.syncthreads()
        out[t] = shared[cuda.blockDim.x - 1 - t]

    got = run(reverse, 1, 100, np.zeros(100, "int64"), shared=800)[0]
    yield "dynamic", got, (np.arange(100)[::-1]) ** 2


@case
def local_memory(random):
    def sort(out, a):
        values = cuda.local.array(16, float32)
        i = cuda.grid(1)
        if i < a.shape[0]:
            for k in range(16):
                values[k] = a[i, k]
            for k in range(1, 16):
                value = values[k]
                place = k
                while place > 0 and values[place - 1] > value:
                    values[place] = values[place - 1]
                    place -= 1
                values[place] = value
            for k in range(16):
                out[i, k] = values[k]

    a = floats(random, "float32", 50 * 16).reshape(50, 16)
    yield "insertion sort", run(sort, 2, 32, np.zeros_like(a), a)[0], np.sort(a, 1)


@case
def atomics(random):
    def everything(i32, u32, i64, f32, f64, old, a):
        i = cuda.grid(1)
        if i < a.size:
            cuda.atomic.add(i32, 0, a[i])
            cuda.atomic.sub(i32, 1, a[i])
            cuda.atomic.max(i32, 2, a[i])
            cuda.atomic.min(i32, 3, a[i])
            cuda.atomic.and_(i32, 4, a[i])
            cuda.atomic.or_(i32, 5, a[i])
            cuda.atomic.xor(i32, 6, a[i])
            old[i] = cuda.atomic.exch(i32, 7, i)
            cuda.atomic.inc(u32, 0, 10)
            cuda.atomic.dec(u32, 1, 10)
            cuda.atomic.add(i64, 0, a[i])
            cuda.atomic.max(i64, 1, a[i])
            cuda.atomic.min(i64, 2, a[i])
            cuda.atomic.add(f32, 0, float32(a[i]))
            cuda.atomic.max(f32, 1, float32(a[i]))
            cuda.atomic.min(f32, 2, float32(a[i]))
            cuda.atomic.add(f64, 0, float64(a[i]))
            cuda.atomic.nanmax(f64, 1, float64(a[i]))
            cuda.atomic.nanmin(f64, 2, float64(a[i]))
            cuda.atomic.cas(i64, 3, i, i + 1)

    a = random.integers(-1000, 1000, 500).astype("int32")
    i32 = np.zeros(8, "int32")
    i32[4] = -1
    zeros = [np.zeros(4, t) for t in ("uint32", "int64", "float32", "float64")]
    got = run(everything, 4, 128, i32, *zeros, np.zeros(500, "int64"), a)
    wanted = [a.sum(), -a.sum(), max(0, a.max()), min(0, a.min()), np.bitwise_and.reduce(a), np.bitwise_or.reduce(a), np.bitwise_xor.reduce(a)]
    yield "int32", got[0][:7], np.array(wanted, "int32")
    yield "inc and dec", got[1][:2], np.array([500 % 11, (-500) % 11], "uint32")
    extremes = [a.sum(), max(0, a.max()), min(0, a.min())]
    yield "int64", got[2], np.array([*extremes, 500])
    yield "float32", got[3][:3], np.array(extremes, "float32")
    yield "float64", got[4][:3], np.array(extremes, "float64")
    yield "exchanged", np.sort(np.append(got[5], got[0][7])), np.sort(np.append(np.arange(500), 0))

    def histogram(out, a):
        counts = cuda.shared.array(16, int32)
        t = cuda.threadIdx.x
        if t < 16:
            counts[t] = 0
        cuda.syncthreads()
        i = cuda.grid(1)
        if i < a.size:
            cuda.atomic.add(counts, a[i], 1)
        cuda.syncthreads()
        if t < 16:
            cuda.atomic.add(out, t, counts[t])

    a = random.integers(0, 16, 3000)
    yield "histogram", run(histogram, 12, 256, np.zeros(16, "int32"), a)[0], np.bincount(a, minlength=16)


@case
def warps(random):
    def exchange(out, a):
        i = cuda.grid(1)
        x = a[i]
        out[0, i] = cuda.shfl_sync(0xFFFFFFFF, x, 5)
        out[1, i] = cuda.shfl_up_sync(0xFFFFFFFF, x, 3)
        out[2, i] = cuda.shfl_down_sync(0xFFFFFFFF, x, 4)
        out[3, i] = cuda.shfl_xor_sync(0xFFFFFFFF, x, 6)
        out[4, i] = np.uint32(cuda.ballot_sync(0xFFFFFFFF, x > 0))
        out[5, i] = cuda.all_sync(0xFFFFFFFF, x > -2000)
        out[6, i] = cuda.any_sync(0xFFFFFFFF, x > 2000)
        out[7, i] = np.uint32(cuda.match_any_sync(0xFFFFFFFF, x & 3))
        out[8, i] = cuda.laneid + cuda.warpsize
        out[9, i] = np.uint32(cuda.activemask())
        cuda.syncwarp()

    a = random.integers(-1000, 1000, 64).astype("int32")
    got = run(exchange, 1, 64, np.zeros((10, 64), "int64"), a)[0]
    wanted = np.zeros((10, 64), "int64")
    for start in (0, 32):
        x, lanes = a[start : start + 32], np.arange(32)
        one = np.int64(1) << lanes
        wanted[:, start : start + 32] = [
            np.full(32, x[5]),
            np.where(lanes >= 3, np.roll(x, 3), x),
            np.where(lanes < 28, np.roll(x, -4), x),
            x[lanes ^ 6],
            np.full(32, one[x > 0].sum()),
            np.ones(32),
            np.zeros(32),
            [one[(x & 3) == (value & 3)].sum() for value in x],
            lanes + 32,
            np.full(32, 2**32 - 1),
        ]
    yield "exchange", got, wanted

    def sum_in_warps(out, a):
        i = cuda.grid(1)
        value = a[i]
        step = 16
        while step > 0:
            value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
            step //= 2
        if cuda.laneid == 0:
            cuda.atomic.add(out, 0, value)

    for dtype in ("int32", "int64", "float32", "float64"):
        a = random.integers(-1000, 1000, 256).astype(dtype)
        yield f"sum of {dtype}", run(sum_in_warps, 2, 128, np.zeros(1, dtype), a)[0], a.sum(keepdims=True)

    def count(out, a):
        t = cuda.threadIdx.x
        out[0, t] = cuda.syncthreads_count(np.int32(a[t] > 0))
        out[1, t] = cuda.syncthreads_and(np.int32(a[t] > -2000))
        out[2, t] = cuda.syncthreads_or(np.int32(a[t] > 2000))

    a = random.integers(-1000, 1000, 100).astype("int32")
    got = run(count, 1, 100, np.zeros((3, 100), "int64"), a)[0]
    yield "barriers that count", got, np.array([[np.sum(a > 0)] * 100, [1] * 100, [0] * 100])


@case
def grids(random):
    def number(out):
        x, y, z = cuda.grid(3)
        gx, gy, gz = cuda.gridsize(3)
        if x < out.shape[0] and y < out.shape[1] and z < out.shape[2]:
            out[x, y, z] = x * 10000 + y * 100 + z + gx + gy + gz

    got = run(number, (3, 2, 2), (4, 5, 3), np.zeros((11, 9, 6), "int64"))[0]
    x, y, z = np.indices(got.shape)
    yield "three dimensions", got, x * 10000 + y * 100 + z + 12 + 10 + 6

    def stride(a):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            a[i] = i * 3

    yield "a stride of the grid", run(stride, 2, 32, np.zeros(1000, "int64"))[0], np.arange(1000) * 3


@case
def calls(random):
    @cuda.jit(device=True)
    def fibonacci(n):
        if n < 2:
            return n
        return fibonacci(n - 1) + fibonacci(n - 2)

    def recursive(out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = fibonacci(i)

    sequence = [0, 1]
    while len(sequence) < 15:
        sequence.append(sequence[-1] + sequence[-2])
    yield "recursion", run(recursive, 1, 32, np.zeros(15, "int64"))[0], np.array(sequence)

    @cuda.jit(device=True)
    def both(a, b):
        return a + b, a * b

    def tuples(out, a, b):
        i = cuda.grid(1)
        if i < a.size:
            total, product = both(a[i], b[i])
            out[i] = total - product

    a, b = floats(random, "float64", 100, -3, 3), floats(random, "float64", 100, -3, 3)
    yield "a pair", run(tuples, 1, 128, np.zeros(100), a, b)[0], (a + b) - a * b, 1e-9


@case
def records(random):
    dtype = np.dtype([("a", "i1"), ("b", "f8"), ("c", "i4", (3,))], align=True)

    def change(records):
        i = cuda.grid(1)
        if i < records.size:
            records[i].b = records[i].a * 2.5
            for k in range(3):
                records[i].c[k] = records[i].a + k

    values = np.zeros(40, dtype)
    values["a"] = random.integers(-100, 100, 40)
    got = run(change, 2, 32, values)[0]
    yield "b", got["b"], values["a"] * 2.5
    yield "c", got["c"], values["a"][:, None] + np.arange(3)
    yield "a", got["a"], values["a"]


CONSTANTS = np.arange(12, dtype="float64").reshape(3, 4) ** 2


@case
def constants(random):
    def read(out):
        table = cuda.const.array_like(CONSTANTS)
        x, y = cuda.grid(2)
        if x < 3 and y < 4:
            out[x, y] = table[x, y]

    yield "a table", run(read, (1, 1), (4, 4), np.zeros((3, 4)))[0], CONSTANTS


@case
def strides(random):
    def copy(out, a):
        x, y = cuda.grid(2)
        if x < out.shape[0] and y < out.shape[1]:
            out[x, y] = a[x, y]

    a = integers(random, "int16", 24 * 36).reshape(24, 36)
    got = run(copy, (2, 2), (16, 16), np.zeros((18, 24), "int16"), np.asfortranarray(a.T[:18]))[0]
    yield "Fortran order", got, a.T[:18]

    def negative_index(out, a):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[-1 - i]

    a = integers(random, "int64", 70)
    yield "negative indices", run(negative_index, 3, 32, np.zeros_like(a), a)[0], a[::-1]


@case
def selection(random):
    def clamp(out, a, low, high):
        i = cuda.grid(1)
        if i < a.size:
            value = a[i]
            if value < low:
                value = low
            elif value > high:
                value = high
            out[i] = value

    a = integers(random, "int32", 300)
    yield "branches", run(clamp, 3, 128, np.zeros_like(a), a, np.int32(-1000), np.int32(1000))[0], a.clip(-1000, 1000)
    got = computed("cuda.selp(a > 0, a, np.int32(-1))", np.zeros(300, "int64"), a)
    yield "selp", got, np.where(a > 0, a, -1)


def differ(got, wanted, tolerance=0):
    got, wanted = np.asarray(got), np.asarray(wanted)
    if got.shape != wanted.shape:
        return f"shape {got.shape}, expected {wanted.shape}"
    if tolerance == 0:
        same = (got == wanted) | ((got != got) & (wanted != wanted))
    else:
        same = np.isclose(got, wanted, rtol=tolerance, atol=tolerance * 1e-3)
    if np.all(same):
        return None
    where = np.argwhere(~np.atleast_1d(same))[0]
    place = tuple(int(x) for x in where)
    return f"{np.sum(~same)} of {same.size} differ, at {place} got {np.atleast_1d(got)[place]!r}, expected {np.atleast_1d(wanted)[place]!r}"


def main(seed=1, *names):
    failed = 0
    for name, body in CASES.items():
        if names and name not in names:
            continue
        problems, checks = [], 0
        try:
            for what, *values in body(np.random.default_rng(seed)):
                checks += 1
                problem = differ(*values)
                if problem:
                    problems.append(f"{what}: {problem}")
        except Exception as error:
            problems.append(f"{type(error).__name__}: {str(error)[:500]}".replace("\n", " "))
        failed += bool(problems)
        print(f"FAIL {name}: {'; '.join(problems[:8])}" if problems else f"ok {name} ({checks})", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(int((sys.argv + [1])[1]), *sys.argv[2:]) != 0)
