import { cuda } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { refused } from '../support/refused.js';

const KINDS = ['device', 'shared', 'host'] as const;
const PAIRS = KINDS.flatMap((to) => KINDS.map((from) => [to, from] as const));
const VALUES = Float32Array.from({ length: 42 }, (_, i) => i);

describe('memory', () => {
  test.each(PAIRS)(
    'copies into %s memory from %s memory, contiguous and strided',
    async (to, from) => {
      using source = await cuda.array(VALUES, { memoryKind: from });
      using dense = cuda.empty([42], 'float32', { memoryKind: to });
      await cuda.copy(dense, source);
      expect(await cuda.toTypedArray(dense)).toEqual(VALUES);
      using padded = cuda.empty([14, 2], 'float32', { memoryKind: to, byteStrides: [64, 4] });
      await cuda.fill(padded, -1);
      const column = padded.permuteDims([1, 0]).slice([[0, 1]]);
      await cuda.copy(column, source.slice([[null, null, -3]]));
      const expected = Array.from({ length: 14 }, (_, i) => [41 - 3 * i, -1]).flat();
      expect([...(await cuda.toTypedArray(padded))]).toEqual(expected);
    },
  );

  test('refuses other kinds, and contradictory devices', async () => {
    const empty = (options: object) => () => cuda.empty([1], 'uint8', options);
    await refused(empty({ memoryKind: 'pageable' }), 'ERR_ARGUMENT');
    await refused(empty({ memoryKind: 'unknown' }), 'ERR_ARGUMENT');
    await refused(empty({ device: 99 }), 'ERR_ARGUMENT');
    using queue = cuda.createStream();
    await refused(empty({ queue, device: 1 }), 'ERR_ARGUMENT');
  });

  test('too much of it', async () => {
    for (const memoryKind of KINDS) {
      const error = await refused(
        () => cuda.empty([2 ** 50], 'uint8', { memoryKind }),
        'ERR_OUT_OF_MEMORY',
      );
      expect(error.driverCode).toBe('CUDA_ERROR_OUT_OF_MEMORY');
      expect(error.message).toContain(`${2 ** 50} bytes`);
    }
  });
});
