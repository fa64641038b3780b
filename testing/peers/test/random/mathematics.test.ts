import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ArrayDescriptor, type Backend, makeDescriptor } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { evaluate, evaluateSync, type Values } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { randomSeed, runs } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { pythonOf } from '../support/python.js';

// The errors of functions against MPFR, MPC and mpmath, and the same bits everywhere. With
// ARRAY_INTERFACE_WHOLE=1, as in test:release, a million random numbers each.

process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath;

const program = fileURLToPath(new URL('../../python/random_cases/mathematics.py', import.meta.url));
const HOURS = 6 * 3_600_000;
/** How far a function may err, in units of the last place of the correct result. */
const BOUNDS = { float32: 1, float64: 2, complex64: 1, complex128: 2 } as const;
/** The same of complex128, for what is made of more steps. */
const LONGER: Readonly<Record<string, number>> = {
  acos: 5,
  acosh: 5,
  asin: 5,
  asinh: 5,
  atan: 5,
  atanh: 5,
  log10: 3,
  log2: 3,
  pow: 3,
};
/** Functions with roots where float64 has not enough digits: these are units of 1 there. */
const ROOTS: ReadonlySet<string> = new Set(['lgamma', 'logaddexp']);
const CLASSES = {
  float32: Float32Array,
  float64: Float64Array,
  complex64: Float32Array,
  complex128: Float64Array,
} as const;
const COUNT = process.env.ARRAY_INTERFACE_WHOLE === '1' ? 1_000_000 : runs(20_000);
/** As many elements take seconds in JavaScript, on the simulator and as SYCL's first launch. */
const FEW = 2000;

type Type = keyof typeof CLASSES;
type Floats = Float32Array | Float64Array;

/** What MPFR or MPC makes of operands, a number for each part. */
interface Reference {
  readonly type: Type;
  readonly name: string;
  readonly operands: readonly Floats[];
  /** The floats next to the results, and by how many units the results are above them. */
  readonly nearest: Floats;
  /** NaN: C leaves the sign open. */
  readonly units: Floats;
  readonly rests: Floats;
}

function floats(text: string, type: Type): Floats {
  return new CLASSES[type](new Uint8Array(Buffer.from(text, 'base64')).buffer);
}

function readReference(line: string, type: Type): Reference {
  const { name, operands, nearest, units, rests } = JSON.parse(line);
  return {
    type,
    name,
    operands: operands.map((text: string) => floats(text, type)),
    nearest: floats(nearest, 'float64'),
    units: floats(units, 'float64'),
    rests: floats(rests, 'float64'),
  };
}

function isComplex(type: Type): boolean {
  return type.startsWith('complex');
}

function boundOf(name: string, type: Type): number {
  return (type === 'complex128' ? LONGER[name] : undefined) ?? BOUNDS[type];
}

function isNegative(value: number): boolean {
  return value < 0 || Object.is(value, -0);
}

/** How many units in the last place a result is off; infinity if it is a zero of the wrong sign. */
function errorOf(
  got: number,
  { type, name, operands, nearest, units, rests }: Reference,
  index: number,
): number {
  const next = nearest[index] as number;
  const unit = units[index] as number;
  const isOpen = Number.isNaN(unit);
  if (isOpen && !(next !== 0 && Number.isFinite(next))) {
    return Object.is(Math.abs(got), Math.abs(next)) ? 0 : Infinity;
  }
  if (!Number.isFinite(next) || !Number.isFinite(got)) return Object.is(got, next) ? 0 : Infinity;
  const error = Math.abs((got - next) / (isOpen ? 2 ** -52 : unit) - (rests[index] as number));
  const isNearRoot = ROOTS.has(name) && operands.every((one) => (one[index] as number) < 0);
  if (isNearRoot && unit < Number.EPSILON) {
    // A zero stands for what has no digits left, and has no sign.
    return Object.is(got, -0) ? Infinity : (error * unit) / Number.EPSILON;
  }
  // The length of a power of complex numbers bounds the errors of its parts, whatever their signs.
  const hasSign = got === 0 && !(name === 'pow' && isComplex(type));
  return hasSign && isNegative(got) !== isNegative(next) ? Infinity : error;
}

function arrayOf(values: Floats, type: Type): ArrayDescriptor {
  const shape = [isComplex(type) ? values.length / 2 : values.length];
  return makeDescriptor({ pointer: 0, shape, dtype: type, buffer: values.buffer });
}

function valuesOf(operands: readonly ArrayDescriptor[]): Values {
  const [x, y] = operands;
  return (y === undefined ? { x } : { x, y }) as Values;
}

async function on(
  backend: Backend,
  text: string,
  operands: readonly ArrayDescriptor[],
): Promise<Floats> {
  const arrays = await Promise.all(operands.map((one) => backend.array(one)));
  const [x, y] = arrays;
  using result = await evaluate(backend, text, (y === undefined ? { x } : { x, y }) as Values);
  const made = (await backend.toTypedArray(result)) as Floats;
  for (const one of arrays) one.dispose();
  return made;
}

function inJavaScript(text: string, operands: readonly ArrayDescriptor[]): Floats {
  const { buffer, dtype } = evaluateSync(text, valuesOf(operands));
  return new CLASSES[dtype.name as Type](buffer as ArrayBuffer);
}

function bytes(values: Floats): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

const seed = randomSeed();

test.each([
  ['float32', 25],
  ['float64', 25],
  ['complex64', 23],
  ['complex128', 23],
] as const)(
  `functions of %s err little, and are the same bits everywhere, seed ${seed}`,
  async (type, count) => {
    const args = [program, String(seed), String(COUNT), type];
    const python = spawn(pythonOf('sycl'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
    console.log(`worst errors of ${type}, ${COUNT} random numbers, seed ${seed}:`);
    const worst: string[] = [];
    const wrong: string[] = [];
    const width = isComplex(type) ? 2 : 1;
    for await (const line of createInterface({ input: python.stdout })) {
      const reference = readReference(line, type);
      const { name, operands, nearest } = reference;
      const text = operands.length === 1 ? `${name}(x)` : `${name}(x, y)`;
      const got = await on(
        host,
        text,
        operands.map((one) => arrayOf(one, type)),
      );
      expect(got.length).toBe(nearest.length);
      const parts = (got.length * width) / (operands[0] as Floats).length;
      let [most, place] = [0, 0];
      for (const [index, value] of got.entries()) {
        const error = errorOf(value, reference, index);
        if (error > most) [most, place] = [error, index];
      }
      const first = Math.floor(place / parts) * width;
      const shown = operands.map((values) => values.slice(first, first + width).join(' + i * '));
      worst.push(`${name} ${most.toFixed(4)}: ${name}(${shown.join(', ')}) is ${got[place]}`);
      console.log(worst.at(-1));
      if (!(most <= boundOf(name, type))) wrong.push(`${worst.at(-1)}, not ${nearest[place]}`);
      const few = operands.map((values) => arrayOf(values.slice(0, FEW * width), type));
      const expected = bytes(got.slice(0, FEW * parts));
      for (const other of [
        inJavaScript(text, few),
        await on(cuda, text, few),
        await on(sycl, text, few),
      ]) {
        expect(Buffer.compare(bytes(other), expected), name).toBe(0);
      }
    }
    expect(wrong).toEqual([]);
    expect(worst).toHaveLength(count);
  },
  HOURS,
);
