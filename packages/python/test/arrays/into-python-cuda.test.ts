import { type CudaArray, cuda, liveAllocations } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { foreignAddons } from '@array-interface/foreign';
import { type PyObject, PythonError, startPython } from '@array-interface/python';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { venv } from '../support/environment.js';

// Python works with arrays of CUDA by calls of the driver. On the simulator's lazy schedule, work that
// nothing waits for never runs, so that a missing wait gives a wrong value each time.

process.env['ARRAY_INTERFACE_LIBCUDA'] ||= libraryPath;
delete process.env['CUDA_SIMULATOR_SCHEDULE'];
const { giver } = foreignAddons(`${import.meta.dirname}/../../../cuda`);
const [READY, STREAM, EVENT] = [0, 1, 2];
const LENGTH = 64;

const python = startPython({ venv });

beforeAll(() => {
  expect(cuda.availability.available).toBe(true);
  python.import('__main__').set('path', process.env['ARRAY_INTERFACE_LIBCUDA']);
  python.exec(`
import ctypes, gc, threading
import numpy as np
driver = ctypes.CDLL(path)
def call(name, *arguments):
    result = getattr(driver, name)(*arguments)
    assert result == 0, f'{name}: {result}'
def made(name, *arguments):
    handle = ctypes.c_void_p()
    call(name, ctypes.byref(handle), *arguments)
    return handle.value
call('cuInit', 0)
context = made('cuDevicePrimaryCtxRetain', 0)
call('cuCtxPushCurrent_v2', ctypes.c_void_p(context))
stream = made('cuStreamCreate', 1)
def write(on, pointer, value):
    call('cuMemsetD8Async', ctypes.c_uint64(pointer), ctypes.c_ubyte(value), ctypes.c_size_t(${LENGTH}), ctypes.c_void_p(on))
copy = made('cuMemAlloc_v2', ctypes.c_size_t(${LENGTH}))
def read(on, pointer):
    target = np.full(${LENGTH}, 99, 'u1')
    call('cuMemcpyAsync', ctypes.c_uint64(copy), ctypes.c_uint64(pointer), ctypes.c_size_t(${LENGTH}), ctypes.c_void_p(on))
    call('cuStreamSynchronize', ctypes.c_void_p(on))
    call('cuMemcpyDtoH_v2', ctypes.c_void_p(target.ctypes.data), ctypes.c_uint64(copy), ctypes.c_size_t(${LENGTH}))
    values = set(target.tolist())
    return values.pop() if len(values) == 1 else sorted(values)
class Tensor(ctypes.Structure):
    _fields_ = [('data', ctypes.c_void_p), ('device', ctypes.c_int * 2), ('ndim', ctypes.c_int)]
def tensor(capsule):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Tensor.from_address(get(capsule, b'dltensor'))
`);
});

/** Waits until no memory is left; on the lazy schedule, work ends for those who wait for it. */
async function allGone(): Promise<void> {
  await vi.waitFor(() => {
    python.exec("call('cuCtxSynchronize')");
    expect(liveAllocations()).toBe(0);
  }, 60_000);
}

afterEach(async () => {
  python.exec('a = capsule = kept = None; gc.collect()');
  await cuda.synchronize();
  await allGone();
  expect(giver.look()).toEqual({ released: 0, deleted: 0, elsewhere: 0, consumed: [] });
});

function give(a: PyObject): void {
  python.import('__main__').set('a', a);
  a[Symbol.dispose]();
}

function raised(expression: string): string {
  try {
    python.exec(`(${expression})`);
  } catch (error) {
    if (error instanceof PythonError) return error.type;
    throw error;
  }
  return 'nothing';
}

const released = (also: object = {}) =>
  vi.waitFor(
    () => expect(giver.look()).toMatchObject({ released: 1, deleted: 1, ...also }),
    60_000,
  );

const bytes = (options = {}) => cuda.empty([LENGTH], 'uint8', options);

/** Has one value, and another one pending. */
async function fillLater(array: CudaArray): Promise<void> {
  await cuda.fill(array, 1);
  await cuda.synchronize();
  void cuda.fill(array, 5);
}

/** The value that all its elements have. */
async function onlyValue(array: CudaArray): Promise<number> {
  const values = new Set((await cuda.toTypedArray(array, { dtype: 'uint8' })) as Iterable<number>);
  return values.size === 1 ? ([...values][0] as number) : Number.NaN;
}

