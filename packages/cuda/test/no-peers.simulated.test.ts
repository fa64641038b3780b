import { describe, expect, test } from 'vitest';
import { childAnswer } from './child.js';

// Two devices of which neither reaches the other's memory.

const NO_PEERS = { CUDA_SIMULATOR_PEERS: '0' };

describe('devices that are no peers', () => {
  test('copy between them any layout, on any stream', async () => {
    const found = await childAnswer<number[][]>(
      `import { cuda } from '@array-interface/cuda';
      const values = Float32Array.from({ length: 24 }, (_, i) => i);
      const found = [];
      for (const [from, to] of [[0, 1], [1, 0]]) {
        const source = await cuda.array(values, { device: from });
        const target = cuda.empty([24], 'float32', { device: to });
        for (const device of [undefined, 0, 1]) {
          const options = device === undefined ? {} : { queue: cuda.createStream({ device }) };
          await cuda.fill(target, -1);
          await cuda.copy(target, source, options);
          found.push([...await cuda.toTypedArray(target)]);
          void cuda.fill(source, 7, options);
          void cuda.copy(target.flip().slice([[0, 24, 2]]), source.slice([[0, 12]]), options);
          await options.queue?.synchronize();
          found.push([...await cuda.toTypedArray(target, options)]);
          await cuda.copy(source, values);
        }
      }
      console.log(JSON.stringify(found));`,
      NO_PEERS,
    );
    const values = Array.from({ length: 24 }, (_, i) => i);
    const mixed = values.map((value) => (value % 2 === 1 ? 7 : value));
    expect(found).toEqual(Array(6).fill([values, mixed]).flat());
  });

  test('pools too, and all is given back', async () => {
    const [values, left] = await childAnswer<[number[], number]>(
      `import { cuda, liveAllocations } from '@array-interface/cuda';
      import { setTimeout as pause } from 'node:timers/promises';
      const pool = cuda.createPool({ device: 1 });
      const source = await cuda.array(Uint8Array.of(1, 2, 3), { device: 1, pool });
      const target = cuda.empty([3], 'uint8');
      const view = source.flip();
      await cuda.copy(target, view);
      const values = [...await cuda.toTypedArray(target)];
      for (const one of [source, target, view]) one[Symbol.dispose]();
      await cuda.synchronize();
      for (let i = 0; i < 400 && liveAllocations() > 0; i++) await pause(20);
      console.log(JSON.stringify([values, liveAllocations()]));`,
      NO_PEERS,
    );
    expect(values).toEqual([3, 2, 1]);
    expect(left).toBe(0);
  });
});
