import {
  type ArrayDescriptor,
  dtype,
  isArrayInterfaceError,
  makeDescriptor,
  toArrayInterface,
} from '@array-interface/core';
import { replace } from '@array-interface/core/backend';
import { type Compatibility, type Rule, whoCanRead } from '@array-interface/core/compatibility';
import { DLPACK_DEVICES, encodeDLPack, toDLPack } from '@array-interface/core/dlpack';
import { random, runs } from '@array-interface/random';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { Python, pythonOf } from './support/python.js';
import { arrayAt, type RandomArray, randomArrays } from './support/random-arrays.js';

// Consumers of memory of their own process: by DLPack, as core writes it, and by buffers.

const python = new Python('memory_readers', [pythonOf('cuda')]);
afterAll(() => python[Symbol.asyncDispose]());

interface Answer {
  readonly complaint?: string;
  /** Where the consumer found the array; absent if it does not say. */
  readonly pointer?: string;
  readonly dtype?: string;
}

/** What each consumer says of an array that breaks one of its rules. */
const COMPLAINTS: Readonly<Record<string, Partial<Record<Rule | 'memory', RegExp>>>> = {
  JAX: {
    numbersOrSmallFloats: /^JaxRuntimeError: UNIMPLEMENTED: .*(?:complex width|lanes != 1)/,
    permuted: /^JaxRuntimeError: UNIMPLEMENTED: Only DLPack tensors with trivial \(compact\)/,
  },
  PyArrow: { cOrFortranOrder: /^ValueError: ndarray is not contiguous/ },
  // It asks for a buffer, then for DLPack, and tells what the last one said, which may be of strides.
  mpi4py: {
    nativeByteOrder: /native byte order|dlpack: |only supports strides/,
    numbersButComplex32: /^KeyError: "cannot map |only supports (?:signed|IEEE|strides)|dlpack: /,
    cOrFortranOrder: /^BufferError: (?:dlpack: |DLPack only supports (?:strides|IEEE))/,
  },
};

const NAMES = [
  ...['complex32', 'bfloat16', 'float8_e3m4', 'float8_e4m3', 'float8_e4m3b11fnuz', 'float8_e4m3fn'],
  ...['float8_e4m3fnuz', 'float8_e5m2', 'float8_e5m2fnuz', 'float8_e8m0fnu', 'float6_e2m3fn'],
  ...['float6_e3m2fn', 'float4_e2m1fn', 'float4_e2m1fn_x2'],
];

const BLOCK = 16384;
let block: Promise<bigint> | undefined;

/** The middle of memory of Python's, aligned to 64 bytes. */
function memory(): Promise<bigint> {
  block ??= python.call<number>('memory', BLOCK).then((start) => BigInt(start) + BigInt(BLOCK / 4));
  return block;
}

const shifts = fc.constantFrom(0n, 0n, 4n, 8n, 16n, 32n);

/** One array in three is not aligned. */
function moved(one: RandomArray, start: bigint, shift: bigint): ArrayDescriptor {
  const array = arrayAt(one, start);
  return replace(array, { pointer: array.pointer + shift });
}

const verdictOf = (name: string, array: ArrayDescriptor) =>
  whoCanRead(array).find((one) => one.name === `${name} on the CPU`) as Compatibility;

/** Writes the struct of an array, and asks the consumer. Rejects if the struct cannot describe the array. */
async function askByStruct(name: string, array: ArrayDescriptor): Promise<Answer> {
  const kind = name === 'JAX' ? 'dltensor' : 'dltensor_versioned';
  const struct = name === 'JAX' ? 'DLManagedTensor' : 'DLManagedTensorVersioned';
  const [address, deleter] = await python.call<readonly [string, string]>('room', kind);
  const fields = toDLPack(array, { device: { type: DLPACK_DEVICES.cpu, id: 0 } });
  const where = { address: BigInt(address), deleter: BigInt(deleter) };
  const bytes = encodeDLPack(fields, { struct, ...where });
  return await python.call('by_struct', name, kind, Buffer.from(bytes).toString('hex'));
}

