import {
  type CopyPlan,
  type EncodedPlan,
  encodePlan,
  type MemoryHandle,
} from '@array-interface/core/backend';
import { noPlans } from '@array-interface/support';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Addon, NativeQueue } from '../../src/addon.js';
import { addon } from '../../src/addon.js';
import { libcuda } from '../../src/find-driver.js';
import { refused } from '../support/refused.js';

// The addon checks tags, sizes and layouts once more: what TypeScript lets through by mistake, or a
// cast, is an error and never a crash.

const PLAN: CopyPlan = {
  destination: 0n,
  source: 0n,
  unit: 4,
  shape: [4],
  destinationStrides: [4],
  sourceStrides: [4],
  conversion: null,
  nbytes: 16,
};

describe('addon', () => {
  let native: Addon;
  let stream: NativeQueue;

  beforeAll(() => {
    native = libcuda();
    stream = native.createQueue(0, true, 0);
  });

  /** Pinned memory for the length of a test. */
  function pinned(): { readonly handle: MemoryHandle } & Disposable {
    const { handle } = native.allocate(0, 'host', 16, 0);
    return { handle, [Symbol.dispose]: () => native.endMemory(handle) };
  }

  test('takes only handles of the right kind', async () => {
    const event = native.record(stream.handle);
    using memory = pinned();
    const { handle } = memory;
    const wrong = [event, handle, {}, null, undefined, 7, 'x', stream] as never[];
    for (const value of wrong) {
      await refused(() => native.record(value), 'ERR_TYPE');
      await refused(() => native.queryQueue(value), 'ERR_TYPE');
      await refused(() => native.endQueue(value), 'ERR_TYPE');
      await refused(() => native.copy(value, encodePlan(PLAN), handle, handle), 'ERR_TYPE');
      await refused(() => native.exportOn(handle, value), 'ERR_TYPE');
    }
    for (const value of [stream.handle, handle, {}, null] as never[]) {
      await refused(() => native.enqueueWait(stream.handle, value), 'ERR_TYPE');
      await refused(() => native.queryEvent(value), 'ERR_TYPE');
      await refused(() => native.waitEvent(value), 'ERR_TYPE');
      await refused(() => native.waitEventSync(value), 'ERR_TYPE');
    }
    for (const value of [stream.handle, event, {}, null] as never[]) {
      await refused(() => native.endMemory(value), 'ERR_TYPE');
      await refused(() => native.lend(value), 'ERR_TYPE');
      await refused(() => native.waitMemory(value), 'ERR_TYPE');
      await refused(() => native.copy(stream.handle, encodePlan(PLAN), value, handle), 'ERR_TYPE');
      await refused(() => native.copy(stream.handle, encodePlan(PLAN), handle, value), 'ERR_TYPE');
      await refused(() => native.read(value, encodePlan(PLAN), new Uint8Array(16)), 'ERR_TYPE');
    }
  });

  test('copies nothing beyond either side', async () => {
    using memory = pinned();
    const { handle } = memory;
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => i);
    native.read(handle, encodePlan(PLAN), bytes);
    const back = new Uint8Array(16);
    native.write(handle, encodePlan(PLAN), back);
    expect(back).toEqual(bytes);
    const reversed = { ...PLAN, source: 12n, sourceStrides: [-4] };
    native.write(handle, encodePlan(reversed), back);
    expect([...back.slice(0, 4)]).toEqual([12, 13, 14, 15]);
    const outside: Partial<CopyPlan>[] = [
      { shape: [5] },
      { source: 4n },
      { destination: 4n },
      { sourceStrides: [-4] },
      { destinationStrides: [2 ** 52] },
      { destination: 2n ** 64n - 4n },
    ];
    for (const change of outside) {
      const plan = { ...PLAN, ...change };
      await refused(() => native.read(handle, encodePlan(plan), bytes), 'ERR_OUT_OF_BOUNDS');
      await refused(() => native.write(handle, encodePlan(plan), back), 'ERR_OUT_OF_BOUNDS');
    }
    await refused(
      () => native.read(handle, encodePlan(PLAN), new Uint8Array(15)),
      'ERR_OUT_OF_BOUNDS',
    );
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    await refused(() => native.read(handle, encodePlan(PLAN), bytes), 'ERR_OUT_OF_BOUNDS');
    const device = native.allocate(0, 'device', 16, 0);
    await refused(() => native.read(device.handle, encodePlan(PLAN), back), 'ERR_TYPE');
    native.endMemory(device.handle);
    await refused(() => native.read(device.handle, encodePlan(PLAN), back), 'ERR_DISPOSED');
  });

  test('accepts only plans that its kernels can execute', async () => {
    using memory = pinned();
    const { handle } = memory;
    const bytes = new Uint8Array(16);
    const copy = (plan: EncodedPlan) => native.copy(stream.handle, plan, handle, handle);
    for (const [name, value] of noPlans(encodePlan(PLAN))) {
      const plan = value as EncodedPlan;
      expect((await refused(() => native.read(handle, plan, bytes), 'ERR_TYPE')).path, name).toBe(
        'plan',
      );
      await refused(() => copy(plan), 'ERR_TYPE');
    }
    const impossible: Record<string, unknown>[] = [
      { unit: 3 },
      { shape: [-1] },
      { destination: 16n, source: 18n, sourceStrides: [8] },
      { destination: 16n, source: 16n, sourceStrides: [3] },
    ];
    for (const change of impossible) {
      await refused(() => copy(encodePlan({ ...PLAN, ...change } as CopyPlan)), 'ERR_ARGUMENT');
    }
  });

  test('copies a run of bytes only on a live stream and between live memories', async () => {
    const { handle, pointer } = native.allocate(0, 'host', 16, 0);
    const run = (...changes: unknown[]) => {
      const given = [pointer, pointer + 8n, 8, handle, handle].map((own, i) => changes[i] ?? own);
      native.copyRun(stream.handle, ...(given as [bigint, bigint, number, never, never]));
    };
    native.read(
      handle,
      encodePlan(PLAN),
      new Uint8Array(16).map((_, i) => i),
    );
    run();
    await native.waitMemory(handle);
    const back = new Uint8Array(16);
    native.write(handle, encodePlan(PLAN), back);
    expect([...back]).toEqual([...Array(16).keys()].map((i) => 8 + (i % 8)));
    await refused(() => run(0n), 'ERR_ARGUMENT');
    await refused(() => run(pointer, 0n), 'ERR_ARGUMENT');
    expect(() => run(0n, 0n, 0)).not.toThrow();
    await refused(() => run(Number(pointer)), 'ERR_TYPE');
    await refused(() => run(pointer, pointer, -1), 'ERR_TYPE');
    await refused(() => run(pointer, pointer, 8, stream.handle), 'ERR_TYPE');
    native.endMemory(handle);
    await refused(() => run(), 'ERR_DISPOSED');
  });

  test('frees memory and streams once', async () => {
    const { handle } = native.allocate(0, 'device', 16, 0);
    native.endMemory(handle);
    native.endMemory(handle);
    await refused(() => native.waitMemory(handle), 'ERR_DISPOSED');
    const own = native.createQueue(0, true, 0);
    native.endQueue(own.handle);
    native.endQueue(own.handle);
    await refused(() => native.record(own.handle), 'ERR_DISPOSED');
  });

  test('waits for many events at once', async () => {
    const waits = Array.from({ length: 500 }, () => native.waitEvent(native.record(stream.handle)));
    await Promise.all(waits);
  });

  test('is initialized once', () => {
    expect(addon()).toBe(native);
  });
});
