import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import {
  type ArrayCapsule,
  type ArrayProxy,
  arrayCapsule,
  arrayProducer,
} from '@array-interface/core/backend';
import { host } from '@array-interface/host';
import { describe, expect, test } from 'vitest';
import { collect, settled } from '../support/collect.js';
import { venv } from '../support/environment.js';
import { leastGrowth } from '../support/least-growth.js';
import { plain } from '../support/plain.js';
import { addressOf, object, python, refusal } from '../support/producers.js';

python.exec(`
class Array(np.ndarray):
    """An array to which there are weak references."""
def fresh(values=(1, 2, 3), dtype='d'):
    global there
    a = np.array(values, dtype).view(Array)
    there = weakref.ref(a)
    return a
def plain():
    global there
    a = np.arange(3.)
    there = weakref.ref(a)
    return a
`);
python.exec(`
class InDict:
    """As NumPy's scalars: what keeps the memory is in the dict alone, and made anew for each."""
    def __init__(self, *given): self.given = given
    @property
    def __array_interface__(self):
        a = fresh(*self.given)
        return {**a.__array_interface__, '__ref': a}
`);
python.exec(`
class Keeping(Made):
    """A tensor that keeps its array until it is deleted."""
    def __init__(self, a):
        self.a = a
        super().__init__(data=a.ctypes.data, bits=64)
    def delete(self, given):
        super().delete(given)
        self.a = None
@EXPORT
def export_keeping(one, out):
    out[0] = ctypes.addressof(Keeping(one.made).struct)
    return 0
InTable = with_table(export=address(export_keeping))
`);
const isThere = () => python.eval('there() is not None') as boolean;

/** By NumPy's buffer, a dict in a capsule, an object with the dict, by DLPack, its C functions, and a buffer. */
const WAYS = [
  'plain()',
  'fresh()',
  "fresh([(1, 2)], 'i4,f8')",
  'Through(fresh())',
  'Older(fresh())',
  'InTable(fresh())',
  'memoryview(fresh())',
];

describe('what an array keeps', () => {
  test.each(WAYS)('%s lives as long as the array, not as its PyObject', async (code) => {
    const made = object(code);
    const array = host.asArray(made);
    made[Symbol.dispose]();
    await collect();
    expect(isThere()).toBe(true);
    const bytes = await host.toTypedArray(array);
    array[Symbol.dispose]();
    await settled(() => expect(isThere()).toBe(false));
    expect(bytes.length).toBeGreaterThan(2);
  });

  test.each(WAYS)('%s lives as long as its PyObject, not as the array', async (code) => {
    const made = object(code);
    host.asArray(made)[Symbol.dispose]();
    await collect();
    expect(isThere()).toBe(true);
    made[Symbol.dispose]();
    await settled(() => expect(isThere()).toBe(false));
  });

  test.each(WAYS)('%s ends with an array that nobody disposed', async (code) => {
    const borrow = () => {
      using made = object(code);
      host.asArray(made);
    };
    borrow();
    await settled(() => expect(isThere()).toBe(false));
  });

  test.each(['InDict()', "InDict([(1, 2)], 'i4,f8')"])(
    'what the dict of %s references lives as long as the array',
    async (code) => {
      using made = object(code);
      const array = host.asArray(made);
      await collect();
      expect(isThere()).toBe(true);
      array[Symbol.dispose]();
      await settled(() => expect(isThere()).toBe(false));
    },
  );

  test('what the dict references lives as long as a capsule of the array', async () => {
    using made = object('InDict()');
    const array = host.asArray(made[arrayCapsule]());
    await collect();
    expect(isThere()).toBe(true);
    array[Symbol.dispose]();
    await settled(() => expect(isThere()).toBe(false));
  });

  test('a NumPy scalar has its own memory', async () => {
    using scalar = object('np.float64(3)');
    using array = host.asArray(scalar);
    python.exec('others = [np.array(7.5) for _ in range(100)]');
    expect(await host.toTypedArray(array)).toEqual(Float64Array.of(3));
    await host.fill(array, 1);
    expect(python.eval('all(other == 7.5 for other in others)')).toBe(true);
  });

  test.each(['fresh()', 'Through(fresh())', 'memoryview(fresh())'])(
    '%s is released at once: the next entry into Python drops it',
    (code) => {
      const made = object(code);
      const array = host.asArray(made);
      made[Symbol.dispose]();
      expect(isThere()).toBe(true);
      array[Symbol.dispose]();
      expect(isThere()).toBe(false);
    },
  );

  test('a loan of an array keeps it, too', async () => {
    const made = object('fresh()');
    const array = host.asArray(made);
    using loan = host.asArray(array);
    made[Symbol.dispose]();
    array[Symbol.dispose]();
    await collect();
    expect([...(await host.toTypedArray(loan))]).toEqual([1, 2, 3]);
  });

  test('unused capsules and refused arrays release it', async () => {
    const refuse = () => {
      using made = object('fresh()');
      made[arrayCapsule]();
      expect(() => host.asArray(made, { readOnly: false, bounds: 'none' as never })).toThrow();
    };
    refuse();
    await settled(() => expect(isThere()).toBe(false));
  });
});

