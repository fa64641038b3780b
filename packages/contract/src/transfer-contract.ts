import type { Backend, CopyOptions } from '@array-interface/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkCopy } from './copies/check-copy.js';
import { COPY_CASES, type CopyCase } from './copies/copy-cases.js';
import { randomCopy } from './copies/random-layout.js';
import { Block } from './support/block.js';
import { exported } from './support/exported.js';
import { random } from './support/random-cases.js';
import { aborted, allRefused, refused } from './support/refused.js';
import { requireAvailable, type Subject, wildPointer } from './support/subject.js';
import { coldTransfers } from './transfers/cold-transfers.js';
import { crossings } from './transfers/crossings.js';

/** These sizes cut the cases into chunks of one row, of several rows, and of all rows. */
const CHUNKS = [1, 24, 100, 1000, 2 ** 26];

/**
 * Registers the tests of copies between two backends, in both directions. Call it at the top level
 * of a test file. Uses nothing of the backends before its tests run.
 *
 * @example
 * ```ts
 * import { transferContract } from '@array-interface/contract';
 * import * as cuda from '@array-interface/cuda';
 * import * as host from '@array-interface/host';
 *
 * const { liveAllocations } = host;
 * const device = { backend: cuda.cuda, liveAllocations: cuda.liveAllocations };
 * transferContract('host and cuda', { backend: host.host, liveAllocations }, device);
 * ```
 */
export function transferContract(name: string, a: Subject, b: Subject): void {
  describe(`${name}: transfer contract`, () => {
    requireAvailable(a);
    requireAvailable(b);
    describe('there', () => direction(a, b));
    describe('and back', () => direction(b, a));
  });
}

function direction(from: Subject, to: Subject): void {
  const check = (backend: Backend, options?: CopyOptions) => (one: CopyCase) =>
    checkCopy(one, [to.backend, from.backend], (target, source) =>
      backend.copy(target, source, options),
    );

  describe.each([
    ['by the destination', to.backend],
    ['by the source', from.backend],
  ])('copied %s', (_, backend) => {
    test.each(COPY_CASES)('$name', check(backend));
  });

  const settings = random(from.runs);
  test(`random layouts and chunks, seed ${settings.seed}`, async () => {
    const property = fc.asyncProperty(
      randomCopy.filter((one) => !one.to.shape.includes(0)),
      fc.constantFrom(...CHUNKS),
      (one, chunkBytes) => check(to.backend, { chunkBytes })(one),
    );
    await fc.assert(property, settings);
  });

  test('floats become the nearest integers on the way', () => rounds(from.backend, to.backend));
  test('waits for the work pending on either side', () => pending(from.backend, to.backend));
  test('refuses before anything is written', () => refusals(from.backend, to));
  test('refuses to borrow memory that it cannot access', () => loans(from.backend, to.backend));
  test('says how to use an array of the other', () => foreign(from.backend, to.backend));
  crossings(from, to);
  coldTransfers(from.backend, to.backend);
  test("makes an array of the other's, whatever its layout", () => makes(from.backend, to.backend));
}

async function rounds(from: Backend, to: Backend): Promise<void> {
  using source = await from.array(Float64Array.of(0.5, 1.5, -2.5, 3.7, 1e30, Number.NaN));
  const options = { casting: 'unsafe', rounding: 'nearest' } as const;
  const expected = Int32Array.of(0, 2, -2, 4, 2 ** 31 - 1, 0);
  for (const backend of [from, to]) {
    for (const chunkBytes of [8, 2 ** 20]) {
      using target = to.empty([6], 'int32');
      await backend.copy(target, source, { ...options, chunkBytes });
      expect(await to.toTypedArray(target)).toEqual(expected);
    }
  }
  using wide = to.empty([6], 'int64');
  await to.copy(wide, source, options);
  const [most, none] = [2n ** 63n - 1n, 0n];
  expect(await to.toTypedArray(wide)).toEqual(BigInt64Array.of(0n, 2n, -2n, 4n, most, none));
}

async function pending(from: Backend, to: Backend): Promise<void> {
  using there = from.createQueue();
  using here = to.createQueue();
  using source = await Block.make(from, 4096, 1);
  using between = from.empty([4096], 'uint8');
  using target = to.empty([4096], 'uint8');
  const work = [
    from.copy(between, source.array, { queue: there }),
    to.fill(target, 1, { queue: here }),
    to.copy(target, between, { queue: here }),
    to.copy(target.slice([[0, 1]]), between.slice([[1, 2]])),
  ];
  await Promise.all(work);
  source.expected[0] = source.expected[1] as number;
  expect(await from.toTypedArray(target)).toEqual(source.expected);
}

