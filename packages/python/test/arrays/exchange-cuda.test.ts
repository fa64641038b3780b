import { type CudaArray, cuda, liveAllocations } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { settled } from '../support/collect.js';
import { object, python } from '../support/producers.js';

// DLPack's C exchange API orders nothing: consumers work on the current stream of the array's library. On
// the simulator's lazy schedule, work that nothing waits for never runs, so that a missing wait gives a
// wrong value each time.

process.env['ARRAY_INTERFACE_LIBCUDA'] ||= libraryPath;
delete process.env['CUDA_SIMULATOR_SCHEDULE'];
const LENGTH = 64;

beforeAll(() => {
  expect(cuda.availability.available).toBe(true);
  python.import('__main__').set('path', process.env['ARRAY_INTERFACE_LIBCUDA']);
  python.exec(`
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
memory = made('cuMemAlloc_v2', ctypes.c_size_t(${LENGTH}))
copy = made('cuMemAlloc_v2', ctypes.c_size_t(${LENGTH}))
def write(on, pointer, value):
    call('cuMemsetD8Async', ctypes.c_uint64(pointer), ctypes.c_ubyte(value), ctypes.c_size_t(${LENGTH}), ctypes.c_void_p(on))
def read(on, pointer):
    target = np.full(${LENGTH}, 99, 'u1')
    call('cuMemcpyAsync', ctypes.c_uint64(copy), ctypes.c_uint64(pointer), ctypes.c_size_t(${LENGTH}), ctypes.c_void_p(on))
    call('cuStreamSynchronize', ctypes.c_void_p(on))
    call('cuMemcpyDtoH_v2', ctypes.c_void_p(target.ctypes.data), ctypes.c_uint64(copy), ctypes.c_size_t(${LENGTH}))
    values = set(target.tolist())
    return values.pop() if len(values) == 1 else sorted(values)
@STREAM
def give_stream(device_type, number, out):
    out[0] = stream
    return 0
def of_python():
    """The memory of Python's, whose pending work is on its own stream."""
    one = Made(device_type=2, data=memory, code=1, bits=8, shape=(ctypes.c_int64 * 1)(${LENGTH}))
    write(stream, memory, 1)
    call('cuStreamSynchronize', ctypes.c_void_p(stream))
    write(stream, memory, 5)
    return one
`);
});

afterEach(async () => {
  python.exec('a = given = one = None; gc.collect()');
  await cuda.synchronize();
  await vi.waitFor(() => {
    python.exec("call('cuCtxSynchronize')");
    expect(liveAllocations()).toBe(0);
  }, 60_000);
});

/** Gives Python, as `a`, an array that has one value, and another one pending on a stream of its own. */
async function givePending(array: CudaArray): Promise<void> {
  await cuda.fill(array, 1);
  await cuda.synchronize();
  void cuda.fill(array, 5);
  using given = python.toPython(array);
  python.import('__main__').set('a', given);
}

async function onlyValue(array: CudaArray): Promise<number> {
  const values = new Set((await cuda.toTypedArray(array, { dtype: 'uint8' })) as Iterable<number>);
  return values.size === 1 ? ([...values][0] as number) : Number.NaN;
}

describe('an array of JavaScript', () => {
  test.each([
    'given = exported(a); tensor = Versioned.from_address(given).tensor',
    'tensor = lent(a); given = None',
  ])('has its pending work before the current stream: %s', async (code) => {
    using queue = cuda.createStream();
    using array = cuda.empty([LENGTH], 'uint8', { queue });
    await givePending(array);
    python.exec(code);
    expect(python.eval(`[tensor.device_type, tensor.data] == [2, ${array.pointer}]`)).toBe(true);
    expect(python.eval('read(stream_of(table_of(a), 2), tensor.data)')).toBe(5);
    python.exec('if given: end(given)');
  });

  test.each(['host', 'shared'] as const)('has ended its work in %s memory', async (memoryKind) => {
    using queue = cuda.createStream();
    using array = cuda.empty([LENGTH], 'uint8', { queue, memoryKind });
    await givePending(array);
    python.exec('given = exported(a); tensor = Versioned.from_address(given).tensor');
    expect(python.eval(`ctypes.string_at(tensor.data, ${LENGTH}) == bytes([5] * ${LENGTH})`)).toBe(
      true,
    );
    python.exec('end(given)');
  });

  test('goes back to JavaScript by its dict, which names its own stream: nothing waits', async () => {
    using queue = cuda.createStream();
    using array = cuda.empty([LENGTH], 'uint8', { queue, memoryKind: 'host' });
    await givePending(array);
    using _seen = cuda.asArray(object('a'));
    expect(
      python.eval(`ctypes.string_at(${array.pointer}, ${LENGTH}) == bytes([1] * ${LENGTH})`),
    ).toBe(true);
  });

  test('works on when Python’s work on the current stream has ended', async () => {
    using queue = cuda.createStream();
    using array = cuda.empty([LENGTH], 'uint8', { queue });
    await givePending(array);
    python.exec(`
given = exported(a)
write(stream_of(table_of(a), 2), Versioned.from_address(given).tensor.data, 9)
a = None
end(given)`);
    expect(await onlyValue(array)).toBe(9);
  });
});

describe('an array of Python', () => {
  test('has the current stream’s work before ours, and ours before its next', async () => {
    python.exec('one = of_python(); given = with_table(stream=address(give_stream))(one)');
    const array = cuda.asArray(object('given'));
    expect(await onlyValue(array)).toBe(5);
    void cuda.fill(array, 7);
    array[Symbol.dispose]();
    expect(python.eval('read(stream, memory)')).toBe(7);
    await settled(() => expect(python.eval('one.deleted')).toBe(1));
  });

  test('whose library tells no stream is ordered by the legacy default stream', async () => {
    python.exec(`
one = of_python()
call('cuStreamSynchronize', ctypes.c_void_p(stream))
write(1, memory, 6)
given = with_table()(one)`);
    using array = cuda.asArray(object('given'));
    expect(await onlyValue(array)).toBe(6);
  });

  test('becomes one of ours, with its work on the current stream', async () => {
    python.exec(`
one = of_python()
call('cuStreamSynchronize', ctypes.c_void_p(stream))
write(1, memory, 6)
given = taken(ctypes.addressof(one.struct), table)`);
    expect(python.eval('repr(given)')).toBe(
      "<array_interface CudaArray shape=(64,) typestr='|u1'>",
    );
    const array = cuda.asArray(object('given'));
    expect(await onlyValue(array)).toBe(6);
    array[Symbol.dispose]();
    expect(python.eval('one.deleted')).toBe(0);
    python.exec('given = None; gc.collect()');
    await settled(() => expect(python.eval('one.deleted')).toBe(1));
  });

  beforeAll(async () => {
    using array = cuda.empty([1], 'uint8');
    using given = python.toPython(array);
    python.import('__main__').set('a', given);
    python.exec('table = table_of(a); a = None');
  });
});
