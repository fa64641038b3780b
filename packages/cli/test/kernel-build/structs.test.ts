import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { dtype } from '@array-interface/core';
import { defineKernel, type Kernel } from '@array-interface/core/kernel';
import { random, runs } from '@array-interface/random';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { backends, hasClang, Workshop } from './built.js';

// Structs by value: laid out as clang lays them out in a C program and as NumPy aligns them, and
// read by kernels on CUDA's simulator and on SYCL as JavaScript wrote them. Skipped without the
// compilers, which `npm test` reports.

const workshop = new Workshop();
afterAll(() => workshop[Symbol.dispose]());

const NUMBERS = {
  char: 'int8', uchar: 'uint8', short: 'int16', ushort: 'uint16', int: 'int32', uint: 'uint32', long: 'int64', ulong: 'uint64', float: 'float32', double: 'float64',
} as const; // biome-ignore format: a table
type NumberType = keyof typeof NUMBERS;

/** A member's type: a number, a vector of them, or a struct; and the lengths of its arrays. */
interface Type {
  readonly base: NumberType | readonly Member[];
  readonly lanes: number;
  readonly shape: readonly number[];
}
interface Member {
  readonly name: string;
  readonly type: Type;
}

const numberType = fc.constantFrom(...(Object.keys(NUMBERS) as NumberType[]));
const shape = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }),
);
const numbers = fc.record({
  base: numberType,
  lanes: fc.constantFrom(1, 1, 1, 2, 3, 3, 4, 8, 16),
  shape,
});
const members = (type: fc.Arbitrary<Type>) =>
  fc
    .array(type, { minLength: 1, maxLength: 4 })
    .map((types) => types.map((one, i) => ({ name: `m${i}`, type: one })));
const inner = fc.record({ base: members(numbers), lanes: fc.constant(1), shape });
const struct = members(fc.oneof({ weight: 3, arbitrary: numbers as fc.Arbitrary<Type> }, inner));

const isNumber = (base: Type['base']): base is NumberType => typeof base === 'string';

/** Declares a struct in C, and those inside it before it. */
function declared(name: string, fields: readonly Member[]): string {
  let before = '';
  const lines = fields.map(({ name: own, type: { base, lanes, shape: lengths } }) => {
    const axes = lengths.map((length) => `[${length}]`).join('');
    if (isNumber(base)) return `  ${base}${lanes === 1 ? '' : lanes} ${own}${axes};\n`;
    before += declared(`${name}_${own}`, base);
    return `  struct ${name}_${own} ${own}${axes};\n`;
  });
  return `${before}struct ${name} {\n${lines.join('')}};\n`;
}

/** A number in a struct: how C and JavaScript reach it. */
interface Leaf {
  readonly c: string;
  readonly path: readonly (string | number)[];
  readonly type: NumberType;
}

function leavesOf(fields: readonly Member[], c = '', path: Leaf['path'] = []): Leaf[] {
  return fields.flatMap(({ name, type: { base, lanes, shape: lengths } }) => {
    const places = lengths.reduce<number[][]>(
      (all, length) => all.flatMap((one) => Array.from({ length }, (_, i) => [...one, i])),
      [[]],
    );
    return places.flatMap((place) => {
      const at = `${c}.${name}${place.map((i) => `[${i}]`).join('')}`;
      const own = [...path, name, ...place];
      if (!isNumber(base)) return leavesOf(base, at, own);
      if (lanes === 1) return [{ c: at, path: own, type: base }];
      return Array.from({ length: lanes }, (_, i) => ({
        c: `${at}.s${i.toString(16)}`,
        path: [...own, i],
        type: base,
      }));
    });
  });
}

/** A value with all its numbers 0, of a dtype's fields. */
function zeros(like: ReturnType<typeof dtype>): Record<string, unknown> {
  const nested = (of: ReturnType<typeof dtype>, axes: readonly number[]): unknown =>
    axes.length > 0
      ? Array.from({ length: axes[0] as number }, () => nested(of, axes.slice(1)))
      : of.fields === null
        ? 0
        : zeros(of);
  return Object.fromEntries(
    (like.fields ?? []).map((field) => [field.name, nested(field.dtype, field.shape)]),
  );
}

