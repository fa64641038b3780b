import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineKernel } from '@array-interface/core/kernel';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { pythonOf, simulator } from '../support/python.js';

process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath; // read when the driver is first looked for

// Code that others compiled runs unchanged: PTX of Numba, and SPIR-V of dpctl's tests.

interface Compiled {
  readonly name: string;
  readonly ptx: string;
}

function compileWithNumba(): { readonly arrays: Compiled; readonly pointers: Compiled } {
  const program = fileURLToPath(new URL('../../python/kernels/numba_ptx.py', import.meta.url));
  const [node, command] = simulator;
  const { stdout, stderr } = spawnSync(node, [command, pythonOf('cuda'), program], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

const LENGTH = 1000;
const ramp = Float32Array.from({ length: LENGTH }, (_, i) => i / 8);
const ones = new Float32Array(LENGTH).fill(1);
const sums = ramp.map((value) => 2 * value + 1);

test('PTX that Numba compiled: arrays as Numba passes them, and pointers', async () => {
  const { arrays, pointers } = compileWithNumba();
  // meminfo and parent, which are null, the number of elements and their size, data, shape, strides in bytes
  const array = <Name extends string, Access>(name: Name, access: Access) =>
    ({
      [`${name}Owner`]: 'uint64',
      [`${name}Parent`]: 'uint64',
      [`${name}Size`]: 'int64',
      [`${name}Itemsize`]: 'int64',
      [name]: access,
      [`${name}Shape`]: 'int64',
      [`${name}Stride`]: 'int64',
    }) as const;
  const overArrays = defineKernel({
    name: arrays.name,
    parameters: {
      ...array('source', { read: 'float32' } as const),
      ...array('target', { write: 'float32' } as const),
      factor: 'float32',
    } as Record<string, 'uint64' | 'int64' | 'float32' | { readonly write: 'float32' }>,
    code: { cuda: { ptx: arrays.ptx } },
  });
  const overPointers = defineKernel({
    name: pointers.name,
    parameters: {
      source: { read: 'float32' },
      target: { write: 'float32' },
      factor: 'float32',
      n: 'uint32',
    },
    code: { cuda: { ptx: pointers.ptx } },
  });
  using source = await cuda.array(ramp);
  using first = await cuda.array(ones);
  using second = await cuda.array(ones);
  const numbers = (name: string) => ({
    ...{ [`${name}Owner`]: 0, [`${name}Parent`]: 0, [`${name}Size`]: LENGTH },
    ...{ [`${name}Itemsize`]: 4, [`${name}Shape`]: LENGTH, [`${name}Stride`]: 4 },
  });
  const values = { source, target: first, factor: 2, ...numbers('source'), ...numbers('target') };
  await cuda.launch(overArrays, { range: [LENGTH] }, values as never);
  const others = { source, target: second, factor: 2, n: LENGTH };
  await cuda.launch(overPointers, { range: [LENGTH] }, others);
  expect(await cuda.toTypedArray(first)).toEqual(sums);
  expect(await cuda.toTypedArray(second)).toEqual(sums);
});

test('SPIR-V that comes with dpctl', async () => {
  const library = fileURLToPath(new URL('../../../../.peers/sycl/lib/', import.meta.url));
  const file = readdirSync(library, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('/dpctl/tests/input_files/multi_kernel.spv'),
  );
  const spirv = readFileSync(`${library}${file}`);
  const arrays = { a: { read: 'int32' }, b: { read: 'int32' }, c: { write: 'int32' } } as const;
  const add = defineKernel({ name: 'add', parameters: arrays, code: { sycl: { spirv } } });
  const axpy = defineKernel({
    name: 'axpy',
    parameters: { ...arrays, d: 'int32' },
    code: { sycl: { spirv } },
  });
  const values = Int32Array.from({ length: 512 }, (_, i) => i);
  using a = await sycl.array(values);
  using b = await sycl.array(values.map((value) => 10 * value));
  using sum = await sycl.array(new Int32Array(512));
  using product = await sycl.array(new Int32Array(512));
  await sycl.launch(add, { range: [512] }, { a, b, c: sum });
  await sycl.launch(axpy, { range: [512] }, { a, b, c: product, d: 3 });
  expect(await sycl.toTypedArray(sum)).toEqual(values.map((value) => 11 * value));
  const [, second] = await sycl.toTypedArray(product);
  expect(second).toBe(1 + 3 * 10);
});