test.each([
  'np.arange(1000.)',
  "np.zeros(3, 'i4,f8')",
  'Through(np.arange(9.))',
  'memoryview(b"abc")',
])('20,000 crossings of %s leave nothing behind', async (code) => {
  const made = object(code);
  const round = async () => {
    for (let i = 0; i < 5000; i++) {
      host.asArray(made)[Symbol.dispose]();
      if (i % 2000 === 0) await collect();
    }
    for (let i = 0; i < 5; i++) await collect();
  };
  const blocks = () => {
    python.exec('import sys; blocks = sys.getallocatedblocks()');
    return python.eval('blocks') as number;
  };
  await round();
  const { heapUsed } = process.memoryUsage();
  expect(await leastGrowth(blocks, round)).toBeLessThan(50);
  expect(process.memoryUsage().heapUsed - heapUsed).toBeLessThan(2e6);
});

test('workers read arrays, and what they leave ends with them', async () => {
  python.exec(`
left = []
def leave():
    a = fresh()
    left.append(there)
    return a`);
  const program = new URL('../programs/borrowing-worker.mjs', import.meta.url);
  const workers = [1, 2, 3].map((value) => new Worker(program, { workerData: { value, venv } }));
  const sums = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0]));
  expect(sums).toEqual([3000, 6000, 9000]);
  const gone = () => plain(python.eval('[one() is None for one in left]'));
  await settled(() => expect(gone()).toEqual([true, true, true]));
});

describe('the capsule for a backend', () => {
  const give = (made: object) => (made as ArrayProxy)[arrayProducer]('host') as ArrayCapsule;
  const first = (capsule: ArrayCapsule) => {
    using array = host.asArray(capsule);
    return array.pointer;
  };

  test('is not refilled before it was used', async () => {
    python.exec('a, b, c = np.arange(3.), np.arange(4.), np.arange(5.)');
    using a = object('a');
    using b = object('b');
    using c = object('c');
    const [ofA, ofB] = [give(a), give(b)];
    expect([first(ofB), first(ofA)]).toEqual([addressOf('b'), addressOf('a')]);
    expect(refusal(ofA).code).toBe('ERR_DISPOSED');
    expect(refusal(ofB).code).toBe('ERR_DISPOSED');
    expect(first(give(c))).toBe(addressOf('c'));
    expect(first(give(a))).toBe(addressOf('a'));
  });

  test('ends its array when it is collected, used or not', async () => {
    for (const use of [first, () => {}]) {
      for (let time = 0; time < 3; time++) {
        const lend = () => {
          using made = object('plain()');
          use(give(made));
        };
        lend();
        await settled(() => expect(isThere()).toBe(false));
      }
    }
  });
});
