import path from 'node:path';
import { type HostArray, host, liveAllocations } from '@array-interface/host';
import { type PyObject, startPython } from '@array-interface/python';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { pythonOf } from '../support/python.js';

// apache-tvm-ffi has DLPack's C exchange API: it gets our arrays, gives its own, and returns ours as ours.

const python = startPython({ venv: path.join(pythonOf('python'), '../..') });

beforeAll(() => {
  python.exec(`
import gc
import numpy as np, tvm_ffi
same = tvm_ffi.convert(lambda given: given)
`);
});

afterEach(async () => {
  await vi.waitFor(() => {
    python.exec('ours = theirs = made = None; gc.collect()');
    expect(liveAllocations()).toBe(0);
  });
});

function give(array: HostArray): void {
  using given = python.toPython(array);
  python.import('__main__').set('ours', given);
}

const DTYPES = [
  ...(['bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'] as const),
  ...(['float16', 'float32', 'float64'] as const),
];

test.each(DTYPES)('it gets an array of %s by our table', async (dtype) => {
  using array = host.empty([2, 3], dtype);
  give(array);
  python.exec('made = tvm_ffi.from_dlpack(ours)');
  expect(python.eval('repr((tuple(made.shape), str(made.dtype)))')).toBe(`((2, 3), '${dtype}')`);
  expect(python.eval('made.data_ptr()')).toBe(Number(array.pointer));
});

test('it returns a tensor as an array of ours, over the same memory', async () => {
  using array = await host.array([1, 2, 3], { dtype: 'float32' });
  give(array);
  using made = python.eval('same(ours)') as PyObject;
  expect(made.toString()).toBe("<array_interface HostArray shape=(3,) typestr='<f4'>");
  using seen = host.asArray(made);
  expect(seen.pointer).toBe(array.pointer);
});

test('it keeps the memory of a disposed array', async () => {
  const array = await host.array([1, 2, 3], { dtype: 'float32' });
  give(array);
  array[Symbol.dispose]();
  python.exec('made = tvm_ffi.from_dlpack(ours); ours = None; gc.collect()');
  expect(liveAllocations()).toBe(1);
  expect(python.eval('float(np.from_dlpack(made).sum())')).toBe(6);
});

test('we get its tensors by its table, and it keeps them', async () => {
  python.exec("theirs = tvm_ffi.from_dlpack(np.arange(6, dtype='f4').reshape(2, 3)[:, ::2])");
  using theirs = python.eval('theirs') as PyObject;
  python.exec('theirs = None; gc.collect()');
  using array = host.asArray(theirs);
  theirs[Symbol.dispose]();
  expect([array.shape, array.byteStrides]).toEqual([
    [2, 2],
    [12, 8],
  ]);
  expect([...((await host.toTypedArray(array)) as Float32Array)]).toEqual([0, 2, 3, 5]);
});

test('what our table refuses is its error', () => {
  using words = host.empty([2], '<U4');
  give(words);
  expect(() => python.eval('same(ours)')).toThrow(
    /BufferError: expected elements that DLPack has a code for/,
  );
});
