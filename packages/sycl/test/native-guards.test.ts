import { type Allocation, type CopyPlan, encodePlan } from '@array-interface/core/backend';
import { type ExactPlan, exactPlans, typeCodes } from '@array-interface/support';
import { describe, expect, test } from 'vitest';
import { runtime } from '../src/driver/runtime.js';
import { refused } from './support/refused.js';

// What TypeScript checks as well: the addon takes exactly what it can do, and nothing beside that. Its
// twin is in packages/cuda/test/driver/native-guards.test.ts.

const native = runtime();
const { handle: contextDevice } = native.contextDevice(0);
const { handle: queue } = native.createQueue(contextDevice, true, false);

/** Host memory of so many bytes, for the length of a test. */
function hostMemory(byteLength: number) {
  const { handle, range } = native.allocate(contextDevice, 3, byteLength, 0, 64);
  const { pointer } = range as Allocation;
  return { handle, pointer, [Symbol.dispose]: () => native.endMemory(handle) };
}
type HostMemory = ReturnType<typeof hostMemory>;

/** The plan between two memories. */
function between({ plan }: ExactPlan, target: HostMemory, origin: HostMemory): CopyPlan {
  const [destination, source] = [target.pointer + plan.destination, origin.pointer + plan.source];
  return { ...plan, destination, source } as CopyPlan;
}

describe.each(exactPlans())('$name', (exact) => {
  const { destinationBytes, sourceBytes } = exact;
  const plan = encodePlan(exact.plan as CopyPlan).slice();

  test('is read into all its bytes, and into no fewer', async () => {
    using whole = hostMemory(destinationBytes);
    native.read(whole.handle, plan, new Uint8Array(sourceBytes));
    const short = new Uint8Array(sourceBytes - 1);
    await refused('ERR_OUT_OF_BOUNDS', () => native.read(whole.handle, plan, short));
    if (destinationBytes === 1) return;
    using less = hostMemory(destinationBytes - 1);
    const all = new Uint8Array(sourceBytes);
    await refused('ERR_OUT_OF_BOUNDS', () => native.read(less.handle, plan, all));
  });

  test.each(['write', 'peek'] as const)('%s has all its bytes, and no fewer', async (name) => {
    using whole = hostMemory(sourceBytes);
    native[name](whole.handle, plan, new Uint8Array(destinationBytes));
    const short = new Uint8Array(destinationBytes - 1);
    await refused('ERR_OUT_OF_BOUNDS', () => native[name](whole.handle, plan, short));
    if (sourceBytes === 1) return;
    using less = hostMemory(sourceBytes - 1);
    const all = new Uint8Array(destinationBytes);
    await refused('ERR_OUT_OF_BOUNDS', () => native[name](less.handle, plan, all));
  });

  test('is copied between memories that have all its bytes, and no fewer', async () => {
    using target = hostMemory(destinationBytes);
    using origin = hostMemory(sourceBytes);
    const copy = (to: HostMemory, from: HostMemory) =>
      native.copy(queue, encodePlan(between(exact, to, from)), to.handle, from.handle);
    await copy(target, origin);
    await native.waitMemory(target.handle);
    if (sourceBytes > 1) {
      using less = hostMemory(sourceBytes - 1);
      const { path } = await refused('ERR_OUT_OF_BOUNDS', () => copy(target, less));
      expect(path).toBe('source');
    }
    if (destinationBytes > 1) {
      using less = hostMemory(destinationBytes - 1);
      const { path } = await refused('ERR_OUT_OF_BOUNDS', () => copy(less, origin));
      expect(path).toBe('destination');
    }
  });

  test('is not copied before the first byte of either', async () => {
    using target = hostMemory(destinationBytes);
    using origin = hostMemory(sourceBytes);
    const all = between(exact, target, origin);
    const early = [
      { ...all, destination: all.destination - BigInt(all.unit) },
      { ...all, source: all.source - 16n },
    ];
    for (const one of early) {
      const copy = () => native.copy(queue, encodePlan(one), target.handle, origin.handle);
      await refused('ERR_OUT_OF_BOUNDS', copy);
    }
  });
});

describe('the types of a kernel', () => {
  const load = (type: number) =>
    native.loadKernel(
      contextDevice,
      new Uint8Array(4),
      'none',
      new Uint8Array(Uint32Array.of(type).buffer),
    );

  test('are all of core’s', async () => {
    // it is the code that is wrong
    for (const type of typeCodes().known) {
      await refused('ERR_KERNEL', () => native.kernelLoaded(load(type)));
    }
  });

  test('are no other number', async () => {
    for (const type of typeCodes().unknown) {
      const { message } = await refused('ERR_ARGUMENT', () => load(type));
      expect(message, `type ${type}`).toContain('type codes');
    }
  });
});
