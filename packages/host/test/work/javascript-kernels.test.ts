import { makeDescriptor, type TypedArray } from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import { host } from '@array-interface/host';
import { collect } from '@array-interface/support';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { addon } from '../../src/addon.js';
import { mappings } from '../support/mappings.js';
import { refused } from '../support/refused.js';

const scale = defineKernel({
  name: 'scale',
  parameters: { source: { read: 'float32' }, target: { write: 'float32' }, factor: 'float32' },
  code: {
    host: {
      javascript({ source, target, factor }, [rows = 0, columns = 0]) {
        for (let i = 0; i < rows * columns; i++) target[i] = (source[i] as number) * factor;
      },
    },
  },
});

test('a struct is a new object for each call; bools, halves and lengths are values', async () => {
  const calls: unknown[] = [];
  const kernel = defineKernel({
    name: 'seen',
    parameters: {
      target: { write: 'int8' },
      by: {
        struct: [
          ['flag', 'bool'],
          ['', '|V7'],
          ['wide', 'int64'],
          ['rows', 'float16', [2, 2]],
          ['inner', [['x', 'uint8']], [2]],
          ['', '|V6'],
        ],
      },
      is: 'bool',
      half: 'float16',
      count: { size: 'target' },
      wide: { size: 'target', type: 'int64' },
      columns: { size: 'target', axis: 1 },
    },
    code: {
      host: {
        javascript({ target: _, ...others }) {
          calls.push(others);
          const wide: bigint = others.wide;
          const is: boolean = others.is;
          const x: number | undefined = others.by.inner[0]?.x;
          calls.push([wide, is, x]);
        },
      },
    },
  });
  using target = host.empty([3, 2], 'int8');
  const by = {
    flag: true,
    wide: 5,
    rows: [Float32Array.of(0.1, 1), [2, 3]],
    inner: [{ x: 1 }, { x: 2 }],
  };
  await host.launch(kernel, { range: [1] }, { target, by, is: false, half: 0.1 });
  const tenth = 0.0999755859375; // the nearest half
  const rows = [
    [tenth, 1],
    [2, 3],
  ];
  expect(calls).toEqual([
    {
      by: { ...by, wide: 5n, rows },
      ...{ is: false, half: tenth, count: 6, wide: 6n, columns: 2 },
    },
    [6n, false, 1],
  ]);
  using row = host.empty([3], 'int8');
  const launched = () =>
    host.launch(kernel, { range: [1] }, { target: row, by, is: false, half: 0 });
  const { path } = await refused(launched, 'ERR_ARGUMENT');
  expect(path).toBe('columns');
});

test('a function is called once, with the whole range, before the call returns', async () => {
  const calls: unknown[] = [];
  const kernel = defineKernel({
    name: 'seen',
    parameters: { target: { write: 'int8' }, count: 'uint8' },
    code: {
      host: { javascript: (parameters, range) => void calls.push({ ...parameters, range }) },
    },
  });
  using target = await host.array([1, 2, 3], { dtype: 'int8' });
  using queue = host.createQueue({ threads: 4 });
  const launched = host.launch(
    kernel,
    { range: [2, 3, 4], group: [1, 1, 2], queue },
    { target, count: 7 },
  );
  expect(calls).toEqual([{ target: expect.any(Int8Array), count: 7, range: [2, 3, 4] }]);
  await launched;
  await host.launch(kernel, { range: [0] }, { target, count: 7 });
  expect(calls).toHaveLength(1);
});

test('arrays are used in place: own memory, views, loans, JavaScript buffers', async () => {
  using source = await host.array(
    [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ],
    { dtype: 'float32' },
  );
  using target = host.empty([3], 'float32');
  using loan = host.asArray(target);
  await host.launch(
    scale,
    { range: [1, 3] },
    { source: source.slice([1]), target: loan, factor: 2 },
  );
  expect(await host.toTypedArray(target)).toEqual(Float32Array.of(8, 10, 12));

  const bytes = new Float32Array(6);
  const { __array_interface__ } = source;
  const shared = new Float32Array(new SharedArrayBuffer(24), 12);
  await host.launch(
    scale,
    { range: [3, 1] },
    { source: { __array_interface__ }, target: bytes.subarray(2, 5), factor: 1 },
  );
  expect(bytes).toEqual(Float32Array.of(0, 0, 1, 2, 3, 0));
  await host.launch(
    scale,
    { range: [3, 1] },
    { source: bytes.subarray(2), target: shared, factor: -1 },
  );
  expect(shared).toEqual(Float32Array.of(-1, -2, -3));
});

