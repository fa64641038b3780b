import { cuda } from '@array-interface/cuda';
import { expect, test } from 'vitest';
import { entryPoints } from '../support/entry-points.js';
import { probe } from '../support/probe.js';
import { twice } from '../support/twice.mjs';

// Once a program repeats the same work, the driver creates nothing for it and destroys nothing: what
// creates memory, events, streams or modules takes longer than the work, and may wait for the device.
// Uploads are left out: they get new staging memory while earlier work is pending.

const MAKES_OR_ENDS = /Create|Destroy|Alloc|Free|Load|Unload|Register|Retain|Release|Open|Close/;
const NAMES = entryPoints.map(({ name }) => name).filter((name) => MAKES_OR_ENDS.test(name));
const SIZE = 1 << 16;
const TIMES = 100;
/** As many as work that happens to be pending may need. */
const FEW = TIMES / 4;

const kernel = twice();
type Arrays = Record<'to' | 'from' | 'turned', Parameters<typeof cuda.copy>[0]>;
const WORKS: Readonly<
  Record<string, (arrays: Arrays, queue: ReturnType<typeof cuda.createStream>) => unknown>
> = {
  'a copy': ({ to, from }, queue) => cuda.copy(to, from, { queue }),
  'a copy on the default stream': ({ to, from }) => cuda.copy(to, from),
  'a copy of other strides': ({ to, turned }, queue) => cuda.copy(to, turned, { queue }),
  'a fill': ({ to }, queue) => cuda.fill(to, 1, { queue }),
  'a download': ({ from }) => cuda.copy(new Float32Array(SIZE), from),
  'a launch': ({ to }, queue) =>
    cuda.launch(kernel, { range: [4], group: [4], queue }, { at: to as never, n: 4, room: 4 }),
  'a use': ({ to, from }, queue) => cuda.use(queue, { writes: [to], reads: [from] }, () => {}),
};

test.each(Object.keys(WORKS))('%s, again and again', async (name) => {
  using queue = cuda.createStream();
  using to = cuda.empty([SIZE], 'float32');
  using from = await cuda.array(new Float32Array(SIZE));
  const arrays = { to, from, turned: from.flip() };
  const work = async (times: number) => {
    for (let time = 0; time < times; time++) {
      await WORKS[name]?.(arrays, queue);
      if (time % 8 === 7) await queue.synchronize();
    }
  };
  await work(TIMES);
  const before = NAMES.map((one) => probe.calls(one));
  await work(TIMES);
  const calls = NAMES.map((one, index) => [one, probe.calls(one) - (before[index] ?? 0)] as const);
  expect(calls.filter(([, count]) => count > FEW)).toEqual([]);
});
