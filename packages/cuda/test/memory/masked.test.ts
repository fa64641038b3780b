import { setTimeout } from 'node:timers/promises';
import type { OwnedArray } from '@array-interface/core';
import { type CudaArray, cuda, liveAllocations, type Stream } from '@array-interface/cuda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isLazy } from '../support/driver-under-test.js';
import { hold } from '../support/hold.js';
import { probe } from '../support/probe.js';
import { foreignProducer } from '../support/producer.js';
import { Stranger } from '../support/stranger.js';

// Who waits for an array, or takes it over, waits for its mask, too: work on either is pending alone.

const LENGTH = 64;

let elements: OwnedArray<CudaArray>;
let flags: OwnedArray<CudaArray>;
const kept: Disposable[] = [];

function keep<T extends Disposable>(one: T): T {
  kept.push(one);
  return one;
}

beforeEach(async () => {
  elements = await cuda.array(new Uint8Array(LENGTH).fill(5));
  flags = await cuda.array(new Uint8Array(LENGTH).fill(1));
  await cuda.synchronize();
});
afterEach(async () => {
  for (const one of kept.splice(0).reverse()) one[Symbol.dispose]();
  for (const one of [elements, flags]) one[Symbol.dispose]();
  await cuda.synchronize();
  await vi.waitFor(() => expect(liveAllocations()).toBe(0), 100_000);
});

const producer = () => foreignProducer(elements, null, { mask: foreignProducer(flags, null) });
const masked = (options = {}) => keep(cuda.asArray(producer(), options));
const lent = () => keep(cuda.asArray(masked()));
const view = () => masked().flip();

/** Work on either array, which is pending until `held` is disposed. */
interface Pending {
  readonly held: Disposable;
  readonly queue: Stream;
}
function pendingOn(array: CudaArray): Pending {
  const queue = keep(cuda.createStream());
  const held = keep(hold(queue));
  void cuda.fill(array, 0, { queue });
  return { held, queue };
}

/** What is read of an array's memory by somebody who has waited for a stream. */
function readAfter(stream: bigint, array: CudaArray): Stranger {
  const stranger = keep(new Stranger(LENGTH));
  const event = probe.createEvent();
  probe.recordEvent(event, stream);
  probe.waitEvent(stranger.stream, event);
  stranger.copyFrom(array.pointer);
  probe.destroyEvent(event);
  return stranger;
}

const PARTS = [
  ['its elements', () => elements],
  ['its mask', () => flags],
] as const;

const SETTLED: readonly (readonly [string, () => unknown])[] = [
  ['an array', masked],
  ['a loan of it', lent],
  ['a view', view],
  ['a producer', producer],
];

describe.each(PARTS)('while work on %s is pending', (_, part) => {
  test.each(SETTLED)('%s settles after that', async (_, make) => {
    const given = make();
    const { held, queue } = pendingOn(part());
    const settled = cuda.settle(given as CudaArray);
    if (!isLazy) expect(await Promise.race([settled, setTimeout(20, 'pending')])).toBe('pending');
    held[Symbol.dispose]();
    await settled;
    expect(queue.query(), 'its work has ended').toBe(true);
  });

  test('a dict names a stream that waits for it', () => {
    const array = masked();
    const { held } = pendingOn(part());
    const { stream } = array.__cuda_array_interface__;
    const reader = readAfter(stream as bigint, part());
    held[Symbol.dispose]();
    expect(reader.value).toBe(0);
  });

  test('a dict that names no stream has waited for it', () => {
    const array = masked({ exportStream: 'block' });
    const { held, queue } = pendingOn(part());
    held[Symbol.dispose](); // what blocks would keep us from that
    expect(array.__cuda_array_interface__.stream ?? null).toBeNull();
    expect(queue.query(), 'its work has ended').toBe(true);
  });

  test('its text is read after that', async () => {
    const array = masked();
    const { held } = pendingOn(part());
    const text = array.toText();
    held[Symbol.dispose]();
    expect(await text).toMatch(part() === flags ? /^[[\]\s-]+$/ : /^[[\]\s0]+$/);
  });
});

test.each(PARTS)('our later work on %s waits for who was told of a stream', async (_, part) => {
  const { stream } = masked().__cuda_array_interface__;
  const stranger = keep(new Stranger(LENGTH));
  const reading = keep(hold({ device: 0, handle: stream as bigint }));
  probe.copy(stream as bigint, stranger.pointer, part().pointer, LENGTH);
  void cuda.fill(part(), 3);
  reading[Symbol.dispose]();
  await cuda.synchronize();
  probe.synchronizeStream(stream as bigint);
  expect(stranger.value).toBe(part() === flags ? 1 : 5);
});