test('numbers and local memory are passed as their types say', async () => {
  let seen: Record<string, unknown> = {};
  const kernel = defineKernel({
    name: 'kinds',
    parameters: {
      a: 'int8',
      b: 'uint8',
      c: 'int16',
      d: 'uint16',
      e: 'int32',
      f: 'uint32',
      g: 'int64',
      h: 'uint64',
      array: { read: 'int64', strides: 1 },
      i: 'float32',
      j: 'float64',
      scratch: { local: 'float64' },
      first: { first: 0 },
      none: { read: 'uint64' },
    },
    code: {
      host: {
        javascript(parameters) {
          seen = { ...parameters, array: [...parameters.array.elements] };
        },
      },
    },
  });
  const array = BigInt64Array.of(-1n, 5n);
  const none = new BigUint64Array(0);
  const numbers = {
    a: -128,
    b: 255,
    c: -32768,
    d: 65535,
    e: -2147483648,
    f: 4294967295,
    i: 0.1,
    j: 0.1,
  };
  await host.launch(
    kernel,
    { range: [5], group: [5] },
    { ...numbers, g: -(2n ** 63n), h: 2n ** 64n - 1n, array, scratch: 3, none },
  );
  expect(seen).toEqual({
    ...numbers,
    ...{ g: -(2n ** 63n), h: 2n ** 64n - 1n, array: [-1n, 5n], i: Math.fround(0.1) },
    ...{ scratch: new Float64Array(3), first: 0, none },
  });
});

