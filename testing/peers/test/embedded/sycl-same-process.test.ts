import { join } from 'node:path';
import type { SyclUsmArrayInterface } from '@array-interface/core';
import { findLibraries, type SyclArray, sycl } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';
import { EmbeddedPython } from '../support/embedded-python.js';
import { pythonOf } from '../support/python.js';

// Both use one library in this process: Python's.
const [found] = findLibraries(
  { env: { VIRTUAL_ENV: join(pythonOf('sycl'), '../..') }, folders: [] },
  [],
);
const library = String(found);
process.env['ARRAY_INTERFACE_DPCTL_LIBRARY'] = library;
sycl.devices(); // names the OpenCL driver before Python asks for devices
const python = new EmbeddedPython('sycl', 'embedded.sycl_objects');

/** An object of Python with its dict, all but `syclobj`, which is a queue of dpctl. */
interface Described {
  readonly object: number;
  readonly interface: Omit<SyclUsmArrayInterface, 'syclobj'>;
  readonly syclobj: number;
}

/** A capsule of Python, whose name is changed there. */
class PythonCapsule {
  readonly number: number;

  constructor(of: number) {
    this.number = python.call<number>('capsule_of', of);
  }

  get name(): string {
    return python.call('capsule_name', this.number);
  }

  set name(name: string) {
    python.call('rename_capsule', this.number, name);
  }

  get pointer(): bigint {
    return BigInt(python.call<number>('capsule_pointer', this.number));
  }
}

const FORMS: readonly (readonly [string, (queue: number) => unknown])[] = [
  ['a queue', (queue) => ({ _get_capsule: () => new PythonCapsule(queue) })],
  ['a queue’s capsule', (queue) => new PythonCapsule(queue)],
  ['a context', (queue) => contextOf(queue)],
  ['a context’s capsule', (queue) => contextOf(queue)._get_capsule()],
];

function contextOf(queue: number) {
  const context = python.call<number>('context_of', queue);
  return { _get_capsule: () => new PythonCapsule(context) };
}

/** What Python describes, as a producer of JavaScript. */
function producerOf({ interface: dict, syclobj }: Described, form = FORMS[0]?.[1]) {
  const [pointer, readOnly] = dict.data;
  const data = [BigInt(pointer), readOnly];
  return { __sycl_usm_array_interface__: { ...dict, data, syclobj: form?.(syclobj) } };
}

/** Our dict for Python, where `syclobj` is a capsule over our queue's reference. */
function forPython(array: SyclArray): [dict: object, name: string, reference: bigint] {
  const { syclobj, ...dict } = array.__sycl_usm_array_interface__;
  const { name, pointer } = (
    syclobj as { _get_capsule(): { name: string; pointer: bigint } }
  )._get_capsule();
  return [dict, name, pointer];
}

test('both use one library, loaded once', () => {
  expect(sycl.availability).toMatchObject({ available: true, library });
  const loaded = python.call<string[]>('library');
  expect(loaded).toHaveLength(2);
  expect(loaded).toContain(library);
});

describe.each([
  ['in order', { in_order: true }],
  ['out of order', {}],
  ['in a context of its own', { own_context: true }],
])('Python objects with a queue %s', (_, options) => {
  test.each(FORMS)('memory of dpctl, by %s', async (_, form) => {
    for (const kind of ['Device', 'Shared', 'Host']) {
      const made = python.call<Described>('dpctl_memory', kind, 64, options);
      python.call('fill', made.object, 3);
      using borrowed = sycl.asArray(producerOf(made, form), { readOnly: false });
      expect(borrowed.pointer).toBe(BigInt(made.interface.data[0]));
      expect(borrowed.memory.memoryKind).toBe(kind.toLowerCase());
      expect([...(await sycl.toTypedArray(borrowed))]).toEqual(Array(64).fill(3));
      await sycl.fill(borrowed, 5);
      await borrowed.synchronize();
      expect(python.call('values_of', made.object)).toEqual(Array(64).fill(5));
    }
  });

  test.each(FORMS)('arrays and views of dpnp, by %s', async (_, form) => {
    for (const view of [
      'array',
      'array.T',
      'array[:, ::2]',
      'array[1:, 1:]',
      'array[::-1, ::-1]',
    ]) {
      const rows = [
        [1, 2, 3],
        [4, 5, 6],
      ];
      const made = python.call<Described>('dpnp_array', 'device', rows, 'f4', view, options);
      const seen = python.call<number[][]>('values_of', made.object);
      using borrowed = sycl.asArray(producerOf(made, form));
      expect([...(await sycl.toTypedArray(borrowed))]).toEqual(seen.flat());
      await sycl.fill(borrowed, 8);
      await borrowed.synchronize();
      expect(python.call('values_of', made.object)).toEqual(seen.map((row) => row.map(() => 8)));
      python.call('fill', made.object, 9);
      expect([...(await sycl.toTypedArray(borrowed))]).toEqual(seen.flat().map(() => 9));
    }
  });

  test('without elements', async () => {
    const made = python.call<Described>('dpnp_array', 'device', [], 'f4', 'array', options);
    for (const [, form] of FORMS) {
      using borrowed = sycl.asArray(producerOf(made, form));
      expect(await sycl.toTypedArray(borrowed)).toHaveLength(0);
    }
  });

  test('our work and theirs are in order without a wait', async () => {
    const size = 2 ** 22;
    const zeros = `dpnp.zeros(${size}, dtype="f4", sycl_queue=array.sycl_queue)`;
    const made = python.call<Described>('dpnp_array', 'device', [0], 'f4', zeros, options);
    using borrowed = sycl.asArray(producerOf(made));
    using queue = sycl.createQueue({ context: borrowed.memory.context });
    for (let value = 1; value < 20; value += 2) {
      await sycl.fill(borrowed, value, { queue });
      python.call('fill', made.object, value + 1);
      const got = await sycl.toTypedArray(borrowed, { queue });
      expect(got.findIndex((each) => each !== value + 1)).toBe(-1);
    }
  });
});