/** Checks what JAX made of an array against the verdict. */
function expectJax(array: ArrayDescriptor, { breaks, ignores }: Compatibility, answer: Answer) {
  if (breaks !== null) {
    expect(answer.complaint).toMatch(COMPLAINTS['JAX']?.[breaks as Rule] ?? /^$/);
    return;
  }
  expect(answer.complaint).toBeUndefined();
  const isNarrower = /^(?:int32|uint32|float32|complex64)$/.test(answer.dtype as string);
  if (ignores.includes('within32Bits')) expect(isNarrower).toBe(true);
  if (array.size > 0)
    expect(BigInt(answer.pointer as string) === array.pointer).toBe(ignores.length === 0);
}

const settings = { ...random(), numRuns: Math.max(1000, runs(1000)) };

test('the table names the tested versions', async () => {
  const run = whoCanRead(makeDescriptor({ pointer: 4096, shape: [1], dtype: 'float32' })).filter(
    ({ known, protocol }) => known === 'run' && ['dlpack', 'buffer'].includes(protocol),
  );
  const named = Object.fromEntries(run.map(({ name, version }) => [name, version]));
  expect(named).toEqual(await python.call('versions'));
});

test(`JAX takes, copies and refuses what the table says, seed ${settings.seed}`, async () => {
  const start = await memory();
  const seen = new Set<string>();
  const named = fc.option(fc.constantFrom(...NAMES), { freq: 3 });
  const property = fc.asyncProperty(randomArrays, shifts, named, async (one, shift, name) => {
    const { shape, readOnly } = one;
    const pointer = start + shift;
    const array =
      name === null
        ? moved(one, start, shift)
        : makeDescriptor({ pointer, shape, dtype: dtype(name), readOnly });
    const verdict = verdictOf('JAX', array);
    const { breaks, ignores } = verdict;
    if (breaks === 'protocol') return;
    for (const rule of [breaks ?? 'takes', ...ignores]) seen.add(rule);
    const answer = await askByStruct('JAX', array).catch((error: unknown) => error as Error);
    if (answer instanceof Error) {
      const code = breaks === 'writable' ? 'ERR_READ_ONLY' : 'ERR_DTYPE_UNSUPPORTED';
      expect(['writable', 'numbersOrSmallFloats']).toContain(breaks);
      expect(isArrayInterfaceError(answer, code)).toBe(true);
    } else {
      expect(breaks).not.toBe('writable');
      expectJax(array, verdict, answer);
    }
  });
  await fc.assert(property, settings);
  const { needs, overlooks } = verdictOf(
    'JAX',
    makeDescriptor({ pointer: 64, shape: [], dtype: 'u1' }),
  );
  expect([...seen].sort()).toEqual(['takes', ...needs, ...overlooks].sort());
});

describe.each(['PyArrow', 'mpi4py'])('%s', (name) => {
  test(`takes and refuses what the table says, seed ${settings.seed}`, async () => {
    const start = await memory();
    const seen = new Set<string>();
    const property = fc.asyncProperty(
      randomArrays,
      fc.constantFrom(0n, 16n, 32n),
      async (one, shift) => {
        const array = moved(one, start, shift);
        const { breaks } = verdictOf(name, array);
        const numpy = whoCanRead(array).find((it) => it.name === 'NumPy');
        if (breaks === 'protocol' || numpy?.takes !== true) return;
        if (array.itemsize === 0) return; // NumPy's own DLPack divides by it
        seen.add(breaks ?? 'takes');
        const answer = await python.call<Answer>('by_buffer', name, toArrayInterface(array));
        if (breaks !== null) {
          expect(answer.complaint).toMatch(COMPLAINTS[name]?.[breaks] ?? /^$/);
          return;
        }
        expect(answer.complaint).toBeUndefined();
        const isSame = answer.pointer === undefined || BigInt(answer.pointer) === array.pointer;
        expect(isSame || array.size === 0).toBe(true);
      },
    );
    await fc.assert(property, settings);
    const { needs } = verdictOf(name, makeDescriptor({ pointer: 64, shape: [], dtype: 'u1' }));
    expect([...seen].sort()).toEqual(['takes', ...needs].sort());
  });
});

test.each(NAMES)('mpi4py takes and refuses %s by DLPack, as the table says', async (name) => {
  const array = makeDescriptor({ pointer: await memory(), shape: [2, 3], dtype: dtype(name) });
  const { breaks } = verdictOf('mpi4py', array);
  const { complaint } = await askByStruct('mpi4py', array);
  if (breaks === null) expect(complaint).toBeUndefined();
  else expect(complaint).toMatch(COMPLAINTS['mpi4py']?.[breaks as Rule] ?? /^$/);
});
