import { defineKernel, type Kernel } from '@array-interface/core/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends, hasClang, Workshop } from './built.js';

// Kernels that the real compilers build, on CUDA's simulator and on SYCL. Skipped without the
// compilers, which `npm test` reports.

const SOURCE = `
__attribute__((reqd_work_group_size(8, 4, 1)))
kernel void plane(global int *out) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_size(0) * 10 + get_local_size(1);
}
float twice(float x) { return x * 2; }
kernel void one(global float *x, const float by) {
  for (int i = 0; i < 8; i++) x[get_global_id(0) * 8 + i] = twice(x[get_global_id(0) * 8 + i]) + by;
  barrier(CLK_GLOBAL_MEM_FENCE);
}
kernel void both(global float *x) { one(x, 1); one(x, x[get_global_id(0) * 8]); }
kernel void vectors(global const float4 *x, global float4 *out, local float4 *shared, const uint n) {
  const size_t i = get_global_id(0), at = get_local_id(0), size = get_local_size(0);
  shared[at] = i < n ? x[i] : (float4)(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) out[i] = shared[size - 1 - at].wzyx;
}
`;

const workshop = new Workshop();
afterAll(() => workshop[Symbol.dispose]());

let kernels: Readonly<Record<string, Kernel>> = {};
let both: Awaited<ReturnType<typeof backends>>;

async function refusal(launched: Promise<unknown>) {
  try {
    await launched;
  } catch (error) {
    return error as { code: string; path: string; message: string };
  }
  throw new Error('expected a refusal, got none');
}

describe.runIf(hasClang)('built kernels', () => {
  beforeAll(async () => {
    kernels = await workshop.kernels(SOURCE);
    both = await backends();
  }, 120_000);
  const each = () => [both.cuda, both.sycl];

  test('have the group that the source requires, also if the definition does not say so', async () => {
    const plane = kernels.plane as Kernel;
    expect(plane.group).toEqual([4, 8]);
    const { group: _, ...silent } = plane;
    for (const backend of each()) {
      using out = await backend.array(new Int32Array(64));
      for (const kernel of [plane, defineKernel(silent)]) {
        await backend.fill(out, 0);
        await backend.launch(kernel, { range: [8, 8] }, { out });
        expect(await backend.toTypedArray(out)).toEqual(new Int32Array(64).fill(84));
        for (const group of [
          [8, 4],
          [1, 32],
          [4, 4],
        ]) {
          const error = await refusal(backend.launch(kernel, { range: [8, 8], group }, { out }));
          expect(error).toMatchObject({ code: 'ERR_ARGUMENT', path: 'group' });
          expect(error.message).toContain(
            "expected groups of [4,8], which the code of 'plane' requires",
          );
        }
      }
    }
  });

  test('call one another', async () => {
    const expected = Float32Array.from({ length: 64 }, (_, i) => {
      const after = (value: number) => value * 2 + 1;
      const first = after(Math.floor(i / 8) * 8);
      return after(i) * 2 + first;
    });
    for (const backend of each()) {
      using x = await backend.array(Float32Array.from({ length: 64 }, (_, i) => i));
      await backend.launch(kernels.both as Kernel, { range: [8], group: [8] }, { x });
      // each item reads its own row's first number before it changes it
      expect([...((await backend.toTypedArray(x)) as Float32Array)].slice(0, 8)).toEqual([
        ...expected.slice(0, 8),
      ]);
    }
  });

  test('take arrays as vectors, if they are aligned for them', async () => {
    const kernel = kernels.vectors as Kernel;
    expect(kernel.parameters).toMatchObject({ x: { read: 'float32', align: 16 } });
    for (const backend of each()) {
      using x = await backend.array(Float32Array.from({ length: 33 }, (_, i) => i));
      using out = await backend.array(new Float32Array(32));
      const grid = { range: [8], group: [4] };
      const values = { x: x.slice([[0, 32]]), out, shared: 16, n: 8 };
      await backend.launch(kernel, grid, values);
      const reversed = Array.from({ length: 32 }, (_, i) => (i < 16 ? 15 - i : 47 - i));
      expect([...((await backend.toTypedArray(out)) as Float32Array)]).toEqual(reversed);
      const odd = { ...values, x: x.slice([[1, 33]]) };
      const error = await refusal(backend.launch(kernel, grid, odd));
      expect(error).toMatchObject({ code: 'ERR_NOT_ACCESSIBLE', path: 'x' });
      expect(error.message).toContain('elements aligned to 16 bytes');
    }
  });

  test('refuse a group that is too large alike, and name the limit', async () => {
    const found = [];
    for (const backend of each()) {
      using x = await backend.array(new Float32Array(64));
      const grid = { range: [2 ** 20], group: [2 ** 20] };
      const { code, path, message } = await refusal(
        backend.launch(kernels.one as Kernel, grid, { x, by: 1 }),
      );
      expect(message).toMatch(/expected at most \d+ items in a group of 'one' on this device/);
      found.push([code, path, message.replaceAll(/\d+/g, 'N')]);
    }
    expect(found[0]).toEqual(found[1]);
  });

  test('refuse { local } without a group alike', async () => {
    for (const backend of each()) {
      using x = await backend.array(new Float32Array(32));
      using out = await backend.array(new Float32Array(32));
      const values = { x, out, shared: 16, n: 8 };
      const error = await refusal(
        backend.launch(kernels.vectors as Kernel, { range: [8] }, values),
      );
      expect(error).toMatchObject({ code: 'ERR_ARGUMENT', path: 'group' });
    }
  });
});
