import { type CudaArray, cuda } from '@array-interface/cuda';
import { expect, test } from 'vitest';
import { probe } from './probe.js';

const FEW = 2 ** 15;
const MANY = 2 ** 20;

const loads = (): number => probe.calls('cuModuleLoadDataEx');

/** Converts numbers on the device; how many modules were loaded for it. */
async function loadsOf(count: number, from: string, to: string): Promise<number> {
  const numbers = Uint8Array.from({ length: count }, (_, i) => (i * 37 + (i >> 8)) % 100);
  using source = await cuda.array(numbers);
  using signed = from === 'int8' ? source.view('int8') : source.view('uint8');
  using target: CudaArray = cuda.empty([count], to);
  const before = loads();
  await cuda.copy(target, signed);
  const values = (await cuda.toTypedArray(target)) as ArrayLike<number>;
  expect(Buffer.compare(Uint8Array.from(values), numbers)).toBe(0);
  return loads() - before;
}

test('a kernel that a large copy has had compiled does small ones too', async () => {
  expect(await loadsOf(MANY, 'uint8', 'float32')).toBe(1);
  expect(await loadsOf(FEW, 'uint8', 'float32')).toBe(0); // the general one would be loaded here
});

test('small copies have none compiled', async () => {
  expect(await loadsOf(FEW, 'int8', 'float32')).toBe(1); // the general one
  expect(await loadsOf(FEW, 'int8', 'int32')).toBe(0);
  expect(await loadsOf(MANY - 1, 'int8', 'int16')).toBe(0);
  expect(await loadsOf(MANY, 'int8', 'int16')).toBe(1);
});

test('where the driver compiles none, the general one copies; the next copy tries again', async () => {
  probe.fail('cuModuleLoadDataEx:1:CUDA_ERROR_OUT_OF_MEMORY');
  expect(await loadsOf(MANY, 'uint8', 'int32')).toBe(1);
  probe.fail('');
  expect(await loadsOf(MANY, 'uint8', 'int32')).toBe(1);
  expect(await loadsOf(MANY, 'uint8', 'int32')).toBe(0);
});
