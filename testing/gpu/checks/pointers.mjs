import assert from 'node:assert/strict';
import { cuda } from '@array-interface/cuda';
import { check } from '../check.mjs';

for (const memoryKind of ['device', 'shared', 'host']) {
  check(`${memoryKind} memory: kind, device and range of its addresses`, ({ use }) => {
    const array = use(cuda.empty([100], 'float32', { memoryKind }));
    for (const offset of [0n, 399n]) {
      const found = cuda.inspectPointer(array.pointer + offset);
      assert.equal(found.memoryKind, memoryKind);
      assert.equal(found.device, 0);
      assert.equal(found.hostAccessible, memoryKind !== 'device');
      assert.equal(found.allocation?.pointer, array.pointer);
      assert.ok(found.allocation.byteLength >= 400);
    }
  });
}

check('addresses that the driver does not know', () => {
  for (const pointer of [0n, 1n, 0x1000n, 2n ** 47n, 2n ** 64n - 1n]) {
    const { memoryKind, device, allocation } = cuda.inspectPointer(pointer);
    assert.deepEqual(
      { memoryKind, device, allocation },
      { memoryKind: 'unknown', device: null, allocation: null },
    );
  }
});

check('addresses of memory that was given back', async () => {
  const array = cuda.empty([1 << 22], 'uint8');
  const { pointer } = array;
  array[Symbol.dispose]();
  const end = Date.now() + 10_000;
  while (cuda.inspectPointer(pointer).memoryKind !== 'unknown') {
    assert.ok(Date.now() < end, 'it is still known after 10 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
    await cuda.releaseCached(); // it was kept for the next array of its size
  }
});

check('devices: names, memory and order', ({ use }) => {
  for (const [index, device] of cuda.devices().entries()) {
    assert.equal(device.index, index);
    assert.notEqual(device.name, '');
    assert.ok(device.memory > 2 ** 20);
    const array = use(cuda.empty([1], 'uint8', { device: index }));
    assert.equal(cuda.inspectPointer(array.pointer).device, index);
  }
});
