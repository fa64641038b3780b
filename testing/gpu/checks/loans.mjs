import assert from 'node:assert/strict';
import { fromCudaArrayInterface } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { check } from '../check.mjs';
import { foreign } from '../driver/foreign.mjs';

/** Expects the call to throw or reject with a code. */
const refused = (call, code) => assert.rejects(async () => call(), { code });

check('an export reads as the array it is of', async ({ use }) => {
  const array = use(cuda.empty([3, 4], 'float32'));
  const view = array.slice([
    [null, null, -1],
    [1, 3],
  ]);
  await array.synchronize();
  const read = fromCudaArrayInterface(view.__cuda_array_interface__);
  assert.equal(read.pointer, array.pointer + 36n);
  assert.deepEqual([...read.byteStrides], [-16, 4]);
  assert.deepEqual([...read.shape], [3, 2]);
});

check('a loan shares memory, both ways', async ({ use }) => {
  const array = use(await cuda.array(Uint8Array.from({ length: 64 }, (_, i) => i)));
  const loan = use(cuda.asArray(foreign(array)));
  assert.deepEqual(
    await cuda.toTypedArray(loan.flip()),
    Uint8Array.from({ length: 64 }, (_, i) => 63 - i),
  );
  await cuda.fill(loan.slice([[0, 32]]), 200);
  assert.equal((await cuda.toTypedArray(array))[31], 200);
  assert.equal((await cuda.toTypedArray(array))[32], 32);
});

check(
  'refused before anything is touched: unknown, outside, read-only, disposed, of other shape',
  async ({ use }) => {
    const array = use(await cuda.array(new Uint8Array(16).fill(3)));
    const { pointer, byteLength } = cuda.inspectPointer(array.pointer).allocation;
    const wild = foreign(array, { data: [0x1000n, false] });
    await refused(() => cuda.asArray(wild), 'ERR_POINTER_UNKNOWN');
    await refused(() => cuda.copy(array, wild), 'ERR_POINTER_UNKNOWN');
    for (const changes of [
      { shape: [byteLength + 1] },
      { shape: [2], strides: [-1], data: [pointer, false] },
      { shape: [2, 2], strides: [byteLength, 1] },
    ]) {
      await refused(() => cuda.asArray(foreign(array, changes)), 'ERR_OUT_OF_BOUNDS');
    }
    const fixed = use(cuda.asArray(foreign(array, { data: [array.pointer, true] })));
    await refused(() => cuda.fill(fixed, 1), 'ERR_READ_ONLY');
    await refused(() => cuda.copy(array, new Uint8Array(15)), 'ERR_SHAPE_MISMATCH');
    const ended = cuda.asArray(foreign(array));
    ended[Symbol.dispose]();
    await refused(() => cuda.toTypedArray(ended), 'ERR_DISPOSED');
    assert.deepEqual(await cuda.toTypedArray(array), new Uint8Array(16).fill(3));
  },
);

check('refused: streams that are none, devices that are not there', async () => {
  for (const handle of [0n, -1n, 2n ** 64n]) await refused(() => cuda.stream(handle), 'ERR_STREAM');
  await refused(() => cuda.empty([1], 'uint8', { device: 99 }), 'ERR_ARGUMENT');
  await refused(() => cuda.createStream({ device: -1 }), 'ERR_ARGUMENT');
});

check('memory that no device has', async ({ use }) => {
  const refusal = { code: 'ERR_OUT_OF_MEMORY', message: /expected .*, got /s };
  await assert.rejects(async () => cuda.empty([2 ** 45], 'uint8'), refusal);
  const array = use(await cuda.array(Uint8Array.of(1, 2)));
  assert.deepEqual(await cuda.toTypedArray(array), Uint8Array.of(1, 2));
});
