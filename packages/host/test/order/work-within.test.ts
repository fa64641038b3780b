import type { OwnedArray } from '@array-interface/core';
import { arrayCapsule } from '@array-interface/core/backend';
import { defineKernel } from '@array-interface/core/kernel';
import { type HostArray, type HostQueue, host } from '@array-interface/host';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addon } from '../../src/addon.js';
import { Held, settles } from '../support/c-functions.js';
import { refused } from '../support/refused.js';

// Work that is requested while other work runs, with and without a C kernel before it.
let x: OwnedArray<HostArray>;
let held: Held | null;

beforeEach(async () => {
  x = await host.array([1, 2], { dtype: 'float32' });
  held = null;
});
afterEach(async () => {
  held?.letGo();
  await host.synchronize();
  x[Symbol.dispose]();
});

const PARAMETERS = { elements: { write: 'float32' } } as const;

/** A kernel of JavaScript that does something with the elements. */
function kernelOf(javascript: (elements: Float32Array) => void) {
  const code = {
    host: { javascript: ({ elements }: { elements: Float32Array }) => javascript(elements) },
  };
  return defineKernel({ name: 'within', parameters: PARAMETERS, code });
}

describe.each(['nothing', 'a kernel of C', 'a kernel of C that has ended'])(
  'after %s',
  (before) => {
    const [first, second] = before === 'nothing' ? [1, 2] : [11, 12];
    /** Begins the work that comes before. */
    const begin = async () => {
      if (before === 'nothing') return;
      held = new Held(x, 10);
      if (before === 'a kernel of C') return;
      held.letGo();
      await held.launched;
    };
    const add = (amount: number) =>
      kernelOf((elements) => {
        elements.forEach((value, i) => {
          elements[i] = value + amount;
        });
      });

    test('work that a kernel requests runs after that kernel', async () => {
      await begin();
      const nested: Promise<unknown>[] = [];
      const seen: number[][] = [];
      const outer = kernelOf((elements) => {
        nested.push(host.launch(add(100), { range: [2] }, { elements: x }));
        nested.push(host.fill(x.slice([[1, 2]]), 7), new Held(x, 0.5, 0).launched);
        seen.push([...elements]);
        elements[0] = 0;
      });
      const launched = host.launch(outer, { range: [2] }, { elements: x });
      held?.letGo();
      await launched;
      await Promise.all(nested);
      expect(seen).toEqual([[first, second]]);
      expect(await host.toTypedArray(x)).toEqual(Float32Array.of(100.5, 7.5));
    });

    test('work that a kernel requests is done, although the kernel throws', async () => {
      await begin();
      let nested: Promise<unknown> | undefined;
      const outer = kernelOf((elements) => {
        nested = host.fill(x, 7);
        elements[0] = 0;
        throw new Error('on purpose');
      });
      const launched = host.launch(outer, { range: [2] }, { elements: x });
      held?.letGo();
      await expect(launched).rejects.toThrow('on purpose');
      await nested;
      expect(await host.toTypedArray(x)).toEqual(Float32Array.of(7, 7));
    });

    test('work on other memory, and reading what the kernel reads, does not wait for it', async () => {
      await begin();
      using y = await host.array([3, 4], { dtype: 'float32' });
      const seen: unknown[] = [];
      const outer = defineKernel({
        name: 'outer',
        parameters: { source: { read: 'float32' } },
        code: {
          host: {
            javascript({ source }) {
              void host.copy(y, x);
              void host.launch(add(100), { range: [2] }, { elements: y });
              seen.push([...source], queue.query());
            },
          },
        },
      });
      using queue = host.createQueue();
      const launched = host.launch(outer, { range: [2], queue }, { source: x });
      held?.letGo();
      await launched;
      expect(seen).toEqual([[first, second], false]);
      expect(queue.query()).toBe(true);
      expect(await host.toTypedArray(y)).toEqual(Float32Array.of(first + 100, second + 100));
    });

    test.each([
      ['behind', 0, 1],
      ['before', 1, 0],
    ])('bytes that a kernel reads %s those that it writes are read at once', async (...where) => {
      const [, written, read] = where;
      await begin();
      using y = await host.array([0], { dtype: 'float32' });
      const seen: unknown[] = [];
      const outer = defineKernel({
        name: 'outer',
        parameters: { target: { write: 'float32' }, source: { read: 'float32' } },
        code: {
          host: {
            javascript({ target }) {
              void host.copy(y, x.slice([[read, read + 1]]), { queue });
              seen.push(queue.query());
              target[0] = 7;
            },
          },
        },
      });
      using queue = host.createQueue();
      const [target, source] = [written, read].map((at) => x.slice([[at, at + 1]]));
      const launched = host.launch(outer, { range: [1] }, { target, source } as never);
      held?.letGo();
      await launched;
      expect(seen).toEqual([true]);
      expect(await host.toTypedArray(y)).toEqual(Float32Array.of([first, second][read] as number));
    });

    test('the array is not exported while a kernel works on it', async () => {
      await begin();
      const codes: unknown[] = [];
      const outer = kernelOf(() => {
        for (const give of [() => x.__array_interface__, () => x[arrayCapsule]()]) {
          try {
            give();
          } catch (error) {
            codes.push((error as { code: string }).code);
          }
        }
      });
      const launched = host.launch(outer, { range: [2] }, { elements: x });
      held?.letGo();
      await launched;
      expect(codes).toEqual(['ERR_PENDING', 'ERR_PENDING']);
      expect(x.__array_interface__.shape).toEqual([2]);
    });

    test('used arrays may be exported, waited for and worked on', async () => {
      await begin();
      using queue = host.createQueue();
      const used = host.use(queue, { writes: [x] }, (own) => {
        expect(x.__array_interface__.data).toEqual([x.pointer, false]);
        expect(typeof x[arrayCapsule]()).toBe('object');
        own.synchronizeSync();
        expect(own.query()).toBe(true);
        void host.launch(add(100), { range: [2] }, { elements: x });
        const elements = new Float32Array(2);
        void host.copy(elements, x);
        return elements;
      });
      held?.letGo();
      expect(await used).toEqual(Float32Array.of(first + 100, second + 100));
    });

    test('work on a used array comes before later work', async () => {
      await begin();
      using queue = host.createQueue();
      let inside: Held | undefined;
      const used = host.use(queue, { writes: [x] }, () => {
        inside = new Held(x, 100);
        return inside.launched;
      });
      held?.letGo();
      while (inside === undefined)
        await settles(Promise.resolve()).then(() => new Promise(setImmediate));
      const filled = host.fill(x, 7);
      expect(await settles(filled)).toBe(false);
      inside.letGo();
      await Promise.all([used, filled]);
      expect(await host.toTypedArray(x)).toEqual(Float32Array.of(7, 7));
    });
  },
);

