import { type CopyPlan, encodePlan, type MemoryHandle } from '@array-interface/core/backend';
import { exactPlans, typeCodes } from '@array-interface/support';
import { describe, expect, test } from 'vitest';
import { libcuda } from '../../src/find-driver.js';
import { refused } from '../support/refused.js';

// What TypeScript checks as well: the addon takes exactly what it can do, and nothing beside that. Its
// twin is in packages/sycl/test/native-guards.test.ts.

const native = libcuda();

/** Pinned memory of so many bytes, for the length of a test. */
function pinned(byteLength: number): { readonly handle: MemoryHandle } & Disposable {
  const { handle } = native.allocate(0, 'host', byteLength, 0);
  return { handle, [Symbol.dispose]: () => native.endMemory(handle) };
}

describe.each(exactPlans())('$name', ({ plan: given, destinationBytes, sourceBytes }) => {
  const plan = encodePlan(given as CopyPlan).slice();

  test('is read into all its bytes, and into no fewer', async () => {
    using whole = pinned(destinationBytes);
    native.read(whole.handle, plan, new Uint8Array(sourceBytes));
    const short = new Uint8Array(sourceBytes - 1);
    await refused(() => native.read(whole.handle, plan, short), 'ERR_OUT_OF_BOUNDS');
    if (destinationBytes === 1) return;
    using less = pinned(destinationBytes - 1);
    const all = new Uint8Array(sourceBytes);
    await refused(() => native.read(less.handle, plan, all), 'ERR_OUT_OF_BOUNDS');
  });

  test.each(['write', 'peek'] as const)('%s has all its bytes, and no fewer', async (name) => {
    using whole = pinned(sourceBytes);
    native[name](whole.handle, plan, new Uint8Array(destinationBytes));
    const short = new Uint8Array(destinationBytes - 1);
    await refused(() => native[name](whole.handle, plan, short), 'ERR_OUT_OF_BOUNDS');
    if (sourceBytes === 1) return;
    using less = pinned(sourceBytes - 1);
    const all = new Uint8Array(destinationBytes);
    await refused(() => native[name](less.handle, plan, all), 'ERR_OUT_OF_BOUNDS');
  });
});

describe('the types of a kernel', () => {
  const load = (type: number) =>
    native.loadKernel(0, new Uint8Array(4), 'none', new Uint8Array(Uint32Array.of(type).buffer));

  test('are all of core’s', async () => {
    // it is the code that is wrong
    for (const type of typeCodes().known) {
      await refused(() => native.kernelLoaded(load(type)), 'ERR_KERNEL');
    }
  });

  test('are no other number', async () => {
    for (const type of typeCodes().unknown) {
      const { message } = await refused(() => load(type), 'ERR_ARGUMENT');
      expect(message, `type ${type}`).toContain('type codes');
    }
  });
});
