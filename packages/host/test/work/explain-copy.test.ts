import { readFileSync } from 'node:fs';
import { type DTypeText, makeDescriptor } from '@array-interface/core';
import { host } from '@array-interface/host';
import { describe, expect, it } from 'vitest';
import type { AxisExplanation } from '../../src/copy-explanation.js';
import { refused } from '../support/refused.js';

const side = (
  pointer: bigint,
  dtype: DTypeText,
  shape: readonly number[],
  byteStrides?: number[],
) => makeDescriptor({ pointer, dtype, shape, ...(byteStrides && { byteStrides }) });
/** Memory that is not there. */
const to = (dtype: DTypeText, shape: readonly number[], byteStrides?: number[]) =>
  side(1n << 60n, dtype, shape, byteStrides);
const from = (dtype: DTypeText, shape: readonly number[], byteStrides?: number[]) =>
  side(1n << 61n, dtype, shape, byteStrides);

/** The axes of tiles, each as its length and those of the shape that became it. */
function lengths(axes: readonly AxisExplanation[] | undefined) {
  return axes?.map(({ length, of }) => [length, of]);
}

describe('explainCopy', () => {
  it('refuses an option that it does not know', async () => {
    const misspelt = { castng: 'no' } as never;
    await refused(
      () => host.explainCopy(to('<f4', [2]), from('<f4', [2]), misspelt),
      'ERR_ARGUMENT',
    );
  });

  it('distinguishes a memcpy from nothing, long runs and tiles', () => {
    const shape = [1000, 1024];
    expect(host.explainCopy(to('<f4', shape), from('<f4', shape))).toEqual({
      way: 'memcpy',
      unit: 1,
      sourceUnit: 1,
      inUnit: [],
      pieces: 1,
      pieceBytes: 4_096_000,
      tiles: null,
    });
    expect(host.explainCopy(to('<f4', [0, 3]), from('<f4', [0, 3])).way).toBe('nothing');
    const rows = host.explainCopy(to('<f4', shape), from('<f4', shape, [4112, 4]));
    expect(rows).toMatchObject({ way: 'runs', tiles: { count: 1000, writing: null } });
    expect(host.explainCopy(to('<f4', shape), from('<f4', shape, [4, 4000])).way).toBe('tiles');
  });

  it('names the vector instructions that the kernel reports', () => {
    const { tiles } = host.explainCopy(to('<f4', [9]), from('>f4', [9]));
    const flags = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1]?.split(' ');
    const wide = flags?.includes('avx2') === true && flags.includes('f16c');
    expect(tiles?.vectors).toBe(wide ? 'AVX2' : 'baseline');
  });

  it('says how a large matrix is transposed', () => {
    const shape = [4096, 4096];
    const { tiles } = host.explainCopy(to('<f4', shape), from('<f4', shape, [4, 16384]));
    const [rows = 0, columns = 0] = tiles?.axes.map((axis) => axis.side) ?? [];
    expect(tiles?.count).toBe(Math.ceil(4096 / rows) * Math.ceil(4096 / columns));
    expect(tiles).toMatchObject({
      units: rows * columns,
      order: [0, 1],
      reading: { loop: 'turned', length: rows, stride: 4, columns, times: 1, packs: true },
      steps: { swapsSource: 0, converts: false, swapsDestination: 0, repeats: 1 },
      writing: { rows, length: columns, contiguous: true, pastCaches: true },
    });
  });

  it('names the axes that were merged, also backwards and of several words', () => {
    const pixels = host.explainCopy(
      to('<f4', [1, 3, 224, 224]),
      from('|u1', [3, 224, 224], [1, 672, 3]),
    );
    expect(lengths(pixels.tiles?.axes)).toEqual([
      [3, [1]],
      [224 * 224, [2, 3]],
    ]);
    expect(pixels).toMatchObject({ unit: 4, sourceUnit: 1, tiles: { steps: { converts: true } } });

    const backwards = host.explainCopy(
      to('<f4', [5, 6, 7], [-168, -28, 4]),
      from('<f4', [5, 6, 7], [-168, -28, -4]),
      { casting: 'no' },
    );
    expect(lengths(backwards.tiles?.axes)).toEqual([
      [30, [0, 1]],
      [7, [2]],
    ]);

    const runs = host.explainCopy(to('<f4', [9, 8, 2]), from('<f4', [9, 8, 2], [160, 16, 4]));
    expect(runs).toMatchObject({ unit: 8, inUnit: [2] });
    expect(lengths(runs.tiles?.axes)).toEqual([
      [9, [0]],
      [8, [1]],
    ]);

    const long = host.explainCopy(to('<f4', [9, 64]), from('<f4', [9, 64], [320, 4]));
    expect(long).toMatchObject({ unit: 16, inUnit: [1] });
    expect(lengths(long.tiles?.axes)).toEqual([
      [9, [0]],
      [16, [1]],
    ]);

    const words = host.explainCopy(to('<c8', [6, 5]), from('>c8', [6, 5], [8, 48]));
    expect(words.tiles?.steps).toEqual({
      swapsSource: 4,
      converts: false,
      swapsDestination: 0,
      repeats: 1,
    });
  });

  it('says how often a unit is written, which is no axis then', () => {
    const copy = host.explainCopy(to('<f4', [9, 8, 3]), from('<f4', [9, 8, 3], [4, 36, 0]));
    expect(copy.tiles?.steps.repeats).toBe(3);
    expect(lengths(copy.tiles?.axes)).toEqual([
      [9, [0]],
      [8, [1]],
    ]);
    expect(copy.tiles?.units).toBe(72);
  });

  it('cuts pieces for threads if they are worth it', () => {
    const shape = [2048, 2048];
    const copy = [to('<f4', shape), from('<f4', shape, [4, 8192])] as const;
    expect(host.explainCopy(...copy, { threads: 4 })).toMatchObject({
      pieces: 4,
      pieceBytes: 2 ** 22,
    });
    expect(host.explainCopy(...copy, { threads: 1024 }).pieces).toBe(64);
    const run = [to('<f4', shape), from('<f4', shape, [8192, 4])] as const;
    expect(host.explainCopy(...run, { threads: 1024 }).pieces).toBe(16);
    const small = [to('<f4', [9, 9]), from('<f4', [9, 9], [4, 36])] as const;
    expect(host.explainCopy(...small, { threads: 4 }).pieces).toBe(1);
  });

  it('takes arrays and JavaScript memory, and does not change them', () => {
    using array = host.empty([2, 3], 'float32');
    const numbers = new Float32Array([1, 2, 3, 4, 5, 6]);
    expect(host.explainCopy(numbers, array.reshape([6]))).toMatchObject({ way: 'memcpy' });
    expect([...numbers]).toEqual([1, 2, 3, 4, 5, 6]);
    const itself = host.explainCopy(array, array);
    expect(itself).toMatchObject({ way: 'nothing', pieces: 1, pieceBytes: 24 });
  });

  it('refuses what the copy would refuse', async () => {
    const explain = host.explainCopy.bind(host);
    const shapes = () => explain(to('<f4', [2]), from('<f4', [3]));
    await refused(shapes, 'ERR_SHAPE_MISMATCH');
    await refused(() => explain(to('<i2', [2]), from('<f4', [2])), 'ERR_CASTING');
    const overlapping = to('<f4', [2, 2], [0, 4]);
    await refused(() => explain(overlapping, from('<f4', [2])), 'ERR_SELF_OVERLAP');
    const none = { threads: 0 };
    await refused(() => explain(to('<f4', [2]), from('<f4', [2]), none), 'ERR_ARGUMENT');
  });
});