/** The offset of a leaf in a dtype. */
function offsetIn(like: ReturnType<typeof dtype>, path: Leaf['path']): number {
  const [name, ...rest] = path;
  const field = like.fields?.find((one) => one.name === name);
  if (field === undefined) throw new Error(`no field ${String(name)}`);
  const axes = field.shape;
  const index = rest.slice(0, axes.length) as number[];
  const flat = index.reduce((sum, i, axis) => sum * (axes[axis] as number) + i, 0);
  const within = rest.slice(axes.length);
  const offset = field.offset + flat * field.dtype.itemsize;
  return within.length === 0 ? offset : offset + offsetIn(field.dtype, within);
}

function setAt(value: unknown, path: Leaf['path'], number: number | bigint): void {
  const [key, ...rest] = path as [string, ...(string | number)[]];
  const object = value as Record<string, unknown>;
  if (rest.length === 0) object[key] = number;
  else setAt(object[key], rest, number);
}

/** The vectors of OpenCL for a C compiler, as clang's own header declares them. */
const C_NAMES: Readonly<Record<NumberType, string>> = {
  char: 'signed char', uchar: 'unsigned char', short: 'short', ushort: 'unsigned short', int: 'int', uint: 'unsigned', long: 'long', ulong: 'unsigned long', float: 'float', double: 'double',
}; // biome-ignore format: a table
const C_VECTORS = Object.entries(C_NAMES).flatMap(([type, c]) =>
  [2, 3, 4, 8, 16].map(
    (lanes) => `typedef ${c} ${type}${lanes} __attribute__((ext_vector_type(${lanes})));\n`,
  ),
);
const C_TYPES = `${C_VECTORS.join('')}#define uchar unsigned char
#define ushort unsigned short
#define uint unsigned
#define ulong unsigned long
`;

/** Sizes and offsets in a C program of clang. */
function inC(types: string, leaves: readonly Leaf[]): number[] {
  const lines = leaves.map(({ c }) => {
    const lane = /^(.*)\.s([0-9a-f])$/.exec(c);
    const [at, number] = lane === null ? [c, '0'] : [lane[1], `0x${lane[2]}`];
    const element = lane === null ? '0' : `sizeof(x${at}.s0)`;
    return `  printf("%ld\\n", (long)((char *)&x${at} - (char *)&x) + ${number} * (long)${element});\n`;
  });
  const program = `#include <stdio.h>\n${C_TYPES}${types}static struct S x;\nint main(void) {\n  printf("%ld\\n", (long)sizeof x);\n${lines.join('')}}\n`;
  writeFileSync(workshop.path('layout.c'), program);
  const binary = workshop.path('layout');
  const compiled = spawnSync('clang-15', [workshop.path('layout.c'), '-o', binary], {
    encoding: 'utf8',
  });
  if (compiled.status !== 0) throw new Error(compiled.stderr);
  return spawnSync(binary, [], { encoding: 'utf8' }).stdout.trim().split('\n').map(Number);
}

interface Built {
  readonly kernels: readonly Kernel[];
  readonly types: readonly string[];
  readonly leaves: readonly (readonly Leaf[])[];
}

/** Kernels that write each number of a struct into an array of doubles. */
async function built(structs: readonly (readonly Member[])[]): Promise<Built> {
  const leaves = structs.map((one) => leavesOf(one));
  const types = structs.map((one) => declared('S', one));
  const source = structs.map((one, i) => {
    const own = declared(`S${i}`, one);
    const lines = (leaves[i] as readonly Leaf[]).map(
      ({ c }, at) => `  out[${at}] = (double)s${c};\n`,
    );
    return `${own}kernel void k${i}(global double *out, const struct S${i} s, const uint after) {\n${lines.join('')}  out[${lines.length}] = after;\n}\n`;
  });
  const made = await workshop.kernels(
    `#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n${source.join('')}`,
  );
  return { kernels: structs.map((_, i) => made[`k${i}`] as Kernel), types, leaves };
}

const structOf = (kernel: Kernel) => dtype((kernel.parameters.s as { struct: never }).struct);

/** A number that its type holds exactly, and that names its place. */
function numberFor(type: NumberType, index: number): number | bigint {
  if (type === 'long' || type === 'ulong') return BigInt(index + 1) * 1_000_003n;
  if (type === 'char') return (index % 127) + 1;
  if (type === 'uchar') return (index % 255) + 1;
  return type === 'float' || type === 'double' ? index + 0.5 : index + 1;
}

