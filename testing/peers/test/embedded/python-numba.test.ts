import { join } from 'node:path';
import { ArrayInterfaceError } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { host } from '@array-interface/host';
import { PyObject, startPython } from '@array-interface/python';
import { expect, test, vi } from 'vitest';

// Both use one driver in this process: Node loads it, and Python finds it by its name.
process.env['ARRAY_INTERFACE_LIBCUDA'] = libraryPath;
cuda.devices();
const venv = join(import.meta.dirname, '../../../../.peers/cuda');
const python = startPython({ venv });
python.exec(`
import gc, weakref
import numpy as np
from numba import cuda
class Has:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)
@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2
def uploaded(values, stream=0):
    """An array whose upload is pending: the simulator is lazy."""
    global there
    a = cuda.to_device(np.array(values, 'f'), stream=stream)
    there = weakref.ref(a)
    return a
`);

function object(code: string): PyObject {
  const made = python.eval(code);
  if (made instanceof PyObject) return made;
  throw new TypeError(`${code} crosses by value`);
}
const isThere = () => python.eval('gc.collect() is not None and there() is not None');

test("we read what Numba's default stream uploads, without a synchronize", async () => {
  using array = cuda.asArray(object('uploaded([1, 2, 3])'));
  expect([...(await cuda.toTypedArray(array))]).toEqual([1, 2, 3]);
  expect(python.eval("there().__cuda_array_interface__['stream']")).toBe(null);
});

test('a pending Numba kernel comes before our read, and our read before its next kernel', async () => {
  python.exec('a = uploaded(range(64)); double[1, 64](a)');
  using array = cuda.asArray(object('a'));
  expect((await cuda.toTypedArray(array))[5]).toBe(10);
  await cuda.fill(array, 4); // pending
  python.exec('double[1, 64](a)');
  expect(python.eval('a.copy_to_host().tolist()').toJS()).toEqual(Array(64).fill(8));
});

test('a Numba kernel on our memory is waited for, too', async () => {
  using ours = await cuda.array(new Float32Array(8).fill(3));
  await cuda.synchronize();
  const { data, shape, typestr } = ours.__cuda_array_interface__;
  const [pointer] = data;
  python.exec(`
b = cuda.as_cuda_array(Has(__cuda_array_interface__={
    'version': 3, 'shape': (${shape},), 'typestr': '${typestr}', 'data': (${pointer}, False),
    'stream': None, 'strides': None}), sync=False)
double[1, 8](b)`);
  using seen = cuda.asArray(object('b'));
  expect(seen.pointer).toBe(pointer);
  expect([...(await cuda.toTypedArray(seen))]).toEqual(Array(8).fill(6));
});

test('a stream that Numba names is waited for', async () => {
  python.exec(`
stream = cuda.stream()
a = uploaded([4, 5, 6], stream)`);
  using array = cuda.asArray(object('a'));
  expect([...(await cuda.toTypedArray(array))]).toEqual([4, 5, 6]);
});

test('layouts: steps, transposed, empty', async () => {
  python.exec("a = cuda.to_device(np.arange(24, dtype='i2').reshape(4, 6))");
  using stepped = cuda.asArray(object('a[1:, ::2]'));
  expect([...(await cuda.toTypedArray(stepped))]).toEqual([6, 8, 10, 12, 14, 16, 18, 20, 22]);
  using turned = cuda.asArray(object('a.T'));
  expect(turned.shape).toEqual([6, 4]);
  expect((await cuda.toTypedArray(turned)).slice(0, 4)).toEqual(Int16Array.of(0, 6, 12, 18));
  using empty = cuda.asArray(object("cuda.device_array((0, 3), 'f')"));
  expect(empty.shape).toEqual([0, 3]);
});

test('the array keeps the memory until it is disposed', async () => {
  const made = object('uploaded([7, 8, 9])');
  const array = cuda.asArray(made);
  made[Symbol.dispose]();
  expect(isThere()).toBe(true);
  expect([...(await cuda.toTypedArray(array))]).toEqual([7, 8, 9]);
  array[Symbol.dispose]();
  await vi.waitFor(() => expect(isThere()).toBe(false), { timeout: 100_000 });
});

test('managed memory, and memory of another backend', async () => {
  python.exec("a = cuda.managed_array(3, 'f'); a[:] = 5");
  using array = cuda.asArray(object('a'));
  using copied = await host.array(array);
  expect([...(await host.toTypedArray(copied))]).toEqual([5, 5, 5]);
  expect(() => host.asArray(object('uploaded([1])'))).toThrow(ArrayInterfaceError);
  using numbers = host.asArray(object('np.arange(3.)'));
  using there = await cuda.array(numbers);
  expect([...(await cuda.toTypedArray(there))]).toEqual([0, 1, 2]);
  expect(() => cuda.asArray(object('memoryview(np.arange(3.))'))).toThrow('copy it with array()');
});

test.each([
  ['stream=0', 'ERR_STREAM', 'stream'],
  ["stream='x'", 'ERR_TYPE', 'stream'],
  ['version=4', 'ERR_VERSION', 'version'],
  ['data=(None, False)', 'ERR_NULL_POINTER', 'data[0]'],
  ['data=(4096, False)', 'ERR_POINTER_UNKNOWN', 'data[0]'],
  ['shape=(10**6,)', 'ERR_OUT_OF_BOUNDS', 'data[0]'],
])('a dict with %s is refused: %s', (change, code, path) => {
  python.exec(`a = uploaded([1]); b = Has(__cuda_array_interface__={
    **a.__cuda_array_interface__, **dict(${change})})`);
  const expected = expect.objectContaining({ code, path });
  expect(() => cuda.asArray(object('b'))).toThrow(expected);
});
