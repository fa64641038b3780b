import { defineKernel } from '@array-interface/core/kernel';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { checkSpirv } from '../../src/kernels/check-spirv.js';
import { refused } from '../support/refused.js';
import { twice } from './twice.kernel.js';

// Intel's compiler ends the process for many of these: it must not see them.

const { spirv } = twice.code.sycl; // two functions

/** The words at which its instructions begin. */
function instructions(): number[] {
  const words = new Uint32Array(new Uint8Array(spirv).buffer);
  const starts: number[] = [];
  for (let at = 5; at < words.length; at += (words[at] as number) >>> 16) starts.push(at);
  return starts;
}

test('a complete module is accepted', () => {
  expect(() => checkSpirv(new Uint8Array(spirv))).not.toThrow();
});

test('no truncated one is', () => {
  for (let end = 0; end < spirv.byteLength; end++) {
    const beginning = new Uint8Array(spirv.slice(0, end));
    expect(() => checkSpirv(beginning), `${end} bytes`).toThrow(/expected a .*module of SPIR-V/);
  }
});

test.each([0, 0xffff])('an instruction of %i words is refused', (length) => {
  for (const at of instructions()) {
    const changed = new Uint8Array(spirv);
    new DataView(changed.buffer).setUint16(4 * at + 2, length, true);
    expect(() => checkSpirv(changed)).toThrow(`no whole instruction begins at byte ${4 * at};`);
  }
});

test('a launch says where the module ends, and the process goes on', async () => {
  using at = await sycl.array([1, 2, 3], { dtype: 'float32' });
  for (const end of [4, 20, 400, spirv.byteLength - 8, spirv.byteLength - 1]) {
    const kernel = defineKernel({ ...twice, code: { sycl: { spirv: spirv.slice(0, end) } } });
    const launch = () => sycl.launch(kernel, { range: [3], group: [64] }, { at, n: 3, room: 64 });
    const error = await refused('ERR_KERNEL', launch);
    expect(error.path).toBe('code.sycl.spirv');
  }
  await sycl.launch(defineKernel(twice), { range: [3], group: [64] }, { at, n: 3, room: 64 });
  expect(await sycl.toTypedArray(at)).toEqual(Float32Array.of(2, 4, 6));
});
