import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Backend } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { evaluate, evaluateSync, type Values } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { randomSeed, runs } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { pythonOf } from '../support/python.js';

// The errors of functions against mpmath, and the same bits everywhere. With ARRAY_INTERFACE_WHOLE=1,
// as in test:release, a million random numbers each.

process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath;

const program = fileURLToPath(new URL('../../python/random_cases/mathematics.py', import.meta.url));
const HOURS = 6 * 3_600_000;
/** How far a function may err, in units of the last place of the correct result. */
const BOUNDS = { float32: 1, float64: 2 } as const;
/** Functions with roots where float64 has not enough digits: these are units of 1 there. */
const ROOTS: ReadonlySet<string> = new Set(['lgamma', 'logaddexp']);
const CLASSES = { float32: Float32Array, float64: Float64Array } as const;
const COUNT = process.env.ARRAY_INTERFACE_WHOLE === '1' ? 1_000_000 : runs(20_000);
/** As many elements take seconds in JavaScript, on the simulator and as SYCL's first launch. */
const FEW = 2000;

type Type = keyof typeof CLASSES;
type Floats = Float32Array | Float64Array;

function floats(text: string, type: Type): Floats {
  return new CLASSES[type](new Uint8Array(Buffer.from(text, 'base64')).buffer);
}

/** What mpmath makes of operands. */
interface Reference {
  readonly name: string;
  readonly operands: readonly Floats[];
  /** The floats next to the results, and by how many units the results are above them. */
  readonly nearest: Floats;
  readonly units: Floats;
  readonly rests: Floats;
}

function readReference(line: string, type: Type): Reference {
  const { name, operands, nearest, units, rests } = JSON.parse(line);
  return {
    name,
    operands: operands.map((text: string) => floats(text, type)),
    nearest: floats(nearest, 'float64'),
    units: floats(units, 'float64'),
    rests: floats(rests, 'float64'),
  };
}

function isNegative(value: number): boolean {
  return value < 0 || Object.is(value, -0);
}

/** How many units in the last place a result is off; infinity if it is a zero of the wrong sign. */
function errorOf(got: number, { name, operands, nearest, units, rests }: Reference, index: number) {
  const next = nearest[index] as number;
  if (!Number.isFinite(next) || !Number.isFinite(got)) return Object.is(got, next) ? 0 : Infinity;
  const unit = units[index] as number;
  const error = Math.abs((got - next) / unit - (rests[index] as number));
  const isNearRoot = ROOTS.has(name) && operands.every((one) => (one[index] as number) < 0);
  if (isNearRoot && unit < Number.EPSILON) {
    // A zero stands for what has no digits left, and has no sign.
    return Object.is(got, -0) ? Infinity : (error * unit) / Number.EPSILON;
  }
  return got === 0 && isNegative(got) !== isNegative(next) ? Infinity : error;
}

async function on(backend: Backend, text: string, operands: readonly Floats[]): Promise<Floats> {
  const [x, y = x] = await Promise.all(operands.map((one) => backend.array(one)));
  const values = (text.includes('y') ? { x, y } : { x }) as Values;
  using result = await evaluate(backend, text, values);
  const made = (await backend.toTypedArray(result)) as Floats;
  x?.dispose();
  if (y !== x) y?.dispose();
  return made;
}

function inJavaScript(text: string, [x, y]: readonly Floats[]): Floats {
  const values = (y === undefined ? { x } : { x, y }) as Values;
  const { buffer } = evaluateSync(text, values);
  const Class = (x as Floats).constructor as new (buffer: ArrayBufferLike) => Floats;
  return new Class(buffer as ArrayBuffer);
}

function bytes(values: Floats): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

const seed = randomSeed();

test.each(['float32', 'float64'] as const)(
  `functions of %s err little, and are the same bits everywhere, seed ${seed}`,
  async (type) => {
    const args = [program, String(seed), String(COUNT), type];
    const python = spawn(pythonOf('sycl'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const worst: string[] = [];
    const wrong: string[] = [];
    for await (const line of createInterface({ input: python.stdout })) {
      const reference = readReference(line, type);
      const { name, operands, nearest } = reference;
      const text = operands.length === 1 ? `${name}(x)` : `${name}(x, y)`;
      const got = await on(host, text, operands);
      expect(got.length).toBe(nearest.length);
      let [most, place] = [0, 0];
      for (const [index, value] of got.entries()) {
        const error = errorOf(value, reference, index);
        if (error > most) [most, place] = [error, index];
      }
      const shown = `${name}(${operands.map((values) => values[place]).join(', ')})`;
      worst.push(`${name} ${most.toFixed(4)}: ${shown} is ${got[place]}`);
      if (most > BOUNDS[type]) wrong.push(`${worst.at(-1)}, not ${nearest[place]}`);
      const few = operands.map((values) => values.slice(0, FEW));
      const expected = bytes(got.slice(0, FEW));
      for (const other of [
        inJavaScript(text, few),
        await on(cuda, text, few),
        await on(sycl, text, few),
      ]) {
        // biome-ignore format: one line
        expect(Buffer.compare(bytes(other), expected), name).toBe(0);
      }
    }
    console.log(`worst errors of ${type}, ${COUNT} random numbers, seed ${seed}:\n${worst.join('\n')}`);
    expect(wrong).toEqual([]);
    expect(worst).toHaveLength(25);
  },
  HOURS,
);
