import { describe, expect, test } from 'vitest';
import { childAnswer } from '../support/child.js';

interface Counts {
  readonly allocations: number;
  readonly streams: number;
  readonly events: number;
}

describe('live objects', () => {
  const COUNTED = `
    import { cuda } from '@array-interface/cuda';
    import { native } from './test/support/native.mjs';
    import { setTimeout as pause } from 'node:timers/promises';
    const settle = async (done) => {
      // Ten seconds and more: it is looked at every second in the end.
      for (let i = 0; i < 1000 && !done(native.liveCounts()); i++) {
        globalThis.gc();
        await pause(10);
      }
      return native.liveCounts();
    };
    async function work(keep) {
      const queue = cuda.createStream();
      const array = await cuda.array(new Float32Array(300), { queue });
      const target = cuda.empty([300], 'float32');
      const view = array.flip();
      await cuda.copy(target, view);
      const loan = cuda.asArray({ __cuda_array_interface__: target.__cuda_array_interface__ });
      await cuda.toTypedArray(loan);
      keep.push(queue, array, target, loan);
    }
    const none = (counts) => counts.allocations === 0 && counts.events <= 4;
  `;

  test('are gone after dispose', async () => {
    const counts = await childAnswer<Counts[]>(
      `${COUNTED}
      const keep = [];
      for (let i = 0; i < 10; i++) await work(keep);
      const before = native.liveCounts();
      for (const one of keep) one[Symbol.dispose]();
      await cuda.synchronize();
      console.log(JSON.stringify([before, await settle(none)]));`,
      {},
      ['--expose-gc'],
    );
    expect(counts[0]?.allocations).toBeGreaterThanOrEqual(20);
    expect(counts[1]?.allocations).toBe(0);
    expect(counts[1]?.streams).toBeLessThanOrEqual(1); // the backend's default one
    expect(counts[1]?.events).toBeLessThanOrEqual(4);
  });

  test('are gone after garbage collection if nobody disposed them', async () => {
    const counts = await childAnswer<Counts>(
      `${COUNTED}
      let keep = [];
      for (let i = 0; i < 10; i++) await work(keep);
      keep = null;
      console.log(JSON.stringify(await settle(none)));`,
      {},
      ['--expose-gc'],
    );
    expect(counts.allocations).toBe(0);
    expect(counts.streams).toBeLessThanOrEqual(1);
  });
});