describe('the interfaces of the object', () => {
  test.each([
    ['device', [2, 0]],
    ['host', [3, 0]],
    ['shared', [13, 0]],
  ] as const)('in %s memory', (memoryKind, device) => {
    using array = cuda.empty([4, 6], 'float32', { memoryKind });
    using a = python.toPython(array.slice([null, [1, 4]]).flip(1));
    expect(a.get('__cuda_array_interface__').toJS()).toEqual({
      shape: [4, 3],
      typestr: '<f4',
      descr: [['', '<f4']],
      data: [Number(array.pointer) + 12, false],
      strides: [24, -4],
      version: 3,
      stream: Number(array.__cuda_array_interface__.stream),
      mask: null,
    });
    expect(a.has('__array_interface__')).toBe(false);
    expect(a.has('__sycl_usm_array_interface__')).toBe(false);
    expect(a.callMethod('__dlpack_device__').toJS()).toEqual(device);
    expect(a.toString()).toBe("<array_interface CudaArray shape=(4, 3) typestr='<f4'>");
    give(python.toPython(array));
    expect(raised('memoryview(a)')).toBe('TypeError');
    expect(python.eval('a.__cuda_array_interface__["strides"]')).toBe(null);
  });

  test('it is marked read-only', () => {
    using array = bytes();
    give(python.toPython(array, { readOnly: true }));
    expect(python.eval('a.__cuda_array_interface__["data"][1]')).toBe(true);
    expect(raised('a.__dlpack__()')).toBe('BufferError');
    expect(raised('a.__dlpack__(max_version=(1, 0))')).toBe('nothing');
  });

  test.each(['block', 'none'] as const)('there is no stream with exportStream %s', (mode) => {
    using array = bytes({ exportStream: mode });
    give(python.toPython(array));
    expect(python.eval('a.__cuda_array_interface__["stream"]')).toBe(null);
  });
});

describe('Python’s work waits for ours', () => {
  test.each([
    ['None', '1'],
    ['1', '1'],
    ['2', '2'],
    ['stream', 'stream'],
  ])('__dlpack__(stream=%s)', async (given, on) => {
    using queue = cuda.createStream();
    using array = bytes({ queue });
    await fillLater(array);
    give(python.toPython(array));
    python.exec(`capsule = a.__dlpack__(stream=${given})`);
    expect(python.eval('tensor(capsule).data')).toBe(Number(array.pointer));
    expect(python.eval(`read(${on}, ${array.pointer})`)).toBe(5);
  });

  test('-1 is for a consumer that synchronises itself', async () => {
    using queue = cuda.createStream();
    using array = bytes({ queue });
    await fillLater(array);
    give(python.toPython(array));
    python.exec('capsule = a.__dlpack__(stream=-1)');
    expect(python.eval(`read(stream, ${array.pointer})`)).not.toBe(5);
  });

  test('so does the interface’s stream', async () => {
    using queue = cuda.createStream();
    using array = bytes({ queue });
    await fillLater(array);
    give(python.toPython(array));
    const stream = python.eval('a.__cuda_array_interface__["stream"]');
    expect(python.eval(`read(${stream}, ${array.pointer})`)).toBe(5);
  });

  test.each(['host', 'shared'] as const)('NumPy waits for it in %s memory', async (memoryKind) => {
    using queue = cuda.createStream();
    using array = bytes({ queue, memoryKind });
    await fillLater(array);
    give(python.toPython(array));
    expect(python.eval('np.from_dlpack(a).tolist() == [5] * 64')).toBe(true);
    expect(python.eval('np.from_dlpack(a).ctypes.data')).toBe(Number(array.pointer));
  });

  test('a stream that records a graph is not used', async () => {
    using array = bytes();
    await cuda.fill(array, 5);
    give(python.toPython(array));
    python.exec(`call('cuStreamBeginCapture_v2', ctypes.c_void_p(stream), 2)`);
    expect(raised('a.__dlpack__(stream=stream)')).toBe('BufferError');
    python.exec(`
graph = ctypes.c_void_p()
call('cuStreamEndCapture', ctypes.c_void_p(stream), ctypes.byref(graph))`);
  });

  test('invalid streams are refused', async () => {
    using array = bytes();
    give(python.toPython(array));
    expect(raised('a.__dlpack__(stream=0)')).toBe('BufferError');
    expect(raised('a.__dlpack__(stream=-2)')).toBe('BufferError');
    expect(raised('a.__dlpack__(stream="1")')).toBe('TypeError');
    expect(raised('a.__dlpack__(copy=True)')).toBe('BufferError');
    expect(raised('a.__dlpack__(dl_device=(1, 0))')).toBe('BufferError');
    expect(raised('a.__dlpack__(dl_device=(2, 0))')).toBe('nothing');
  });
});

