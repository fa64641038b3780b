import type { ErrorCode } from '@array-interface/core';
import { SyclArray, SyclContext, SyclEvent, SyclQueue, sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { OtherQueue } from './support/other-library.js';
import { refused } from './support/refused.js';

type Call = () => unknown;

/** What a class offers by name: its methods and getters, and those of what it extends. */
function offered(type: { readonly prototype: object }): string[] {
  const names = new Set<string>();
  for (let at = type.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  names.delete('constructor');
  return [...names].sort();
}

/** Calls all, expects the code of each, and that no other is offered but those that need no native object. */
async function allRefused(
  type: { readonly prototype: object },
  code: ErrorCode,
  calls: Readonly<Record<string, Call>>,
  harmless: readonly string[],
): Promise<void> {
  expect(offered(type)).toEqual([...Object.keys(calls), ...harmless].sort());
  for (const call of Object.values(calls)) await refused(code, call);
}

test('every function of a disposed queue', async () => {
  const queue = sycl.createQueue();
  using other = sycl.createQueue();
  const event = other.record();
  queue[Symbol.dispose]();
  const inner = queue as unknown as { native: unknown; assertLive(): void };
  const calls = {
    handle: () => queue.handle,
    native: () => inner.native,
    record: () => queue.record(),
    query: () => queue.query(),
    wait: () => queue.wait(event),
    isSame: () => queue.isSame(other),
    synchronize: () => queue.synchronize(),
    synchronizeSync: () => queue.synchronizeSync(),
    assertLive: () => inner.assertLive(),
    _get_capsule: () => queue._get_capsule(),
  };
  const harmless = [
    'assertEnqueued',
    'isEnqueued',
    'assertRuns',
    'checkRuns',
    'destroy',
    'dispose',
    'disposed',
    'ownEvent',
    'release',
    'retain',
  ];
  await allRefused(SyclQueue, 'ERR_DISPOSED', calls, harmless);
  await refused('ERR_DISPOSED', () => sycl.empty([1], 'uint8', { queue }));
  await refused('ERR_DISPOSED', () => sycl.array([1], { queue }));
  using array = sycl.empty([1], 'uint8');
  await refused('ERR_DISPOSED', () => sycl.fill(array, 1, { queue }));
  await refused('ERR_DISPOSED', () => sycl.copy(array, new Uint8Array(1), { queue }));
  await refused('ERR_DISPOSED', () => sycl.toTypedArray(array, { queue }));
});

test('every function that takes a disposed array', async () => {
  const array = sycl.empty([2, 2], 'float32', { memoryKind: 'host' });
  using other = sycl.empty([2, 2], 'float32');
  array[Symbol.dispose]();
  array[Symbol.dispose]();
  const calls: Call[] = [
    () => array.descriptor,
    () => array.pointer,
    () => array.__sycl_usm_array_interface__,
    () => array.slice([0]),
    () => array.permuteDims([1, 0]),
    () => array.flip(),
    () => array.synchronize(),
    () => array.asTypedArray(),
    () => array.forDpnp(),
    () => sycl.asArray(array),
    () => sycl.array(array),
    () => sycl.copy(array, other),
    () => sycl.copy(other, array),
    () => sycl.fill(array, 1),
    () => sycl.toTypedArray(array),
  ];
  for (const call of calls) await refused('ERR_DISPOSED', call);
});

test('objects that this package did not make', async () => {
  const forged = <T extends object>(type: { readonly prototype: T }): T =>
    Object.create(type.prototype) as T;
  const [queue, event, context] = [forged(SyclQueue), forged(SyclEvent), forged(SyclContext)];
  using live = sycl.createQueue();
  const calls: Call[] = [
    () => live.wait(event),
    () => event.query(),
    () => event.status,
    () => event.times,
    () => event.synchronize(),
    () => event.synchronizeSync(),
    () => queue.record(),
    () => sycl.createQueue({ context }),
    () => sycl.empty([1], 'uint8', { context }),
    () => sycl.empty([1], 'uint8', { queue }),
    () => sycl.asQueue(queue),
    () => sycl.asQueue(context),
    () => context.isDefault,
    () => context._get_capsule(),
    () => forged(SyclArray).descriptor,
  ];
  for (const call of calls) {
    await expect((async () => await call())()).rejects.toBeInstanceOf(Error);
  }
  expect(live.query()).toBe(true);
});

test('null and other pointers, in every place that takes one', async () => {
  using other = new OtherQueue(true);
  const theirs = other.allocate(64);
  using ours = sycl.empty([64], 'uint8');
  const at = (pointer: bigint) => ({
    __sycl_usm_array_interface__: {
      shape: [64],
      typestr: '|u1',
      data: [pointer, false],
      version: 1,
      syclobj: 'cpu',
    },
  });
  const uses: ((pointer: bigint) => Call)[] = [
    (pointer) => () => sycl.asArray(at(pointer)),
    (pointer) => () => sycl.array(at(pointer)),
    (pointer) => () => sycl.copy(ours, at(pointer)),
    (pointer) => () => sycl.copy(at(pointer), ours),
    (pointer) => () => sycl.fill(at(pointer), 1),
    (pointer) => () => sycl.toTypedArray(at(pointer)),
  ];
  for (const use of uses) {
    await refused('ERR_NULL_POINTER', use(0n));
    await refused('ERR_POINTER_UNKNOWN', use(1n));
    await refused('ERR_POINTER_UNKNOWN', use(theirs));
  }
  expect(sycl.inspectPointer(0n).memoryKind).toBe('unknown');
});

test('a queue that does not reach the memory', async () => {
  using other = new OtherQueue(true);
  using foreign = sycl.asQueue({ name: 'SyclQueueRef', pointer: other.queue });
  using array = sycl.empty([4], 'uint8');
  using second = sycl.empty([4], 'uint8');
  await refused('ERR_ARGUMENT', () => sycl.copy(array, second, { queue: foreign }));
  await sycl.fill(array, 3);
  expect([...(await sycl.toTypedArray(array))]).toEqual([3, 3, 3, 3]);
});

test('alignments and sizes', async () => {
  for (const alignment of [0, 3, -8, 1.5, Number.NaN]) {
    await refused('ERR_ARGUMENT', () => sycl.empty([1], 'uint8', { alignment }));
  }
  using wide = sycl.empty([1], 'uint8', { alignment: 4096 });
  expect(wide.pointer % 4096n).toBe(0n);
  for (const memoryKind of ['device', 'host', 'shared'] as const) {
    const arrays = Array.from({ length: 20 }, (_, i) =>
      sycl.empty([1 + 3 * i], 'uint8', { alignment: 8, memoryKind }),
    );
    for (const { pointer } of arrays) expect(pointer % 64n).toBe(0n); // never less
    for (const array of arrays) array[Symbol.dispose]();
  }
  for (const device of [-1, 1, 0.5, Number.NaN]) {
    await refused('ERR_ARGUMENT', () => sycl.context(device));
    await refused('ERR_ARGUMENT', () => sycl.createQueue({ device }));
  }
});
