import { type Backend, dtype } from '@array-interface/core';
import type { BackendArray } from '@array-interface/core/backend';
import { cuda } from '@array-interface/cuda';
import { host } from '@array-interface/host';
import { random } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

// Kernels that devices use only for large copies. The expected bytes are those of the host's copies, which
// are compared with NumPy's.

const REAL = [
  'bool',
  'int8',
  'uint16',
  'int32',
  'uint64',
  'float16',
  'bfloat16',
  'float32',
  'float64',
];
const NAMES = [...REAL, 'complex64', 'complex128'];

/** The numbers of both sides, their byte order, and their layouts. */
interface Copy {
  readonly from: string;
  readonly to: string;
  readonly shape: readonly number[];
  readonly order: readonly number[];
  readonly flipped: readonly number[];
  /** Each second element along the last axis of the source. */
  readonly sparse: boolean;
}

const SHAPES = [
  [520, 530],
  [300, 299, 3],
  [3, 300, 301],
  [65, 64, 66],
  [2, 130, 3, 400],
  [270_001],
];

/** More than 2 ** 20 elements, for which CUDA has its kernel for tiles compiled. */
const LARGER = [[1040, 1030], [600, 585, 3], [3, 590, 600], [1_050_001]];

function copiesOf(shapes: readonly (readonly number[])[]): fc.Arbitrary<Copy> {
  return fc.constantFrom(...shapes).chain((shape) => {
    const axes = shape.map((_, axis) => axis);
    const name = fc.constantFrom(...NAMES);
    return fc.record({
      from: name,
      to: fc.oneof(name, fc.constant('')),
      shape: fc.constant(shape),
      order: fc.shuffledSubarray(axes, { minLength: axes.length }),
      flipped: fc.subarray(axes),
      sparse: fc.boolean(),
    });
  });
}

/** Bytes that differ from one to the next, and are numbers in every type. */
function numbers(count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => ((i * 7919) % 251) - (i % 3 ? 0 : 100));
}

async function result(backend: Backend, copy: Copy): Promise<Uint8Array> {
  const { from, to, shape, order, flipped, sparse } = copy;
  const stored = [...order.map((axis) => shape[axis] as number)];
  if (sparse) stored.push((stored.pop() as number) * 2);
  const count = stored.reduce((product, length) => product * length, 1);
  using data = await host.array(numbers(count));
  using typed = await host.array(data, { dtype: dtype(from), casting: 'unsafe' });
  using made = await backend.array(typed, { shape: stored });
  let source: BackendArray = made;
  if (sparse) {
    const step = stored.map((length, axis) => [0, length, axis === stored.length - 1 ? 2 : 1]);
    source = source.slice(step as [number, number, number][]);
  }
  const back = order.map((_, axis) => order.indexOf(axis));
  using target = backend.empty(shape, dtype(to || from));
  await backend.copy(target, source.permuteDims(back).flip(flipped), { casting: 'unsafe' });
  return (await backend.toTypedArray(target.view('uint8'))) as Uint8Array;
}

/** With the kernel for all first, then with the one that this has built. */
async function isTheHosts(backend: Backend, copy: Copy): Promise<void> {
  const expected = await result(host, copy);
  isSame(await result(backend, copy), expected);
  await backend.whenKernelsReady();
  isSame(await result(backend, copy), expected);
}

function isSame(found: Uint8Array, expected: Uint8Array): void {
  expect(found.length).toBe(expected.length);
  const wrong = found.findIndex((byte, index) => byte !== expected[index]);
  expect(wrong, 'index of a byte that differs').toBe(-1);
}

const straight = { to: '', flipped: [], sparse: false };

describe('squares transposed in vectors', () => {
  const copy = { ...straight, shape: [520, 530], order: [1, 0] };
  test.each(['uint8', 'uint16', 'float32', 'complex64'])('of %s', async (from) => {
    await isTheHosts(sycl, { ...copy, from });
  });
});

describe('pixels whose channels one item copies', () => {
  const planes = { ...straight, order: [1, 2, 0] };
  test.each([2, 3, 4])('of %i channels', async (channels) => {
    const shape = [channels, 300, 301];
    await isTheHosts(sycl, { ...planes, shape, from: 'uint8' });
    await isTheHosts(sycl, { ...planes, shape, from: 'uint8', to: 'float32', flipped: [0] });
    const pixels = { shape: [300, 301, channels], order: [2, 0, 1] };
    await isTheHosts(sycl, { ...straight, ...pixels, from: 'float16', flipped: [2] });
  });
});

test.each([
  ['sycl', sycl, SHAPES],
  ['cuda', cuda, [...SHAPES, ...LARGER]],
] as const)(
  'large copies on %s equal the host’s',
  { timeout: 600_000 },
  async (_, backend, shapes) => {
    await fc.assert(
      fc.asyncProperty(copiesOf(shapes), (copy) => isTheHosts(backend, copy)),
      random(25),
    );
  },
);