describe('our work waits for Python’s', () => {
  test('on the stream of the interface', async () => {
    using array = bytes();
    give(python.toPython(array));
    python.exec(`write(a.__cuda_array_interface__['stream'], ${array.pointer}, 7)`);
    expect(await onlyValue(array)).toBe(7);
  });

  test('on the legacy default stream, once Python has dropped the array', async () => {
    using queue = cuda.createStream({ nonBlocking: true });
    using array = bytes({ queue });
    await cuda.fill(array, 1);
    give(python.toPython(array));
    python.exec(`capsule = a.__dlpack__(); write(1, ${array.pointer}, 7); a = capsule = None`);
    expect(await onlyValue(array)).toBe(7);
  });
});

describe('the memory stays', () => {
  test('until Python drops it', () => {
    const array = bytes();
    give(python.toPython(array));
    python.exec('capsule = a.__dlpack__(); a = None');
    array[Symbol.dispose]();
    expect(liveAllocations()).toBe(1);
    python.exec('write(1, tensor(capsule).data, 3)');
    expect(python.eval('read(1, tensor(capsule).data)')).toBe(3);
  });

  test.each(['1', 'stream'])('until the work on stream %s has ended', async (on) => {
    const array = bytes();
    const { pointer } = array;
    await cuda.fill(array, 1);
    await array.synchronize();
    // What the fill took for its value is on its way back.
    await vi.waitFor(() => expect(liveAllocations()).toBe(1), 60_000);
    give(python.toPython(array));
    array[Symbol.dispose]();
    python.exec(`
capsule = a.__dlpack__(stream=${on})
write(${on}, ${pointer}, 9)
a = capsule = None`);
    // Memory that is freed too early is a stranger's, or nobody's: the simulator's context then fails.
    expect(liveAllocations()).toBe(1);
    expect(python.eval(`driver.cuStreamSynchronize(ctypes.c_void_p(${on}))`)).toBe(0);
    await allGone();
  });

  test('until another Python thread drops it', async () => {
    const array = bytes();
    give(python.toPython(array));
    array[Symbol.dispose]();
    python.exec(`
kept = [a.__dlpack__(), a]
a = None
t = threading.Thread(target=kept.clear); t.start(); t.join()`);
    await allGone();
  });
});

describe('a call of the driver that fails', () => {
  const CALLS = [
    ...['cuDeviceGet', 'cuDevicePrimaryCtxRetain', 'cuCtxPushCurrent_v2', 'cuStreamGetCtx'],
    ...['cuStreamIsCapturing', 'cuStreamWaitEvent', 'cuEventCreate', 'cuEventRecord'],
    ...['cuEventSynchronize', 'cuCtxSynchronize'],
  ];
  const WAYS: readonly (readonly [string, string, object])[] = [
    ['the dict', 'a.__cuda_array_interface__', {}],
    ['DLPack on a stream', 'a.__dlpack__(stream=stream)', {}],
    ['DLPack on the legacy stream', 'a.__dlpack__()', {}],
    ['DLPack on the host', 'np.from_dlpack(a)', { memoryKind: 'host' }],
    ['its end', 'give_up()', {}],
  ];
  /** More than the events that come and go with our own work. */
  const TIMES = 4;
  const live = () =>
    ['events', 'streams'].map((kind) => python.eval(`driver.simcuda_live(b'${kind}')`) as number);
  const current = () => python.eval(`made('cuCtxGetCurrent')`);

  test.each(WAYS)('leaves nothing of %s, and the next one works', async (_, way, options) => {
    python.exec(`
def give_up():
    global a
    a = None
    gc.collect()
`);
    for (const name of CALLS) {
      using queue = cuda.createStream();
      using array = bytes({ queue, ...options });
      await fillLater(array);
      const [before, context] = [live(), current()];
      for (let times = 0; times < TIMES; times++) {
        give(python.toPython(array));
        python.exec(`driver.simcuda_fail(b'${name}:1:CUDA_ERROR_OUT_OF_MEMORY')`);
        expect(['nothing', 'BufferError', 'RuntimeError'], name).toContain(raised(way));
        python.exec(`driver.simcuda_fail(b''); gc.collect()`);
      }
      await vi.waitFor(() => {
        const now = live();
        for (const [i, count] of before.entries()) expect(now[i], name).toBeLessThan(count + TIMES);
      }, 60_000);
      expect(current(), `the context after ${name}`).toBe(context);
      give(python.toPython(array));
      expect(raised(way), name).toBe('nothing');
      python.exec('a = None; gc.collect()');
      await queue.synchronize();
    }
  });
});

