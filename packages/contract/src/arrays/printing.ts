import { inspect } from 'node:util';
import type { BackendArray } from '@array-interface/core';
import { arrayCapsule, type MemoryKind } from '@array-interface/core/backend';
import { describe, expect, test } from 'vitest';
import { exported } from '../support/exported.js';
import { pendingOrEnded, withFixtures } from '../support/fixtures.js';
import { refused } from '../support/refused.js';
import type { BackendSubject } from '../support/subject.js';

const KINDS: readonly MemoryKind[] = ['device', 'shared', 'host', 'pageable'];
const HINT = '; for its elements, await toText()';

/** How an array appears in a log. */
export function printing(subject: BackendSubject): void {
  const { backend, inPlace } = subject;
  const lineOf = (array: BackendArray) => `${array}${HINT}`;

  describe('printing', () => {
    test('shows dtype, shape, address and memory, and then that it is disposed', async () => {
      const array = await backend.array([[1, 2, 3]], { dtype: 'float32' });
      const view = array.permuteDims([1, 0]);
      const { name } = array.constructor;
      const place = `at 0x${array.pointer.toString(16)}, 12 bytes, `;
      const memory = `${array.memory.memoryKind} memory of ${backend.name}`;
      expect(String(array)).toBe(`${name}(<f4 [1, 3] ${place}C-contiguous, ${memory})`);
      expect(inspect({ array }, { depth: 0, breakLength: 200 })).toBe(`{ array: ${array} }`);
      expect(`${view}`).toBe(`${name}(<f4 [3, 1] ${place}C-contiguous, ${memory}, a view)`);
      array[Symbol.dispose]();
      expect(inspect(array)).toBe(`${name}(<f4 [1, 3], disposed)`);
      expect(inspect(view)).toBe(`${name}(<f4 [3, 1], disposed)`);
    });

    test('properties of the layout are those of the descriptor', async () => {
      using array = await backend.array([[1, 2, 3]], { dtype: 'int16' });
      const view = array.slice([0, [null, null, 2]]);
      const { ndim, size, itemsize, nbytes, byteStrides, elementStrides, contiguous } = view;
      expect({ ndim, size, itemsize, nbytes }).toEqual({
        ndim: 1,
        size: 2,
        itemsize: 2,
        nbytes: 4,
      });
      expect({ byteStrides, elementStrides }).toEqual({ byteStrides: [4], elementStrides: [2] });
      expect(contiguous).toEqual({ c: false, f: false });
    });

    test('JSON has the layout, and no elements, before and after disposal', async () => {
      using array = await backend.array([[1, 2, 3]], { dtype: 'int16' });
      const { memoryKind } = array.memory;
      const json = {
        array: array.constructor.name,
        dtype: array.dtype.name ?? '<i2',
        shape: [1, 3],
        byteStrides: [6, 2],
        nbytes: 6,
        readOnly: false,
        memoryKind,
        backend: backend.name,
        pointer: `0x${array.pointer.toString(16)}`,
        disposed: false,
      };
      expect(JSON.parse(JSON.stringify({ array }))).toEqual({ array: json });
      const view = array.broadcastTo([2, 3]);
      expect(view.toJSON()).toMatchObject({ shape: [2, 3], byteStrides: [0, 2], readOnly: true });
      const descr = [
        ['x', '<f4', [2]],
        ['y', '|u1'],
      ] as const;
      using records = backend.empty([2], descr);
      expect(records.toJSON().dtype).toEqual(descr);
      array.dispose();
      expect(JSON.parse(JSON.stringify(array))).toEqual({ ...json, pointer: null, disposed: true });
    });

    test('a proxy, an object that inherits, and the prototype do not fail', async () => {
      using array = await backend.array([1, 2, 3], { dtype: 'int16' });
      const trap = new Proxy(array, {
        get() {
          throw new Error('on purpose');
        },
      });
      const heir = Object.create(array);
      Object.defineProperty(heir, 'constructor', {
        get() {
          throw new Error('on purpose');
        },
      });
      const method = Reflect.get(array, inspect.custom) as (depth: number) => unknown;
      for (const one of [trap, heir, null, 7, {}, Object.getPrototypeOf(array)]) {
        expect(typeof method.call(one, 2)).toBe('string');
      }
    });

    test('memory that this process does not reach shows one line, and what shows more', async () => {
      for (const memoryKind of KINDS.filter((kind) => !inPlace.includes(kind))) {
        const made = await backend.array([1, 2], { dtype: 'int8', memoryKind }).catch(() => null);
        if (made === null) continue; // no such kind
        using array = made;
        await array.synchronize();
        expect(inspect(array)).toBe(lineOf(array));
        expect(await array.toText()).toBe('[1 2]');
      }
    });
  });

  describe.each(inPlace)('printing %s memory', (memoryKind) => {
    const kept = { memoryKind };
    const few = () => backend.array([1, 2, 3], { dtype: 'float32', memoryKind });
    const test = withFixtures(backend, { few });
    const textOf = (array: BackendArray, elements: string) =>
      `${array.constructor.name}(${elements}, dtype=float32)`;

    test('shows the elements of arrays and views at rest', async ({ few }) => {
      await few.synchronize();
      expect(inspect(few)).toBe(textOf(few, '[1., 2., 3.]'));
      expect(inspect(few.flip())).toBe(textOf(few, '[3., 2., 1.]'));
      expect(inspect(few.slice([1]))).toBe(textOf(few, '2.'));
      expect(inspect(few.slice([[0, 0]]))).toBe(textOf(few, '[]'));
      expect(inspect({ few }, { depth: 0, breakLength: 200 })).toBe(`{ few: ${few} }`);
      await few.asTypedArray().then((elements) => elements.set([0.5] as never));
      expect(inspect(few)).toBe(textOf(few, '[0.5, 2. , 3. ]'));
    });

    test('reads only the ends of a large array, in any layout', async () => {
      using large = backend.empty([700, 900], 'uint16', kept);
      await backend.fill(large, 7);
      await large.synchronize();
      const row = '[7, 7, 7, ..., 7, 7, 7]';
      const { name } = large.constructor;
      const indent = ' '.repeat(name.length + 2);
      const rows = [row, row, row, '...', row, row, row].join(`,\n${indent}`);
      for (const view of [large, large.transpose(), large.flip()]) {
        const more = `shape=(${view.shape.join(', ')}), dtype=uint16`;
        const [text, last] = inspect(view).split(/,\s+(?=shape)/);
        expect([text, last]).toEqual([`${name}([${rows}]`, `${more})`]);
      }
    });

    test('shows no elements while a use works on them, whoever lent them', async ({
      few,
      first: queue,
    }) => {
      using loan = backend.asArray(few);
      await few.synchronize();
      for (const used of [few, loan, few.slice([[0, 1]])]) {
        await backend.use(queue, { writes: [used] }, async () => {
          expect(inspect(few)).toBe(lineOf(few));
          await null;
          await new Promise((resolve) => setTimeout(resolve));
          for (const one of [few, few.flip(), loan]) expect(inspect(one)).toBe(lineOf(one));
        });
      }
      loan.dispose();
      await few.synchronize();
      expect(inspect(few)).toBe(textOf(few, '[1., 2., 3.]'));
    });

    test('shows no elements that a kernel or a producer may write', async ({
      few,
      first: queue,
    }) => {
      await few.synchronize();
      const added = subject.addLater?.(few, 1, queue);
      if (added !== undefined) expect(inspect(few)).toBe(lineOf(few));
      await added;
      await few.synchronize();
      const text = textOf(few, added === undefined ? '[1., 2., 3.]' : '[2., 3., 4.]');
      expect(inspect(few)).toBe(text);
      const lent = backend.asArray(exported(few).producer());
      const seen = [inspect(few), inspect(lent)];
      expect([text, lineOf(few)]).toContain(seen[0]);
      expect([text, lineOf(lent)]).toContain(seen[1]);
      lent.dispose();
    });

    describe.each(pendingOrEnded(backend))('with the work %s', (_, settle) => {
      test('shows what all work leaves, or no elements', async ({ few, first, second, work }) => {
        for (let value = 0; value < 40; value++) {
          const queue = value % 2 === 0 ? first : second;
          work.push(backend.fill(few, value, { queue }));
          await settle();
          const point = `${value}.`;
          const all = textOf(few, `[${point}, ${point}, ${point}]`);
          expect([all, lineOf(few)]).toContain(inspect(few));
        }
      });
    });

    test('leaves no trace in the order of work', async ({ few, first, second, work }) => {
      using other = backend.empty([3], 'float32', kept);
      work.push(backend.copy(other, few, { queue: first }));
      inspect(few);
      work.push(backend.fill(few, 9, { queue: second }));
      inspect(other);
      expect(await backend.toTypedArray(other)).toEqual(Float32Array.of(1, 2, 3));
    });

    test('a capsule that nobody took does not make it fail', async ({ few }) => {
      await few.synchronize();
      try {
        few[arrayCapsule]();
      } catch {} // a backend may make none
      expect([lineOf(few), textOf(few, '[1., 2., 3.]')]).toContain(inspect(few));
    });
  });

  describe('dispose', () => {
    test('ends what Symbol.dispose ends, and only owners', async () => {
      const array = await backend.array([1, 2, 3], { dtype: 'int16' });
      const view = array.slice([0]) as BackendArray & { dispose?: () => void };
      await refused(() => view.dispose?.(), 'ERR_ARGUMENT');
      expect(array.disposed).toBe(false);
      array.dispose();
      array.dispose();
      expect([array.disposed, view.disposed]).toEqual([true, true]);
      await refused(() => array.toNested(), 'ERR_DISPOSED');
      const queue = backend.createQueue();
      queue.dispose();
      queue.dispose();
      expect(queue.disposed).toBe(true);
    });
  });
}