async function refusals(from: Backend, to: Subject): Promise<void> {
  using source = await Block.make(from, 64, 1);
  using target = await Block.make(to.backend, 64, 2);
  const wildOf = ({ array }: Block) => exported(array).producer({ data: [wildPointer(to), false] });
  const outside = exported(target.array).producer({ shape: [2 ** 20, 64], strides: null });
  const { backend } = to;
  await allRefused(
    ['ERR_POINTER_UNKNOWN', 'ERR_NOT_ACCESSIBLE'],
    () => backend.copy(wildOf(target), source.array),
    () => from.copy(source.array, wildOf(source)),
  );
  await refused(() => backend.copy(outside, source.array), 'ERR_OUT_OF_BOUNDS');
  const short = source.array.slice([[1, null]]);
  await refused(() => backend.copy(target.array, short), 'ERR_SHAPE_MISMATCH');
  await aborted(() => backend.copy(target.array, source.array, { signal: AbortSignal.abort() }));
  source.array[Symbol.dispose]();
  await refused(() => backend.copy(target.array, source.array), 'ERR_DISPOSED');
  await target.verify();
}

/**
 * Each backend's usual memory is its own, unless this process reaches it: then the host borrows it.
 * A backend of the same protocol borrows it by the dict.
 */
async function loans(from: Backend, to: Backend): Promise<void> {
  if (from.protocol === to.protocol) return;
  const source = await Block.make(from, 64, 1);
  const { array } = source;
  const { memory, pointer } = array;
  if (memory.hostOffset !== null && to.inspectPointer(pointer).hostAccessible) {
    using loan = to.asArray(array);
    expect(loan.pointer).toBe(pointer);
    expect(await to.toTypedArray(loan)).toEqual(source.expected);
    source[Symbol.dispose]();
    await refused(() => to.asArray(array), 'ERR_DISPOSED');
    return;
  }
  for (const one of [array, array.slice([[1, null, 2]]), array.descriptor]) {
    const { path, reason } = await refused(() => to.asArray(one), 'ERR_NOT_ACCESSIBLE');
    expect([path, reason]).toEqual([
      'producer',
      `expected memory of the ${to.name} backend, got an array of the ${from.name} backend, in ` +
        `${array.memory.memoryKind} memory; copy it with ${to.name}.array()`,
    ]);
  }
  source[Symbol.dispose]();
  await refused(() => to.asArray(array), 'ERR_DISPOSED');
}

/** What takes arrays of one backend only says how to copy those of the other. */
async function foreign(from: Backend, to: Backend): Promise<void> {
  using theirs = await from.array([0, 1], { dtype: 'int32' });
  using ours = await to.array([0, 1], { dtype: 'int32' });
  using queue = to.createQueue();
  const calls: readonly [path: string, call: () => unknown][] = [
    ['reads[0]', () => to.use(queue, { reads: [theirs] }, () => {})],
    ['writes[0]', () => to.use(queue, { writes: [theirs] }, () => {})],
    ['array', () => to.take(theirs, [0])],
    ['indices', () => to.take(ours, theirs)],
    ['array', () => to.put(theirs, [0], [1])],
    ['values', () => to.put(ours, [0, 1], theirs)],
    ['a', () => to.where([true, false], theirs, ours)],
  ];
  for (const [path, call] of calls) {
    const error = await refused(call, 'ERR_NOT_ACCESSIBLE');
    expect([error.path, error.reason]).toEqual([
      path,
      expect.stringMatching(`got .*; copy it with (await )?${to.name}\\.array\\(`),
    ]);
  }
}

async function makes(from: Backend, to: Backend): Promise<void> {
  using source = await Block.make(from, 60, 3);
  const view = source.array.slice([[50, 10, -4]]);
  using made = await to.array(view);
  const copied = to.array(view);
  expect(made.backend).toBe(to);
  expect(made.shape).toEqual([10]);
  const expected = Uint8Array.from({ length: 10 }, (_, i) => source.expected[50 - 4 * i] as number);
  expect(await to.toTypedArray(made)).toEqual(expected);
  expect(await to.toTypedArray(view)).toEqual(expected);
  using array = await copied;
  expect(await from.toTypedArray(array)).toEqual(expected);
}
