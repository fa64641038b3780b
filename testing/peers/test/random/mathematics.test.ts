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

// The errors of functions against NumPy's in floats of 80 bits, or mpmath's, and the same bits
// everywhere.

process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath;

const program = fileURLToPath(new URL('../../python/random_cases/mathematics.py', import.meta.url));
const AN_HOUR = 3_600_000;
/** How far a function may err, in units of the last place of the correct result. */
const BOUNDS = { float32: 1, float64: 2 } as const;
/** Functions with roots below 0. */
const ROOTS: ReadonlySet<string> = new Set(['lgamma', 'logaddexp']);
const CLASSES = { float32: Float32Array, float64: Float64Array } as const;
/** As many elements take seconds in JavaScript, on the simulator and as SYCL's first launch. */
const FEW = 2000;

type Type = keyof typeof CLASSES;
type Floats = Float32Array | Float64Array;

function floats(text: string, type: Type): Floats {
  return new CLASSES[type](new Uint8Array(Buffer.from(text, 'base64')).buffer);
}

/** The distance of the floats of the type around a number. */
function unitOf(value: number, type: Type): number {
  const [digits, least] = type === 'float32' ? [23, -149] : [52, -1074];
  const exponent = value === 0 ? least : Math.floor(Math.log2(Math.abs(value)));
  return 2 ** Math.max(exponent - digits, least);
}

/** How far a result is from the sum of two numbers, in units of it or of what is larger. */
function errorOf(got: number, high: number, low: number, type: Type, least: number): number {
  const nearest = type === 'float32' ? Math.fround(high) : high;
  if (!Number.isFinite(nearest)) return Object.is(got, nearest) ? 0 : Number.POSITIVE_INFINITY;
  // One of another sign is wrong, but where even digits before it are lost.
  if (got === 0 && nearest === 0 && least === 0)
    return Object.is(got, nearest) ? 0 : Number.POSITIVE_INFINITY;
  return Math.abs(got - high - low) / unitOf(Math.max(least, Math.abs(high)), type);
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
    const args = [program, String(seed), String(runs(60_000)), type];
    const python = spawn(pythonOf('sycl'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const worst: Record<string, number> = {};
    for await (const line of createInterface({ input: python.stdout })) {
      const { name, ...one } = JSON.parse(line);
      const operands: Floats[] = one.operands.map((text: string) => floats(text, type));
      const text = operands.length === 1 ? `${name}(x)` : `${name}(x, y)`;
      const got = await on(host, text, operands);
      const [high, low] = [floats(one.high, 'float64'), floats(one.low, 'float64')];
      expect(got.length).toBe(high.length);
      worst[name] = 0;
      for (const [index, value] of got.entries()) {
        // Around their roots, all digits are lost but those of 1.
        const isNearRoot = ROOTS.has(name) && operands.every((one) => (one[index] as number) < 0);
        const least = isNearRoot ? 1 : 0;
        const error = errorOf(value, high[index] as number, low[index] as number, type, least);
        worst[name] = Math.max(worst[name], error);
        const shown = `${name}(${operands.map((values) => values[index]).join(', ')}): got ${value}, not ${high[index]}`; // biome-ignore format: one line
        if (error > BOUNDS[type]) expect(error, shown).toBeLessThanOrEqual(BOUNDS[type]);
      }
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
    console.log(`worst errors of ${type}, seed ${seed}: ${JSON.stringify(worst)}`);
    expect(Object.keys(worst)).toHaveLength(25);
  },
  AN_HOUR,
);