describe('arrays of other addons', () => {
  const gift = (fields: object) => {
    python.exec(`memory = made('cuMemAlloc_v2', ctypes.c_size_t(${LENGTH}))`);
    const data = BigInt(python.eval('memory') as number);
    const device = { deviceType: 2, code: 1, bits: 8, lanes: 1 };
    const capsule = giver.give({ shape: [LENGTH], data, ...device, ...fields });
    return { [Symbol.for('array-interface.array')]: () => capsule } as never;
  };

  test('behind an event: the legacy default stream stands for it', async () => {
    python.exec(`
event = made('cuEventCreate', 2)
pending = made('cuMemAlloc_v2', ctypes.c_size_t(${LENGTH}))`);
    const order = BigInt(python.eval('event') as number);
    const array = gift({ kind: EVENT, order, hears: true });
    python.exec(`
write(stream, memory, 4)
call('cuEventRecord', ctypes.c_void_p(event), ctypes.c_void_p(stream))`);
    give(python.toPython(array));
    expect(python.eval('a.__cuda_array_interface__["stream"]')).toBe(1);
    expect(python.eval('read(1, memory)')).toBe(4);
    python.exec('a = None');
    await released({ consumed: [[STREAM, 1n]] });
    python.exec(`
call('cuMemFree_v2', ctypes.c_uint64(memory)); call('cuMemFree_v2', ctypes.c_uint64(pending))
call('cuEventDestroy_v2', ctypes.c_void_p(event))`);
  });

  test('that cannot be told of work: their stream waits, or the release does', async () => {
    for (const [kind, order] of [
      [STREAM, BigInt(python.eval('stream') as number)],
      [READY, 0n],
    ] as const) {
      give(python.toPython(gift({ kind, order })));
      python.exec('write(1, memory, 6); a = None');
      await released();
      expect(python.eval('read(stream, memory)')).toBe(6);
      python.exec("call('cuMemFree_v2', ctypes.c_uint64(memory))");
    }
  });

  test.each(['stream', '-1'])(
    'are released after work on the reader’s stream, requested with %s',
    async (given) => {
      give(python.toPython(gift({ kind: READY, hears: true })));
      python.exec(`
capsule = a.__dlpack__(stream=${given})
write(stream, memory, 6)
a = capsule = None`);
      await released();
      expect(python.eval('driver.cuStreamQuery(ctypes.c_void_p(stream))')).toBe(0);
      python.exec("call('cuMemFree_v2', ctypes.c_uint64(memory))");
    },
  );

  test('that are incomplete are refused, and released', () => {
    const wrong = [
      { isWithoutTensor: true },
      { major: 2 },
      { abi: 2 },
      { kind: STREAM },
      { kind: 3, order: 1n },
      { deviceType: 1, kind: STREAM, order: 1n },
      { deviceType: 15 },
      { shape: [-1] },
      { bits: 4 },
    ];
    for (const fields of wrong) {
      expect(() => python.toPython(gift(fields))).toThrow(/^\[ERR_\w+\] .*expected/);
      expect(giver.look()).toMatchObject({ released: 1 });
      python.exec("call('cuMemFree_v2', ctypes.c_uint64(memory))");
    }
  });
});

test('NumPy makes no array of one, which would have the object itself as an element', async () => {
  using array = await cuda.array([1, 2, 3], { dtype: 'float32' });
  const numpy = python.import('numpy');
  const act = () => numpy.callMethod('asarray', [array]);
  expect(act).toThrow(expect.objectContaining({ type: 'TypeError' }));
  expect(act).toThrow('await host.array(array)');
});