test('work requested while the use waited comes after its own work', async () => {
  held = new Held(x, 10);
  using queue = host.createQueue();
  using other = host.createQueue();
  using y = host.empty([2], 'float32');
  const used = host.use(queue, { writes: [x] }, async () => {
    expect([queue.query(), turn.query(), other.query()]).toEqual([true, false, true]);
    other.synchronizeSync(); // what it has got comes later
    for (const wait of [
      () => turn.synchronizeSync(),
      () => other.wait(turn),
      () => queue.wait(after),
    ])
      expect(wait).toThrow(expect.objectContaining({ code: 'ERR_PENDING' })); // for this itself
    expect(await host.toTypedArray(x)).toEqual(Float32Array.of(11, 12));
  });
  const turn = queue.record();
  const copied = host.copy(y, x, { queue: other });
  const after = other.record();
  held.letGo();
  await used;
  await Promise.all([copied, turn.synchronize()]);
  expect(await host.toTypedArray(y)).toEqual(Float32Array.of(11, 12));
});

test('a use whose JavaScript memory was detached while it waited is refused', async () => {
  held = new Held(x, 10);
  const taken = new Float32Array(2);
  using queue = host.createQueue();
  const used = host.use(queue, { writes: [x, taken] }, () => expect.unreachable());
  await Promise.resolve();
  structuredClone(taken, { transfer: [taken.buffer] });
  held.letGo();
  await refused(() => used, 'ERR_DISPOSED');
});

