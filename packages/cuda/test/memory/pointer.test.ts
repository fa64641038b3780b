import { type CudaArray, cuda } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { childAnswer } from '../support/child.js';

describe('inspectPointer', () => {
  test.each(['device', 'shared', 'host'] as const)('%s memory, from within', (memoryKind) => {
    using array: CudaArray = cuda.empty([100], 'float32', { memoryKind });
    for (const offset of [0n, 399n]) {
      const found = cuda.inspectPointer(array.pointer + offset);
      expect(found).toMatchObject({ memoryKind, device: 0 });
      expect(found.hostAccessible).toBe(memoryKind !== 'device');
      const { pointer, byteLength } = found.allocation ?? { pointer: 0n, byteLength: 0 };
      expect(pointer).toBe(array.pointer);
      expect(byteLength).toBeGreaterThanOrEqual(400);
    }
  });

  test('the device that it is on', () => {
    for (const { index } of cuda.devices()) {
      using array = cuda.empty([1], 'uint8', { device: index });
      expect(cuda.inspectPointer(array.pointer).device).toBe(index);
    }
  });

  test('addresses that the driver does not know', () => {
    const unknown = { memoryKind: 'unknown', device: null, allocation: null };
    for (const pointer of [0n, 1n, 0x1000n, 2n ** 64n - 1n]) {
      expect(cuda.inspectPointer(pointer)).toMatchObject(unknown);
    }
  });

  test('as the first call of a process', async () => {
    const kind = await childAnswer<string>(
      `import { cuda } from '@array-interface/cuda';
      console.log(JSON.stringify(cuda.inspectPointer(0x1000n).memoryKind));`,
    );
    expect(kind).toBe('unknown');
  });
});