test('a Python capsule is used once, and Python sees that', () => {
  const made = python.call<Described>('dpctl_memory', 'Device', 64, {});
  const capsule = new PythonCapsule(made.syclobj);
  using borrowed = sycl.asArray(producerOf(made, () => capsule));
  expect(capsule.name).toBe('used_SyclQueueRef');
  expect(() => sycl.asArray(producerOf(made, () => capsule))).toThrow(/used_SyclQueueRef/);
  python.call('drop', capsule.number); // its destructor gives its own reference back
  expect(borrowed.shape).toEqual([64]);
});

test('a queue outlives the Python object that it came from', async () => {
  const made = python.call<Described>('dpnp_array', 'shared', [1, 2, 3], 'i4', 'array', {
    in_order: true,
  });
  const queue = sycl.asQueue(contextOf(made.syclobj));
  using same = sycl.asQueue({ _get_capsule: () => new PythonCapsule(made.syclobj) });
  const reference = BigInt(python.call<number>('reference_of', made.syclobj));
  using borrowed = sycl.asQueue({ name: 'SyclQueueRef', pointer: reference });
  expect([same.inOrder, borrowed.isSame(same), queue.isSame(same)]).toEqual([true, true, false]);
  queue[Symbol.dispose]();
  python.call('drop', made.syclobj);
  await same.synchronize();
});

describe('arrays of ours', () => {
  test.each(['device', 'shared', 'host'] as const)(
    'in %s memory are those of dpctl and dpnp, without a copy',
    async (memoryKind) => {
      using queue = sycl.createQueue({ inOrder: false });
      using array = await sycl.array(new Float32Array([1, 2, 3, 4, 5, 6]), { memoryKind, queue });
      const usm = python.call<{ object: number; pointer: number; nbytes: number }>(
        'memory_of',
        ...forPython(array),
      );
      expect([BigInt(usm.pointer), usm.nbytes]).toEqual([array.pointer, 24]);
      const seen = python.call<{ object: number; pointer: number; usm_type: string }>(
        'array_of',
        ...forPython(array),
      );
      expect([BigInt(seen.pointer), seen.usm_type]).toEqual([array.pointer, memoryKind]);
      expect(python.call('values_of', seen.object)).toEqual([1, 2, 3, 4, 5, 6]);
      for (const object of [usm.object, seen.object]) {
        expect(python.call('same_queue', object, queue._get_capsule().pointer)).toBe(true);
      }
      python.call('fill', seen.object, 7);
      expect([...(await sycl.toTypedArray(array))]).toEqual(Array(6).fill(7));
      await sycl.fill(array, 8);
      await array.synchronize();
      expect(python.call('values_of', seen.object)).toEqual(Array(6).fill(8));
    },
  );

  test('views, and arrays without elements', async () => {
    using array = await sycl.array([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const turned = array.permuteDims([1, 0]);
    const cut = array.slice([
      [1, null],
      [0, null, 2],
    ]);
    const none = array.slice([[0, 0]]);
    using zero = sycl.empty([0, 4], 'float64');
    for (const view of [array, turned, cut, none, zero]) {
      const seen = python.call<{ object: number; shape: number[]; pointer: number }>(
        'array_of',
        ...forPython(view),
      );
      expect(seen.shape).toEqual(view.shape);
      if (view.shape.includes(0)) continue;
      expect(BigInt(seen.pointer)).toBe(view.pointer);
      const values = python.call<number[][]>('values_of', seen.object).flat();
      expect(values).toEqual([...(await sycl.toTypedArray(view))]);
    }
  });

  test('with negative strides dpnp takes what forDpnp() gives', async () => {
    using array = await sycl.array([1, 2, 3]);
    const flipped = array.flip();
    expect(() => python.call('array_of', ...forPython(flipped))).toThrow(/can not accommodate/);
    using taken = await flipped.forDpnp();
    const seen = python.call<{ object: number }>('array_of', ...forPython(taken));
    expect(python.call('values_of', seen.object)).toEqual([3, 2, 1]);
    using same = await array.forDpnp();
    expect(same.pointer).toBe(array.pointer);
  });

  test('a read-only one stays read-only', async () => {
    using array = await sycl.array([1, 2, 3]);
    using readOnly = sycl.asArray(array, { readOnly: true });
    const seen = python.call<{ writable: boolean }>('array_of', ...forPython(readOnly));
    expect(seen.writable).toBe(false);
  });
});
