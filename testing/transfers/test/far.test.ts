import { transferContract } from '@array-interface/contract';
import { cuda, liveAllocations as liveCuda } from '@array-interface/cuda';
import { host, liveAllocations as liveHost } from '@array-interface/host';
import { describe, expect, test } from 'vitest';
import { FarBackend } from './far-backend.js';

// A backend that cannot access others' memory, nor they its: every copy goes through JavaScript.

const late = new FarBackend();
const atOnce = new FarBackend({ isSynchronous: true });
const subjectOf = (backend: FarBackend) => ({
  ...{ backend, liveAllocations: () => backend.liveAllocations },
  runs: 30,
});

transferContract(
  'host and a far backend that works late',
  { backend: host, liveAllocations: liveHost },
  subjectOf(late),
);
transferContract('a far backend that works at once and cuda', subjectOf(atOnce), {
  backend: cuda,
  liveAllocations: liveCuda,
});

describe.each([
  ['that works late', late],
  ['that works at once', atOnce],
])('a far backend %s', (_, far) => {
  test.each([
    ['of far memory', far, host],
    ['into far memory', host, far],
    ['of far memory into that of a device', far, cuda],
  ])('copies %s go on if both sides are disposed meanwhile', async (_name, from, to) => {
    const values = new Float32Array(100_000).fill(3);
    const source = await from.array(values);
    const target = to.empty([values.length], 'float32');
    using loan = to.asArray(target);
    const copied = to.copy(target, source, { chunkBytes: 4096 });
    source[Symbol.dispose]();
    target[Symbol.dispose]();
    await copied;
    expect(await to.toTypedArray(loan)).toEqual(values);
    await expect(to.copy(loan, source)).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
  });

  test("never works on another backend's memory", async () => {
    const values = Float32Array.of(1, 2, 3);
    using own = await far.array(values);
    using others = await host.array(values);
    expect(await far.toTypedArray(others)).toEqual(values);
    expect(await host.toTypedArray(own)).toEqual(values);
    await far.copy(others, Float32Array.of(4, 5, 6));
    const read = new Float32Array(3);
    await far.copy(read, others);
    expect(read).toEqual(Float32Array.of(4, 5, 6));
    await far.fill(others, 7);
    expect(await far.toTypedArray(others, { dtype: 'float64' })).toEqual(Float64Array.of(7, 7, 7));
    await expect(far.use(far.createQueue(), { reads: [others] }, () => {})).rejects.toMatchObject({
      ...{ code: 'ERR_NOT_ACCESSIBLE', path: 'reads[0]' },
    });
    const { mapBuffer } = far as unknown as Record<
      'mapBuffer',
      (array: object, options: object) => Promise<unknown>
    >;
    await expect(mapBuffer.call(far, others, {})).rejects.toMatchObject({
      code: 'ERR_NOT_ACCESSIBLE',
    });
  });
});