describe('within a use that waited', () => {
  const N = 2;
  let queue: HostQueue;
  let y: OwnedArray<HostArray>;
  let others: Held[] = [];
  /** A held kernel, which is released at the end of the test at the latest. */
  const hold = (array: OwnedArray<HostArray>, amount: number) => {
    const one = new Held(array, amount);
    others.push(one);
    return one;
  };
  beforeEach(async () => {
    queue = host.createQueue();
    held = new Held(x, 10);
    y = await host.array([3, 4], { dtype: 'float32' });
  });
  afterEach(async () => {
    held?.letGo();
    for (const one of others) one.letGo();
    others = [];
    await host.synchronize();
    y[Symbol.dispose]();
  });

  test('work on arrays that it names, and on new ones, comes before work requested since', async () => {
    const asked: Promise<unknown>[] = [];
    const used = host.use(queue, { reads: [y], writes: [x] }, () => {
      const z = host.empty([N], 'float32');
      asked.push(host.copy(z, x), host.fill(x, 100), new Held(x, 1, 5).launched);
      asked.push(host.copy(x.slice([[0, 1]]), z.slice([[1, 2]])), host.toTypedArray(x));
    });
    const later = [host.copy(y, x), host.fill(x, 0), host.toTypedArray(y)];
    held?.letGo();
    await used;
    expect((await Promise.all(asked)).at(-1)).toEqual(Float32Array.of(12, 101));
    expect((await Promise.all(later)).at(-1)).toEqual(Float32Array.of(12, 101));
  });

  test('work on an array that it does not name is ordinary later work', async () => {
    const asked: Promise<unknown>[] = [];
    const used = host.use(queue, { writes: [x] }, () => {
      asked.push(host.fill(y, 1));
    });
    const later = [host.copy(y, x), host.toTypedArray(y)]; // the copy waits for the use
    held?.letGo();
    await used;
    await Promise.all(asked);
    expect((await Promise.all(later))[1]).toEqual(Float32Array.of(11, 12));
    expect(await host.toTypedArray(y)).toEqual(Float32Array.of(1, 1));
  });

  test('what later work waits for besides the use is pending within it', async () => {
    const beside = new Held(y, 1);
    const codes: string[] = [];
    let waited: Promise<void> | undefined;
    const used = host.use(queue, { writes: [x] }, () => {
      for (const give of [() => y.__array_interface__, () => y[arrayCapsule]()]) {
        try {
          give();
        } catch (error) {
          codes.push((error as { code: string }).code);
        }
      }
      waited = y.synchronize();
    });
    const later = host.copy(y, x); // after the use, and after what is beside it
    held?.letGo();
    try {
      await used;
      expect(codes).toEqual(['ERR_PENDING', 'ERR_PENDING']);
      expect(await settles(waited as Promise<void>)).toBe(false);
    } finally {
      beside.letGo();
    }
    await Promise.all([waited, later]);
    expect(await host.toTypedArray(y)).toEqual(Float32Array.of(11, 12));
  });

  test('work on arrays of two nested uses takes the inner one’s place', async () => {
    const first = hold(y, 1);
    let last: Held | undefined;
    const asked: Promise<unknown>[] = [];
    const outer = host.use(queue, { writes: [x, y] }, () => {
      const before = hold(x, 100);
      last = hold(y, 1);
      asked.push(host.use(queue, { writes: [x] }, () => void asked.push(host.copy(x, y))));
      asked.push(host.fill(x.slice([[1, 2]]), 7));
      before.letGo();
    });
    held?.letGo();
    first.letGo();
    await outer;
    await settles(x.synchronize()); // the inner one has had its turn
    last?.letGo();
    for (const one of asked) await one;
    expect(await host.toTypedArray(x)).toEqual(Float32Array.of(5, 7));
  });

  test('later requests of a nested use are not in the place of an outer use that has returned', async () => {
    const first = hold(y, 1);
    let copied: Promise<void> | undefined;
    const outer = host.use(host.createQueue(), { writes: [y] }, () => {
      void host.use(queue, { writes: [x] }, () => {
        copied = host.copy(x, y);
      });
    });
    first.letGo();
    await outer;
    const beside = hold(y, 100);
    held?.letGo();
    expect(await settles(x.synchronize())).toBe(false);
    beside.letGo();
    await x.synchronize();
    await copied;
    expect(await host.toTypedArray(x)).toEqual(Float32Array.of(104, 105));
  });

  test('work that would have to come both before and after later work is refused', async () => {
    const asked: Promise<unknown>[] = [];
    const used = host.use(queue, { writes: [x] }, () => {
      for (const one of [
        host.copy(x, y),
        host.launch(set, { range: [N] }, { x, y }),
        host.use(queue, { writes: [x, y] }, () => expect.unreachable()),
      ]) {
        asked.push(refused(() => one, 'ERR_PENDING'));
      }
    });
    const later = host.copy(y, x);
    held?.letGo();
    await used;
    for (const error of await Promise.all(asked)) {
      expect((error as Error).message).toMatch(/name it in reads or writes/);
    }
    await later;
    expect(await host.toTypedArray(y)).toEqual(Float32Array.of(11, 12));
  });

  test.each<[string, (z: OwnedArray<HostArray>) => Promise<unknown>]>([
    ['a copy to what it uses', (z) => host.copy(x, z)],
    ['a copy from what it uses', (z) => host.copy(z, x)],
    ['a copy that converts', (z) => host.copy(x, z.view('int32'), { casting: 'unsafe' })],
    ['a copy of other strides', (z) => host.copy(x, z.flip())],
    ['a launch', (z) => host.launch(set, { range: [N] }, { x, y: z })],
    ['a launch of C', () => new Held(x, 1, 0).launched],
    ['a use', (z) => host.use(queue, { writes: [x, z] }, () => expect.unreachable())],
  ])('%s that is refused keeps nothing, nor do others', async (_, work) => {
    const z = await host.array([3, 4], { dtype: 'float32' });
    const ends: Promise<unknown>[] = [];
    const used = host.use(queue, { writes: [x] }, () => {
      for (let times = 0; times < 3; times++) ends.push(work(z).catch(({ code }) => code));
    });
    const later = host.copy(z, x);
    held?.letGo();
    await used;
    await later;
    for (const end of await Promise.all(ends)) expect([undefined, 'ERR_PENDING']).toContain(end);
    const { pointer } = z;
    z[Symbol.dispose]();
    expect(addon().find(pointer), 'memory that calls still keep').toBeNull(); // without a collection
  });

  test('its dict and capsule are available, also of an array that it only reads', async () => {
    const used = host.use(queue, { reads: [x] }, (own) => {
      expect(x.__array_interface__.data).toEqual([x.pointer, false]);
      expect(typeof x[arrayCapsule]()).toBe('object');
      own.synchronizeSync();
      expect(own.query()).toBe(true);
    });
    const later = host.fill(x, 0, { queue });
    held?.letGo();
    await used;
    await later;
  });

  test('what its queue was told to wait for meanwhile does not delay it', async () => {
    const used = host.use(queue, { writes: [x] }, (own) => host.fill(x, 5, { queue: own }));
    const later = host.fill(x, 6, { queue: host.createQueue() });
    const other = host.createQueue();
    void host.copy(y, x, { queue: other });
    queue.wait(other.record());
    held?.letGo();
    await used;
    await later;
    expect(await host.toTypedArray(x)).toEqual(Float32Array.of(6, 6));
    expect(await host.toTypedArray(y)).toEqual(Float32Array.of(6, 6));
  });

  test('what it requests after its first wait is ordinary later work, which it may await', async () => {
    const used = host.use(queue, { writes: [x] }, async () => {
      await host.fill(x, 5);
      await Promise.all([later, host.synchronize(), x.synchronize(), queue.synchronize()]);
      await host.launch(
        kernelOf((all) => all.fill(7, 0, 1)),
        { range: [N] },
        { elements: x },
      );
    });
    const later = host.copy(y, x);
    held?.letGo();
    await used;
    expect(await host.toTypedArray(y)).toEqual(Float32Array.of(5, 5));
    expect(await host.toTypedArray(x)).toEqual(Float32Array.of(7, 5));
  });
});

const set = defineKernel({
  name: 'set',
  parameters: { x: { write: 'float32' }, y: { read: 'float32' } },
  code: { host: { javascript: ({ x, y }) => x.set(y) } },
});
