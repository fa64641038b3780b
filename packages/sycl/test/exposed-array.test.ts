import { constants } from 'node:buffer';
import { setTimeout } from 'node:timers/promises';
import type { MemoryKind } from '@array-interface/core/backend';
import { sycl } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';
import { dpctl, OtherQueue } from './other-library.js';
import { runProgram } from './program.js';
import { refused } from './refused.js';

/** Whether the runtime itself has memory there, be it under no name of ours. */
function knownToRuntime(pointer: bigint): boolean {
  const context = sycl.context()._get_capsule();
  return BigInt.asIntN(32, dpctl('USM_GetPointerType', pointer, context.pointer)) !== 0n;
}

describe.each<MemoryKind>(['shared', 'host'])('%s memory', (memoryKind) => {
  test('is seen and written in place', async () => {
    using array = await sycl.array([1, 2, 3, 4], { dtype: 'int32', memoryKind });
    await array.synchronize();
    const seen = array.asTypedArray();
    expect(seen).toEqual(Int32Array.of(1, 2, 3, 4));
    seen[2] = 9;
    expect([...(await sycl.toTypedArray(array))]).toEqual([1, 2, 9, 4]);
    await sycl.fill(array, 5);
    await array.synchronize();
    expect([...seen]).toEqual([5, 5, 5, 5]);
  });

  test('views are parts of one buffer', async () => {
    using array = await sycl.array([1, 2, 3, 4], { dtype: 'float64', memoryKind });
    await array.synchronize();
    const part = array.slice([[1, 3]]);
    const [whole, seen] = [array.asTypedArray(), part.asTypedArray()];
    expect(seen).toEqual(Float64Array.of(2, 3));
    expect(seen.buffer).toBe(whole.buffer);
    const none = array.slice([[4, 4]]);
    expect(none.asTypedArray()).toEqual(new Float64Array(0));
  });

  test('stays as long as the typed array', async () => {
    const array = await sycl.array([1, 2, 3], { dtype: 'uint8', memoryKind });
    await array.synchronize();
    const seen = array.asTypedArray();
    array[Symbol.dispose]();
    await sycl.synchronize();
    using other = await sycl.array(new Uint8Array(3), { memoryKind });
    expect(other.shape).toEqual([3]);
    expect([...seen]).toEqual([1, 2, 3]);
    await refused('ERR_DISPOSED', () => array.asTypedArray());
  });

  test('also over an array that was borrowed, when the first one is gone before', async () => {
    const array = await sycl.array([1, 2, 3], { dtype: 'uint8', memoryKind });
    await array.synchronize();
    const { __sycl_usm_array_interface__ } = array;
    const borrowed = sycl.asArray({ __sycl_usm_array_interface__ });
    array[Symbol.dispose]();
    const { pointer } = borrowed;
    const seen = borrowed.asTypedArray();
    borrowed[Symbol.dispose]();
    await setTimeout(50);
    expect(knownToRuntime(pointer)).toBe(true);
    expect([...seen]).toEqual([1, 2, 3]);
  });
});

test('and no longer', async () => {
  const program = `
    async function use() {
      const array = await sycl.array([1, 2, 3], { memoryKind: 'shared' });
      await array.synchronize();
      const sum = array.asTypedArray().reduce((a, b) => a + b);
      array[Symbol.dispose]();
      return sum;
    }
    let sum = 0;
    for (let i = 0; i < 20; i++) sum += await use();
    for (let i = 0; i < 200 && liveAllocations() > 0; i++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    console.log(sum, liveAllocations());`;
  const ended = await runProgram(program, { flags: ['--expose-gc'] });
  expect(ended).toEqual({ status: 0, stdout: '120 0', stderr: '' });
});

test('memory of another library', async () => {
  using other = new OtherQueue(true);
  const pointer = other.allocate(64, 5);
  const syclobj = { name: 'SyclQueueRef', pointer: other.queue };
  const dict = {
    shape: [4],
    typestr: '<u2',
    data: [pointer, false],
    offset: 2,
    version: 1,
    syclobj,
  };
  using borrowed = sycl.asArray({ __sycl_usm_array_interface__: dict });
  const seen = borrowed.asTypedArray();
  expect([...seen]).toEqual(Array(4).fill(0x505));
  seen[0] = 7;
  expect([...(await sycl.toTypedArray(borrowed))]).toEqual([7, 0x505, 0x505, 0x505]);
});

test('what cannot be seen in place', async () => {
  using device = sycl.empty([4], 'float32');
  using host = sycl.empty([4, 4], 'float32', { memoryKind: 'host' });
  const turned = host.permuteDims([1, 0]);
  await refused('ERR_NOT_ACCESSIBLE', () => device.asTypedArray());
  await refused('ERR_NOT_ACCESSIBLE', () => turned.asTypedArray());
  using readOnly = sycl.asArray(host, { readOnly: true });
  await refused('ERR_READ_ONLY', () => readOnly.asTypedArray());
  const { syclobj } = host.__sycl_usm_array_interface__;
  const odd = { shape: [2], typestr: '<f4', data: [host.pointer + 1n, false], version: 1, syclobj };
  using unaligned = sycl.asArray({ __sycl_usm_array_interface__: odd });
  await refused('ERR_NOT_ACCESSIBLE', () => unaligned.asTypedArray());
});

test('a block that is larger than any buffer of this Node is refused, or seen', async () => {
  const bytes = 2 ** 32 + 4096; // a little more than Node 20 has buffers for
  using array = sycl.empty([bytes], 'uint8', { memoryKind: 'host' });
  const part = array.slice([[0, 16]]);
  if (bytes > constants.MAX_LENGTH) {
    expect((await refused('ERR_NOT_ACCESSIBLE', () => part.asTypedArray())).message).toContain(
      `a block of ${bytes} bytes`,
    );
  } else {
    expect(part.asTypedArray()).toHaveLength(16);
  }
});

test('the addon survives that Node has no buffer of a size', async () => {
  const program = `
    import { native } from './native.mjs';
    const array = sycl.empty([2 ** 32 + 4096], 'uint8', { memoryKind: 'host' });
    const { pointer, memory } = array;
    const buffer = native.expose(memory.handle, pointer, 2 ** 32 + 4096);
    console.log(buffer === null || buffer.byteLength);`;
  const { status, stderr } = await runProgram(program);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('strings and records are bytes, which lie at any address', () => {
  for (const dtype of ['|S3', '|V12', '|V7']) {
    using block = sycl.empty([5], dtype, { memoryKind: 'host' });
    for (const view of [block, block.slice([[1, 4]])]) {
      expect(view.asTypedArray()).toHaveLength(view.descriptor.nbytes);
    }
  }
});
