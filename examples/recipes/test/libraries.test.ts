import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { host } from '@array-interface/host';
import { makeVector, tableFromArrays, tableFromIPC, tableToIPC, Vector } from 'apache-arrow';
import { InferenceSession, registerBackend, Tensor } from 'onnxruntime-common';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import * as zarr from 'zarrita';
import { fromColumn, toTable } from '../src/arrow.js';
import { fromDuckDB } from '../src/duckdb.js';
import { result, run } from '../src/onnx.js';
import { brighten } from '../src/sharp.js';
import { fromNdArray } from '../src/stdlib.js';
import { halve } from '../src/zarrita.js';

describe('sharp', () => {
  const astronaut = fileURLToPath(new URL('../../data/astronaut.png', import.meta.url));
  const folder = mkdtempSync(path.join(tmpdir(), 'recipes-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('a photograph is mirrored and brighter, as sharp makes it', async () => {
    const out = path.join(folder, 'brighter.png');
    await brighten(astronaut, out, 1.3);
    const mirrored = await sharp(astronaut).flop().raw().toBuffer();
    const expected = mirrored.map((value) => roundToEven(Math.min(255, Math.fround(value * 1.3))));
    expect(await sharp(out).raw().toBuffer()).toEqual(Buffer.from(expected));
  });

  function roundToEven(value: number): number {
    const down = Math.floor(value);
    const isUp = value - down > 0.5 || (value - down === 0.5 && down % 2 === 1);
    return isUp ? down + 1 : down;
  }
});

describe('ONNX Runtime', () => {
  /** A runtime of one model, y = 2 x, by the interface that onnxruntime-node implements. */
  const doubling = {
    inputNames: ['x'],
    outputNames: ['y'],
    inputMetadata: [],
    outputMetadata: [],
    startProfiling: () => {},
    endProfiling: () => {},
    dispose: async () => {},
    async run(
      { x }: InferenceSession.OnnxValueMapType,
      { y }: InferenceSession.NullableOnnxValueMapType,
    ) {
      if (!(x?.data instanceof Float32Array)) throw new TypeError('expected floats');
      const made = y ?? new Tensor('float32', new Float32Array(x.size), x.dims);
      if (!(made.data instanceof Float32Array)) throw new TypeError('expected floats');
      made.data.set(x.data.map((value) => 2 * value));
      return { y: made };
    },
  };
  registerBackend(
    'doubling',
    { init: async () => {}, createInferenceSessionHandler: async () => doubling },
    1,
  );
  const model = () =>
    InferenceSession.create(new Uint8Array(1), { executionProviders: ['doubling'] });

  test('reads and writes memory of ours', async () => {
    using input = await host.array(
      [
        [1, 2],
        [3, 4],
      ],
      { dtype: 'float32' },
    );
    using output = host.empty([2, 2], 'float32');
    await run(await model(), input, output);
    expect(await output.toNested()).toEqual([
      [2, 4],
      [6, 8],
    ]);
  });

  test('gives memory of its own, in place', async () => {
    using input = await host.array(
      [
        [1, 2],
        [3, 4],
      ],
      { dtype: 'float32' },
    );
    using output = await result(await model(), input);
    expect(output.memory.buffer).not.toBe(null);
    expect(await output.toNested()).toEqual([
      [2, 4],
      [6, 8],
    ]);
  });
});

describe('Apache Arrow', () => {
  test('a column of one batch is read in place, one of several is copied', async () => {
    const column = tableFromArrays({ x: new Float32Array([1, 2, 3]) }).getChild('x');
    if (column === null) throw new Error('expected the column x');
    using array = await fromColumn(column);
    await host.fill(array.slice([[0, 2]]), 9);
    expect([...column.toArray()]).toEqual([9, 9, 3]);

    const batches = new Vector([column, makeVector(new Float32Array([4, 5])), column.slice(1, 2)]);
    using joined = await fromColumn(batches);
    expect(await joined.toNested()).toEqual([9, 9, 3, 4, 5, 9]);
  });

  test('a table sees what is written into the matrix, and can be sent', async () => {
    using matrix = await host.array(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { dtype: 'float32' },
    );
    const table = await toTable(matrix, ['x', 'y']);
    await host.fill(matrix.slice([1]), 7);
    const sent = tableFromIPC(tableToIPC(table));
    expect(sent.toArray().map((row) => row.toJSON())).toEqual([
      { x: 1, y: 7 },
      { x: 2, y: 7 },
      { x: 3, y: 7 },
    ]);
  });
});

describe('zarrita', () => {
  test.each([
    { height: 6, width: 4, chunk: 2 },
    { height: 7, width: 5, chunk: 3 }, // the last chunks are partly filled
    { height: 1, width: 1, chunk: 8 },
  ])('halves $height x $width in chunks of $chunk', async ({ height, width, chunk }) => {
    const chunkShape = [chunk, chunk];
    const make = (shape: number[]) =>
      zarr.create(zarr.root(new Map()), { shape, chunkShape, dtype: 'float32' });
    const from = await make([height, width]);
    const to = await make([Math.ceil(height / 2), Math.ceil(width / 2)]);
    const values = Float32Array.from({ length: height * width }, (_, i) => i);
    await zarr.set(from, null, { data: values, shape: [height, width], stride: [width, 1] });
    await halve(from, to);

    const halved = await zarr.get(to);
    using expected = await host.array(values, { shape: [height, width] });
    const half = expected.slice([
      [null, null, 2],
      [null, null, 2],
    ]);
    expect(halved.shape).toEqual(half.shape);
    expect(halved.data).toEqual(await host.toTypedArray(half));
  });
});

test('DuckDB: columns with bigints and nulls are a matrix', async () => {
  // What getColumnsObjectJS() of @duckdb/node-api 1.5.6 returned for
  // from (values (1::integer, 10::bigint, 0.5::double), (2, 20, null)) as rows(a, b, c)
  const columns = { a: [1, 2], b: [10n, 20n], c: [0.5, null] };
  using matrix = await fromDuckDB(columns);
  expect(await matrix.toNested()).toEqual([
    [1, 10, 0.5],
    [2, 20, Number.NaN],
  ]);
});

test('@stdlib: a reversed view of an ndarray is a view of its memory', async () => {
  // The properties of an ndarray of @stdlib/ndarray-ctor: columns 1 and 0 of a 3 x 2 matrix.
  const data = new Float64Array([1, 2, 3, 4, 5, 6]);
  using array = fromNdArray({ data, shape: [3, 2], strides: [2, -1], offset: 1 });
  expect(await array.toNested()).toEqual([
    [2, 1],
    [4, 3],
    [6, 5],
  ]);
  await host.fill(array.slice([null, 0]), 0);
  expect([...data]).toEqual([1, 0, 3, 0, 5, 0]);
});
