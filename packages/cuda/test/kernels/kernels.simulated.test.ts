import type { DTypeText } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { beforeAll, expect, test } from 'vitest';
import { probe } from '../support/probe.js';

const FEW = 2 ** 15;
const MANY = 2 ** 16;

const loads = (): number => probe.calls('cuModuleLoadDataEx');

/** Converts numbers on the device; how many modules were loaded for it. */
async function loadsOf(count: number, from: DTypeText, to: DTypeText): Promise<number> {
  const numbers = Uint8Array.from({ length: count }, (_, i) => (i * 37 + (i >> 8)) % 100);
  using source = await cuda.array(numbers);
  const signed = from === 'int8' ? source.view('int8') : source.view('uint8');
  using target = cuda.empty([count], to);
  const before = loads();
  await cuda.copy(target, signed);
  const values = (await cuda.toTypedArray(target)) as ArrayLike<number>;
  expect(Buffer.compare(Uint8Array.from(values), numbers)).toBe(0);
  await cuda.whenKernelsReady();
  return loads() - before;
}

beforeAll(async () => {
  cuda.createStream()[Symbol.dispose](); // starts building the kernels that do every copy
  await cuda.whenKernelsReady();
  expect(loads()).toBe(2);
});

test('a kernel compiled for a large copy serves all of its kind', async () => {
  expect(await loadsOf(MANY, 'uint8', 'float32')).toBe(1);
  expect(await loadsOf(MANY, 'uint8', 'float32')).toBe(0);
  expect(await loadsOf(FEW, 'uint8', 'float32')).toBe(0);
});

test('small copies compile none', async () => {
  expect(await loadsOf(FEW, 'int8', 'int32')).toBe(0);
  expect(await loadsOf(MANY - 1, 'int8', 'int16')).toBe(0);
  expect(await loadsOf(MANY, 'int8', 'int16')).toBe(1);
});

test('copies that request the same kernel at once compile it once', async () => {
  using source = await cuda.array(new Uint8Array(MANY));
  using target = cuda.empty([MANY], 'float64');
  const before = loads();
  await Promise.all([1, 2, 3].map(() => cuda.copy(target, source)));
  await cuda.whenKernelsReady();
  expect(loads() - before).toBe(1);
});

test('if the driver fails to compile one, another kernel copies, and the next copy tries again', async () => {
  probe.fail('cuModuleLoadDataEx:1:CUDA_ERROR_OUT_OF_MEMORY');
  expect(await loadsOf(MANY, 'uint8', 'int32')).toBe(1);
  probe.fail('');
  expect(await loadsOf(MANY, 'uint8', 'int32')).toBe(1);
  expect(await loadsOf(MANY, 'uint8', 'int32')).toBe(0);
});

test('a signal ends the wait for kernels', async () => {
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  await expect(cuda.whenKernelsReady({ signal })).rejects.toBe(reason);
});
