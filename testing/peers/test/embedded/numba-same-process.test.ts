import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { expect, test } from 'vitest';
import { EmbeddedPython } from '../support/embedded-python.js';

// Both use one driver in this process: Node loads it, and Python finds it by its name.
process.env['ARRAY_INTERFACE_LIBCUDA'] = libraryPath;
cuda.devices();
const python = new EmbeddedPython('cuda', 'embedded.numba_objects');

const VALUES = [1, 2, 3, 4, 5, 6];

/** An array of Numba's default stream, whose upload is still pending: the simulator is lazy. */
function uploaded(values: readonly number[]) {
  const { interface: dict } = python.call<{ interface: { data: [number, boolean]; stream: null } }>(
    'to_device',
    values,
  );
  const [pointer, readOnly] = dict.data;
  expect(dict.stream).toBeNull();
  return { __cuda_array_interface__: { ...dict, data: [BigInt(pointer), readOnly] } };
}

test("the simplest program: we read what Numba's default stream uploads", async () => {
  using array = cuda.asArray(uploaded(VALUES));
  expect([...(await cuda.toTypedArray(array))]).toEqual(VALUES);
});

test('with no stream to wait for, we read the earlier values', async () => {
  using array = cuda.asArray(uploaded(VALUES), { producerStream: null });
  expect([...(await cuda.toTypedArray(array))]).not.toEqual(VALUES);
});

test('a dict names a stream although all work has ended; Numba’s read on it is not overtaken', async () => {
  using array = await cuda.array(VALUES, { dtype: 'float32' });
  await cuda.synchronize();
  const seen = python.call<{ object: number; stream: number | bigint | null }>(
    'as_cuda_array',
    array.__cuda_array_interface__,
  );
  expect(seen.stream).not.toBeNull();
  const copy = python.call<number>('copy_on_its_stream', seen.object);
  using queue = cuda.createStream();
  await cuda.fill(array, 9, { queue });
  await cuda.synchronize();
  expect(python.call('values_of', copy)).toEqual(VALUES);
  expect([...(await cuda.toTypedArray(array))]).toEqual(Array(6).fill(9));
});

test('the memory stays while Numba reads it, also if the array is disposed', async () => {
  const array = await cuda.array(VALUES, { dtype: 'float32' });
  await cuda.synchronize();
  const seen = python.call<{ object: number }>('as_cuda_array', array.__cuda_array_interface__);
  const copy = python.call<number>('copy_on_its_stream', seen.object);
  array[Symbol.dispose]();
  using next = await cuda.array([0, 0, 0, 0, 0, 0], { dtype: 'float32' }); // of just that size
  await cuda.releaseCached();
  expect(python.call('values_of', copy)).toEqual(VALUES);
  expect([...(await cuda.toTypedArray(next))]).toEqual(Array(6).fill(0));
});

test("cuda.core's view, on its own stream, comes after our work", async () => {
  using array = await cuda.array(VALUES, { dtype: 'float32' });
  await cuda.synchronize();
  const dict = () => array.__cuda_array_interface__;
  expect(python.call('view_with_core', dict())).toEqual(VALUES);
  await cuda.fill(array, 5); // pending: the simulator is lazy
  expect(python.call('view_with_core', dict())).toEqual(Array(6).fill(5));
});
