import {
  type ArrayDescriptor,
  makeDescriptor,
  toArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '@array-interface/core';
import { replace } from '@array-interface/core/backend';
import { type Rule, whoCanRead } from '@array-interface/core/compatibility';
import { random, runs } from '@array-interface/random';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { Python, pythonOf, simulator } from './support/python.js';
import { arrayAt, type RandomArray, randomArrays } from './support/random-arrays.js';

const readers = new Python('readers_peer', [...simulator, pythonOf('cuda')]);
const pycuda = new Python('pycuda_peer', [...simulator, pythonOf('pycuda')]);
const library = pythonOf('sycl').replace('bin/python', 'lib/libintelocl.so');
const sycl = new Python('sycl_peer', [pythonOf('sycl')], { OCL_ICD_FILENAMES: library });
afterAll(async () => {
  await readers[Symbol.asyncDispose]();
  await pycuda[Symbol.asyncDispose]();
  await sycl[Symbol.asyncDispose]();
});

/** What each consumer says of an array that breaks one of its rules. */
const COMPLAINTS: Readonly<Record<string, Partial<Record<Rule | 'memory', RegExp>>>> = {
  NumPy: {
    countable: /^ValueError: array is too big/,
    paddingNames: /^ValueError: field 'f\d+' occurs more than once/,
  },
  Numba: {
    noMask: /^NotImplementedError: Masked arrays are not supported/,
    someBytes: /^ValueError: ndim <= 0/,
  },
  'cuda.core': {
    version3: /^BufferError: only CUDA Array Interface v3 or above is supported/,
    noMask: /^BufferError: mask is not supported/,
    someBytes: /^ValueError: itemsize must be positive/,
    wholeElements: /^ValueError: strides must be divisible by itemsize/,
  },
  mpi4py: {
    noMask: /^BufferError: .*cannot handle masked arrays/,
    cOrFortranOrder: /^BufferError: .*buffer is not contiguous/,
    textInCOrder: /^BufferError: .*buffer is not contiguous/,
    noUnit: /^ValueError: invalid literal for int\(\)/,
    nativeByteOrder: /^BufferError: .*non-native byte order/,
  },
  JAX: {
    version2: /^KeyError: 'stream'/,
    numbers: /^JaxRuntimeError: INVALID_ARGUMENT: Unknown NumPy dtype/,
    permuted: /^JaxRuntimeError: UNIMPLEMENTED: Only arrays with trivial \(compact\) striding/,
  },
  PyArrow: { dense: /^ValueError: array data is non-contiguous/ },
  dpctl: {},
  dpnp: { forward: /^ValueError: buffer='.*' can not accommodate the requested array/ },
};

const BLOCK = 16384;
const START = BLOCK / 4;
let blocks: Promise<readonly bigint[]> | undefined;

/** The middle of host and of device memory, and the handle of a stream. */
function memory(): Promise<readonly bigint[]> {
  blocks ??= (async () => {
    const host = BigInt(await readers.call<number>('host_memory', BLOCK));
    const device = BigInt(await readers.call<number>('device_memory', BLOCK));
    return [host + BigInt(START), device + BigInt(START)];
  })();
  return blocks;
}

const STREAMS = { none: null, legacy: 1n, own: 0x5000n };

/** The array as the consumer must get it, or null if its reader cannot be asked here. */
async function arrayFor(name: string, one: RandomArray): Promise<ArrayDescriptor | null> {
  const [host, device] = (await memory()) as [bigint, bigint];
  if (name === 'NumPy') return arrayAt(one, host);
  if (name === 'JAX') {
    // Its client of host memory takes no array without a stream to wait for but the default ones,
    // which JAX does not wait for, and so none of version 2 or at address 0.
    const array = arrayAt(one, host);
    if (one.version === 2 || array.size === 0) return null;
    return replace(array, { stream: one.version < 3 ? null : 1n });
  }
  return replace(arrayAt(one, device), { stream: one.version < 3 ? null : STREAMS[one.stream] });
}

/** What the consumer says of the array; null if it takes the array. */
async function ask(name: string, array: ArrayDescriptor, version: 0 | 1 | 2 | 3) {
  if (name === 'NumPy') return readers.call<string | null>('reads', name, toArrayInterface(array));
  const peer = name === 'PyCUDA' ? pycuda : readers;
  return peer.call<string | null>('reads', name, toCudaArrayInterface(array, { version }));
}

// The lines of the table are the same for every array.
const CONSUMERS = whoCanRead(makeDescriptor({ pointer: 4096, shape: [1], dtype: 'float32' }));

test('the table names the tested versions', async () => {
  const installed = {
    ...(await readers.call<object>('versions')),
    ...(await pycuda.call<object>('versions')),
    ...(await sycl.call<object>('versions')),
  };
  // Those that read memory of their own process are in who-can-read-memory.test.ts.
  const run = CONSUMERS.filter(
    ({ known, protocol }) => known === 'run' && !['dlpack', 'buffer'].includes(protocol),
  );
  expect(Object.fromEntries(run.map(({ name, version }) => [name, version]))).toEqual(installed);
});

// At least one of them must meet every rule, so there are as many even if others have fewer.
const settings = { ...random(), numRuns: Math.max(1500, runs(1500)) };

describe.each(['NumPy', 'Numba', 'cuda.core', 'mpi4py', 'JAX', 'PyArrow', 'PyCUDA'])(
  '%s',
  (name) => {
    test(`takes and refuses what the table says, seed ${settings.seed}`, async () => {
      const seen = new Set<string>();
      const property = fc.asyncProperty(randomArrays, async (one) => {
        const array = await arrayFor(name, one);
        if (array === null) return;
        const verdict = whoCanRead(array, { version: one.version }).find((it) => it.name === name);
        if (verdict?.breaks === 'protocol') return;
        const complaint = await ask(name, array, one.version);
        if (verdict?.breaks == null) expect(complaint).toBeNull();
        else expect(complaint).toMatch(COMPLAINTS[name]?.[verdict.breaks] ?? /^$/);
        seen.add(verdict?.breaks ?? 'takes');
        for (const rule of verdict?.ignores ?? []) seen.add(`ignores ${rule}`);
      });
      await fc.assert(property, settings);
      const consumer = CONSUMERS.find((it) => it.name === name);
      const rare = ['countable', 'textInCOrder']; // they have tests of their own
      const ignored = (consumer?.overlooks ?? []).map((rule) => `ignores ${rule}`);
      const wanted = ['takes', ...(consumer?.needs ?? []), ...ignored].filter(
        (rule) => !rare.includes(rule),
      );
      expect([...seen]).toEqual(expect.arrayContaining(wanted));
    });
  },
);

test('consumers ignore what the table says they ignore', async () => {
  const facts = {
    ...(await readers.call<object>('overlooked', ...(await memory()))),
    ...(await pycuda.call<object>('overlooked')),
  };
  expect(facts).toEqual({
    'NumPy noMask': 'ndarray',
    'Numba writable': [1, 1, 1],
    'Numba noFields': null,
    'cuda.core noFields': null,
    'mpi4py noText': 6, // of 24 bytes
    'JAX nativeByteOrder': new Float32Array(Uint8Array.of(0x3f, 0x80, 0, 0).buffer)[0],
    // The kernel doubles and adds 1.
    'PyCUDA noMask': [1, 3, 2, 3],
    'PyCUDA writable': [1, 3, 2, 3],
    'PyCUDA nativeByteOrder': [1, 3, 2, 3],
    'PyCUDA cOrder': [1, 3, 2, 3], // of an array of the first and the third
  });
  for (const name of Object.keys(facts)) {
    const [consumer, rule] = name.split(' ');
    const { overlooks } = CONSUMERS.find((it) => it.name === consumer) ?? {};
    expect(overlooks).toContain(rule);
  }
});

test('NumPy counts axes of length 0 as 1', async () => {
  const [host] = (await memory()) as [bigint];
  const one = { element: { typestr: '|u1' }, shape: [0, 2 ** 31, 2 ** 31], strides: null };
  const rest = { order: 'C', readOnly: false, masked: false, version: 3, stream: 'none' } as const;
  for (const [last, breaks] of [
    [2, 'countable'],
    [1, null],
  ] as const) {
    const array = arrayAt({ ...one, ...rest, shape: [...one.shape, last] }, host);
    const verdict = whoCanRead(array).find(({ name }) => name === 'NumPy');
    expect(verdict?.breaks).toBe(breaks);
    const complaint = await ask('NumPy', array, 3);
    if (breaks === null) expect(complaint).toBeNull();
    else expect(complaint).toMatch(COMPLAINTS['NumPy']?.countable as RegExp);
  }
});

test('mpi4py takes text in C order only', async () => {
  const [, device] = (await memory()) as [bigint, bigint];
  const rest = {
    strides: null,
    readOnly: false,
    masked: false,
    version: 3,
    stream: 'none',
  } as const;
  for (const [order, breaks] of [
    ['F', 'textInCOrder'],
    ['C', null],
  ] as const) {
    const text = { ...rest, element: { typestr: '<U2' }, shape: [2, 2], order };
    const array = arrayAt(text, device);
    const verdict = whoCanRead(array).find(({ name }) => name === 'mpi4py');
    expect(verdict?.breaks).toBe(breaks);
    const complaint = await ask('mpi4py', array, 3);
    if (breaks === null) expect(complaint).toBeNull();
    else expect(complaint).toMatch(COMPLAINTS['mpi4py']?.textInCOrder as RegExp);
  }
});

describe.each([
  ['dpctl', 'memory_of'],
  ['dpnp', 'array_of'],
])('%s', (name, call) => {
  test(`takes and refuses what the table says, seed ${settings.seed}`, async () => {
    const start = BigInt(await sycl.call<number>('allocate', BLOCK)) + BigInt(START);
    const seen = new Set<string | null>();
    const property = fc.asyncProperty(randomArrays, async (one) => {
      const array = arrayAt(one, start);
      const verdict = whoCanRead(array, { syclobj: 'cpu' }).find((it) => it.name === name);
      seen.add(verdict?.breaks ?? null);
      if (verdict?.breaks === 'protocol') return;
      const dict = toSyclUsmArrayInterface(array, { syclobj: 'cpu' });
      const answer = sycl.call(call, dict);
      if (verdict?.breaks == null) await answer;
      else await expect(answer).rejects.toThrow(COMPLAINTS[name]?.[verdict.breaks]);
    });
    await fc.assert(property, { ...settings, numRuns: settings.numRuns / 3 });
    expect(seen).toContain(null);
    expect(seen).toContain('protocol');
    if (name === 'dpnp') expect(seen).toContain('forward');
  });
});
