import { expect, test } from 'vitest';
import { runWithInterposer } from '../support/interposer.js';

// dpctl's library is C++ with a libstdc++ of its own, and the addon may have another linked into
// it. What the one throws, the other catches only if both unwind with the same libgcc_s.
test('an exception that the library throws through a C function becomes ERR_SYCL, and does not end the process', async () => {
  const program = `
    const { sycl } = await import('@array-interface/sycl');
    await sycl.array([1]);
    const refusals = [];
    for (const text of ['planted once', 'planted twice']) {
      interposer.throw(text);
      // longer than what is kept
      await sycl.array(new Uint8Array(12345678)).catch((error) => refusals.push(error));
    }
    for (const { code, message } of refusals) console.log(code, message);`;
  const { status, stdout, stderr } = await runWithInterposer(program);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^ERR_SYCL .*the exception 'planted once'.*\nERR_SYCL .*'planted twice'/);
});