test('local memory that does not fit is refused before the function is called', async () => {
  const code = vi.fn();
  const kernel = defineKernel({
    name: 'wide',
    parameters: { target: { write: 'int8' }, scratch: { local: 'float64' } },
    code: { host: { javascript: code } },
  });
  const target = new Int8Array(1);
  const construct = (buffer: ArrayBufferConstructor, [size]: [number]) => {
    if (size > 2 ** 20) throw new RangeError('Array buffer allocation failed');
    return new buffer(size);
  };
  vi.stubGlobal('ArrayBuffer', new Proxy(ArrayBuffer, { construct }));
  try {
    const launch = () =>
      host.launch(kernel, { range: [1], group: [1] }, { target, scratch: 2 ** 20 });
    const error = await refused(launch, 'ERR_OUT_OF_MEMORY');
    expect([error.path, error.message]).toEqual([
      'scratch',
      expect.stringContaining('room for 8388608 bytes of local memory, got none; ask for'),
    ]);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(code).not.toHaveBeenCalled();
});

test('an array with strides is passed from its lowest element on', async () => {
  const seen: unknown[] = [];
  const kernel = (type: 'int16' | 'complex64' | 'S3') =>
    defineKernel({
      name: 'strided',
      parameters: { array: { write: type as 'int16', strides: 2 } },
      code: {
        host: {
          javascript({ array: { elements, offset, strides } }) {
            seen.push([[...elements], offset, strides]);
            elements[offset + (strides[0] as number)] = 99;
          },
        },
      },
    });
  using array = await host.array(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    { dtype: 'int16' },
  );
  await host.launch(kernel('int16'), { range: [1] }, { array: array.flip() });
  expect(seen.pop()).toEqual([[1, 2, 3, 4, 5, 6], 5, [-3, -1]]);
  await host.launch(
    kernel('int16'),
    { range: [1] },
    {
      array: array
        .slice([
          [0, 2],
          [2, 0, -1],
        ])
        .transpose(),
    },
  );
  expect(seen.pop()).toEqual([[2, 99, 4, 5, 6], 1, [-1, 3]]);
  expect(await host.toTypedArray(array)).toEqual(Int16Array.of(1, 99, 99, 4, 5, 6));
  await host.launch(kernel('int16'), { range: [1] }, { array: array.slice([[0, 0]]).flip() });
  expect(seen.pop()).toEqual([[], 0, expect.any(Array)]);

  using numbers = await host.array(Float32Array.of(1, 2, 3, 4, 5, 6), { dtype: 'float32' });
  const pairs = numbers.view('complex64').reshape([3, 1]).flip();
  await host.launch(kernel('complex64'), { range: [1] }, { array: pairs });
  expect(seen.pop()).toEqual([[1, 2, 3, 4, 5, 6], 4, [-2, -2]]);
  expect(await host.toTypedArray(numbers)).toEqual(Float32Array.of(1, 2, 99, 4, 5, 6));
});

describe('typed arrays that a kernel keeps', () => {
  const kept: TypedArray[] = [];
  const keep = defineKernel({
    name: 'keep',
    parameters: { array: { write: 'uint8' }, throws: 'uint8' },
    code: {
      host: {
        javascript({ array, throws }) {
          kept.push(array);
          if (throws) throw new RangeError('on purpose');
        },
      },
    },
  });
  const launch = (array: object, throws = 0) =>
    host.launch(keep, { range: [1] }, { array, throws } as never);
  const lengths = () => kept.map(({ length }) => length);
  afterEach(() => {
    kept.length = 0;
  });

  test('share one buffer, and have no elements once the memory is freed', async () => {
    const array = await host.array([1, 2, 3], { dtype: 'uint8' });
    await launch(array);
    await expect(launch(array, 1)).rejects.toThrow(RangeError);
    await launch(array.slice([[1, 3]]));
    expect(kept.map(({ byteOffset }) => byteOffset)).toEqual([0, 0, 1]);
    expect(new Set(kept.map(({ buffer }) => buffer)).size).toBe(1);
    expect(await host.toTypedArray(array)).toEqual(Uint8Array.of(1, 2, 3));
    expect(lengths()).toEqual([3, 3, 2]);
    array[Symbol.dispose]();
    expect(lengths()).toEqual([0, 0, 0]);
  });

  test('of a loan end with the loan', async () => {
    using array = host.empty([2], 'uint8');
    const { __array_interface__ } = array;
    const loan = host.asArray({ __array_interface__ });
    await launch(array);
    await launch(loan);
    loan[Symbol.dispose]();
    expect(lengths()).toEqual([2, 0]);
  });

  test('stay while the call lasts that disposes of the array', async () => {
    const array = host.empty([2], 'uint8');
    const disposes = defineKernel({
      name: 'disposes',
      parameters: { array: { write: 'uint8' } },
      code: {
        host: {
          javascript({ array: elements }) {
            array[Symbol.dispose]();
            kept.push(elements.fill(1));
            expect(lengths()).toEqual([2]);
          },
        },
      },
    });
    await host.launch(disposes, { range: [1] }, { array });
    expect(lengths()).toEqual([0]);
  });

  test('end with the call if no buffer has the whole memory, or the element', async () => {
    const bytes = new Uint8Array(new ArrayBuffer(32));
    const pointer = addon().addressOf(bytes);
    const trusted = makeDescriptor({ pointer, shape: [4], dtype: 'uint8', owner: bytes });
    using array = host.asArray(trusted, { bounds: 'trust' });
    await launch(array);
    await launch(trusted); // borrowed for the launch
    const from = { pointer: pointer + 1n, shape: [31], dtype: 'uint8', owner: bytes } as const;
    using odd = host.asArray(makeDescriptor(from));
    const words = defineKernel({
      name: 'words',
      parameters: { array: { write: 'uint32' } },
      code: { host: { javascript: ({ array: elements }) => void kept.push(elements.fill(5)) } },
    });
    await host.launch(words, { range: [2] }, { array: odd.slice([[3, 11]]).view('uint32') });
    using large = host.empty([4], 'uint8');
    const mapBuffer = vi.spyOn(addon(), 'mapBuffer').mockReturnValueOnce(null); // as of 5 GiB
    await launch(large);
    mapBuffer.mockRestore();
    expect(lengths()).toEqual([0, 0, 0, 0]);
    expect(bytes.subarray(0, 12)).toEqual(Uint8Array.of(0, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0));
  });

  test('keep a producer that nothing else keeps', async () => {
    let producer: object | null = new ArrayBuffer(4);
    const weak = new WeakRef(producer);
    const data = [addon().addressOf(new Uint8Array(producer as ArrayBuffer)), false];
    const dict = { version: 3, typestr: '|u1', shape: [4], data };
    await launch(host.asArray({ __array_interface__: dict, producer } as never));
    producer = null;
    await collect();
    expect(weak.deref()).toBeDefined();
    expect(lengths()).toEqual([4]);
    kept.length = 0;
    await vi.waitFor(async () => {
      await collect();
      expect(weak.deref()).toBeUndefined();
    }, 100_000);
  });

  test.runIf('transfer' in ArrayBuffer.prototype)(
    'may lose their buffer by a transfer, which later launches do not notice',
    async () => {
      using array = await host.array([1, 2], { dtype: 'uint8' });
      await launch(array);
      const { buffer } = kept[0] as TypedArray;
      const moved = (buffer as unknown as { transfer(): ArrayBuffer }).transfer();
      await launch(array);
      expect(lengths()).toEqual([0, 2]);
      expect(new Uint8Array(moved)).toEqual(Uint8Array.of(1, 2));
    },
  );
});

test('what the function throws is passed on unchanged, and its memory is released', async () => {
  const reason = { what: 'ever' };
  const kernel = defineKernel({
    name: 'throws',
    parameters: { array: { read: 'uint8' } },
    code: {
      host: {
        javascript() {
          throw reason;
        },
      },
    },
  });
  const array = await host.array([1], { dtype: 'uint8' });
  const { pointer } = array;
  await expect(host.launch(kernel, { range: [1] }, { array })).rejects.toBe(reason);
  array[Symbol.dispose]();
  expect(addon().find(pointer)).toBeNull();
});

test('a function that returns a promise is refused', async () => {
  const kernel = defineKernel({
    name: 'async',
    parameters: {},
    code: {
      host: {
        javascript: (async () => {
          throw new Error('later');
        }) as () => void,
      },
    },
  });
  using queue = host.createQueue();
  await refused(() => host.launch(kernel, { range: [1], queue }, {}), 'ERR_KERNEL');
});

test('code that is not a function is refused', async () => {
  using queue = host.createQueue();
  const codes = [
    {},
    null,
    'f',
    { javascript: 5 },
    { address: 0n },
    { address: 5 },
    { address: -1n },
    { address: 2n ** 64n },
    { javascript() {}, address: 5n },
  ];
  for (const code of codes) {
    const kernel = defineKernel({ name: 'bad', parameters: {}, code: { host: code as never } });
    await refused(() => host.launch(kernel, { range: [1], queue }, {}), 'ERR_KERNEL');
  }
});

test('arguments that cannot be mapped in place are refused', async () => {
  using array = host.empty([16], 'uint8');
  const target = new Float32Array(4);
  const launch = (source: object, into: object = target) =>
    host.launch(scale, { range: [1, 3] }, { source, target: into, factor: 1 } as never);
  const odd = makeDescriptor({ pointer: array.pointer + 1n, shape: [3], dtype: 'float32' });
  await refused(() => launch(odd), 'ERR_NOT_ACCESSIBLE');
  await refused(() => launch(target.subarray(1)), 'ERR_OVERLAP');
  const exposed = vi.spyOn(addon(), 'mapBuffer').mockReturnValue(null); // as in Electron
  using source = host.empty([3], 'float32');
  await refused(() => launch(source), 'ERR_NOT_ACCESSIBLE');
  exposed.mockRestore();
});

test('a read-only mapping is neither written nor mapped into JavaScript', async () => {
  const mapping = mappings(/^r--/).find(({ low, high }) => high - low >= 4096n);
  if (mapping === undefined) throw new Error('expected a read-only mapping, got none');
  const there = makeDescriptor({ pointer: mapping.low, shape: [16], dtype: 'float32' });
  const own = new Float32Array(16);
  const launch = (source: object, target: object) =>
    host.launch(scale, { range: [4, 4] }, { source, target, factor: 1 } as never);
  await refused(() => launch(own, there), 'ERR_NOT_ACCESSIBLE');
  await refused(() => launch(there, own), 'ERR_NOT_ACCESSIBLE');
});

test('other backends’ queues and disposed queues are refused', async () => {
  const queue = host.createQueue();
  queue[Symbol.dispose]();
  const values = { source: new Float32Array(1), target: new Float32Array(1), factor: 1 };
  await refused(() => host.launch(scale, { range: [1, 1], queue }, values), 'ERR_DISPOSED');
  await refused(
    () => host.launch(scale, { range: [1, 1], queue: {} as never }, values),
    'ERR_ARGUMENT',
  );
  using array = host.empty([1], 'uint8');
  await refused(() => array.recordUse(queue), 'ERR_DISPOSED');
  await refused(() => array.recordUse(undefined as never), 'ERR_ARGUMENT');
  array.recordUse(host.createQueue());
});

test('the host has no native queue and no native device', () => {
  expect(host.createQueue().handle).toBe(0n);
  expect(host.devices()[0]?.handle).toBe(0n);
});
