import { checkedOptions } from '@array-interface/contract';
import { host } from '@array-interface/host';
import { describe, expect, test } from 'vitest';

// The contract tests the functions that every backend has.
checkedOptions({
  explainCopy: (given) => host.explainCopy(new Uint8Array(4), Uint8Array.of(1, 2, 3, 4), given),
});

describe('threads', () => {
  test.each([0, 1025, 1.5, 'two', null])('%s are too many, too few or none', async (threads) => {
    const options = { threads } as never;
    const refusal = { code: 'ERR_ARGUMENT', path: 'threads' };
    await expect(host.array([1, 2], options)).rejects.toMatchObject(refusal);
    await expect(host.fill(new Uint8Array(2), 1, options)).rejects.toMatchObject(refusal);
    const copy = host.copy(new Uint8Array(2), Uint8Array.of(1, 2), options);
    await expect(copy).rejects.toMatchObject(refusal);
  });

  test('may be requested beside a queue and for a new array', async () => {
    using queue = host.createQueue();
    using array = await host.array([1, 2], { threads: 2, queue });
    expect(await host.toTypedArray(array, { threads: 2 })).toEqual(Float64Array.of(1, 2));
  });
});