describe.runIf(hasClang)('structs by value', () => {
  const many = fc.array(struct, { minLength: 12, maxLength: 12 });
  const structs = fc.sample(many, { numRuns: runs(1), seed: random(1).seed });

  test.each(structs.map((one, i) => [i, one] as const))(
    'are laid out as in C, and arrive on CUDA and SYCL: %i',
    { timeout: 300_000 },
    async (_, given) => {
      const { kernels, types, leaves } = await built(given);
      const { cuda, sycl } = await backends();
      for (const [i, kernel] of kernels.entries()) {
        const own = leaves[i] as readonly Leaf[];
        const like = structOf(kernel);
        const offsets = [like.itemsize, ...own.map(({ path }) => offsetIn(like, path))];
        expect(offsets, types[i]).toEqual(inC(types[i] as string, own));
        const value = zeros(like);
        const expected = own.map(({ path, type }, at) => {
          const number = numberFor(type, at);
          setAt(value, path, number);
          return Number(number);
        });
        for (const backend of [cuda, sycl]) {
          using out = await backend.array(new Float64Array(own.length + 1), { dtype: 'float64' });
          await backend.launch(kernel, { range: [1], group: [1] }, { out, s: value, after: 77 });
          expect([...((await backend.toTypedArray(out)) as Float64Array)], types[i]).toEqual([
            ...expected,
            77,
          ]);
        }
      }
    },
  );

  const hasNumpy = spawnSync('python3', ['-c', 'import numpy']).status === 0;
  const withoutVectors = (fields: readonly Member[]): Member[] =>
    fields.map(({ name, type }) => ({
      name,
      type: {
        ...type,
        lanes: 1,
        base: isNumber(type.base) ? type.base : withoutVectors(type.base),
      },
    }));

  test.runIf(hasNumpy)('are laid out as NumPy aligns them', async () => {
    const given = (structs[0] ?? []).map(withoutVectors);
    const { kernels } = await built(given);
    const descr = (fields: readonly Member[]): unknown =>
      fields.map(({ name, type: { base, shape: lengths } }) => {
        const own = isNumber(base) ? NUMBERS[base] : descr(base);
        return lengths.length === 0 ? [name, own] : [name, own, lengths];
      });
    const program = `
import json, sys, numpy
def made(fields):
    return numpy.dtype([(f[0], made(f[1]) if isinstance(f[1], list) else f[1], *[tuple(s) for s in f[2:]]) for f in fields], align=True)
def shown(d):
    return [d.itemsize, [[n, d.fields[n][1], shown(d.fields[n][0].base) if d.fields[n][0].base.fields else 0] for n in d.names]]
print(json.dumps([shown(made(f)) for f in json.load(sys.stdin)]))`;
    const { stdout, stderr } = spawnSync('python3', ['-c', program], {
      input: JSON.stringify(given.map(descr)),
      encoding: 'utf8',
    });
    const shown = (like: ReturnType<typeof dtype>): unknown => [
      like.itemsize,
      like.fields?.map((field) => [
        field.name,
        field.offset,
        field.dtype.fields === null ? 0 : shown(field.dtype),
      ]),
    ];
    expect(
      kernels.map((kernel) => shown(structOf(kernel))),
      stderr,
    ).toEqual(JSON.parse(stdout));
  });

  test('of half and enums, and an array of vectors of three, have their own layout', async () => {
    const source = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
enum E { A, B };
typedef struct { uchar id; half h; float3 v[2]; enum E e; float3 last; } P;
kernel void k(global float *out, P p, half h) { out[0] = p.v[1].x + p.h + h + p.id + p.e + p.last.z; }`;
    const { module, status, stderr } = await workshop.build(source);
    expect([status, stderr]).toEqual([0, '']);
    const made = await import(/* @vite-ignore */ pathToFileURL(module).href);
    expect(made.k.parameters.p.struct).toEqual([
      ['id', 'uint8'],
      ['', '|V1'],
      ['h', 'float16'],
      ['', '|V12'],
      ['v', 'float32', [2, 4]],
      ['e', 'uint32'],
      ['', '|V12'],
      ['last', 'float32', [3]],
      ['', '|V4'],
    ]);
    const kernel = defineKernel(made.k as Kernel);
    const { cuda, sycl } = await backends();
    const p = {
      id: 1,
      h: 0.5,
      v: [
        [0, 0, 0, 0],
        [8, 0, 0, 0],
      ],
      e: 1,
      last: [0, 0, 16],
    };
    for (const backend of [cuda, sycl]) {
      using out = await backend.array(new Float32Array(1));
      await backend.launch(kernel, { range: [1], group: [1] }, { out, p, h: 0.25 });
      expect(await backend.toTypedArray(out)).toEqual(Float32Array.of(26.75));
    }
  });
});
