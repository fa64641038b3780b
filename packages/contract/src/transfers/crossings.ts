import type { Backend, CopyOptions } from '@array-interface/core';
import type { CopyProgress } from '@array-interface/core/backend';
import { expect } from 'vitest';
import { Block } from '../support/block.js';
import { withFixtures } from '../support/fixtures.js';
import { refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

const CHUNK = 64;
const CHUNKS = 40;
const LENGTH = CHUNK * CHUNKS;

/** What an application observes of a copy between two backends: its progress, and how it ends. */
export function crossings(a: Subject, b: Subject): void {
  const [from, to] = [a.backend, b.backend];
  const test = withFixtures(to, {
    source: () => Block.make(from, LENGTH, 1),
    target: () => Block.make(to, LENGTH, 2),
    again: () => Block.make(to, LENGTH, 3),
    late: () => Block.make(from, LENGTH, 4),
  });

  /** Checks every byte of a block that was copied from another. */
  async function copied(target: Block, source: Block): Promise<void> {
    target.expected.set(source.expected);
    await target.verify();
  }

  test('progress never goes back and ends at the total', async ({ source, target }) => {
    const reported: CopyProgress[] = [];
    await to.copy(target.array, source.array, {
      ...chunked,
      onProgress: (one) => reported.push(one),
    });
    expect(reported).toEqual(
      Array.from({ length: CHUNKS }, (_, i) => ({ bytes: (i + 1) * CHUNK, total: LENGTH })),
    );
    await copied(target, source);
  });

  test('new arrays report progress, too, and small ones once', async ({ source }) => {
    const reported: CopyProgress[] = [];
    using made = await to.array(source.array, { onProgress: (one) => reported.push(one) });
    expect(reported).toEqual([{ bytes: LENGTH, total: LENGTH }]);
    expect(await to.toTypedArray(made)).toEqual(source.expected);
  });

  test('an abort ends it after the chunks in flight, and says how much was written', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const stop = ({ bytes }: CopyProgress) => bytes === 5 * CHUNK && controller.abort(reason);
    const error = await interrupted(from, to, { onProgress: stop, signal: controller.signal });
    expect(error).toMatchObject({ name: 'AbortError', cause: reason });
  });

  test('an error of the listener ends it, too', async () => {
    const reason = new Error('no more');
    const onProgress = ({ bytes }: CopyProgress) => {
      if (bytes === 7 * CHUNK) throw reason;
    };
    expect(await interrupted(from, to, { onProgress })).toBe(reason);
  });

  test('an abort while it waits for earlier work writes nothing', async ({
    source,
    target,
    again,
  }) => {
    const controller = new AbortController();
    const first = to.copy(target.array, source.array, chunked);
    const second = to.copy(again.array, source.array, { signal: controller.signal });
    controller.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError', bytesWritten: 0 });
    await first;
    await copied(target, source);
    await again.verify();
  });

  test('copies of the same arrays follow one another', async ({ source, target, late }) => {
    await Promise.all([
      to.copy(target.array, source.array, chunked),
      from.copy(target.array, late.array),
      to.copy(source.array, target.array, chunked),
    ]);
    await copied(target, late);
    await copied(source, late);
  });

  test('arrays and queues may be disposed during a copy', async ({
    source,
    target,
    first: queue,
  }) => {
    const copying = to.copy(target.array, source.array, { ...chunked, queue });
    source[Symbol.dispose]();
    queue[Symbol.dispose]();
    await copying;
    await copied(target, source);
  });

  test('numbers are converted to larger and to smaller types', async () => {
    const values = Array.from({ length: 250 }, (_, i) => i - 125);
    for (const [type, other] of [
      ['int16', 'float64'],
      ['float64', '>f4'],
      ['int32', 'int8'],
    ] as const) {
      using source = await from.array(values, { dtype: type, casting: 'unsafe' });
      using target = to.empty([values.length], other);
      await to.copy(target.flip(), source, { ...chunked, casting: 'unsafe' });
      using back = await to.array(target.flip(), { dtype: 'float64', casting: 'unsafe' });
      expect([...(await to.toTypedArray(back))].map(Number)).toEqual(values);
    }
  });

  test.for([0, -1, 1.5, Number.NaN])(
    'chunks of %s bytes are refused',
    async (chunkBytes, { source, target }) => {
      await refused(() => to.copy(target.array, source.array, { chunkBytes }), 'ERR_ARGUMENT');
      await target.verify();
    },
  );
}

const chunked: CopyOptions = { chunkBytes: CHUNK };

/**
 * The error of a copy that ends early. Checks that the bytes that it reports were written, and no
 * others.
 */
async function interrupted(from: Backend, to: Backend, options: CopyOptions): Promise<unknown> {
  using source = await from.array(new Uint8Array(LENGTH).fill(1));
  using target = await to.array(new Uint8Array(LENGTH));
  const error = await to.copy(target, source, { ...chunked, ...options }).then(
    () => null,
    (reason) => reason,
  );
  const { bytesWritten } = error;
  const written = await to.toTypedArray(target);
  expect(written.filter(Boolean).length).toBe(bytesWritten);
  expect(bytesWritten).toBeGreaterThan(0);
  expect(bytesWritten).toBeLessThan(LENGTH);
  await to.fill(source, 2); // a chunk still in flight would read this from the source
  await to.fill(target, 3);
  expect(await to.toTypedArray(target)).toEqual(new Uint8Array(LENGTH).fill(3));
  return error;
}
