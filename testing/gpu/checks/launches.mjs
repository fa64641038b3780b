import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineKernel } from '@array-interface/core/kernel';
import { cuda } from '@array-interface/cuda';
import { check } from '../check.mjs';
import { busy } from '../driver/driver.mjs';
import { probe } from '../driver/probe.mjs';

const codeOf = (kind) => {
  const bytes = readFileSync(new URL(`../kernels/raise.${kind}`, import.meta.url));
  return { [kind]: new Uint8Array(bytes) };
};

const raiseIn = (code) =>
  defineKernel({
    name: 'raise',
    parameters: {
      values: { write: 'float32' },
      count: 'uint32',
      amount: 'float32',
      steps: 'uint32',
    },
    code: { cuda: code },
  });

/** Three values, raised by 2 and by 2 again. */
async function raised(use, code) {
  const values = use(await cuda.array(Float32Array.of(1, 2, 3)));
  const given = { values, count: 3, amount: 2, steps: 2 };
  await cuda.launch(raiseIn(code), { range: [3] }, given);
  return [...(await cuda.toTypedArray(values))];
}

check('a kernel of nvcc runs, as PTX', async ({ use }) => {
  assert.deepEqual(await raised(use, codeOf('ptx')), [5, 6, 7]);
});

for (const kind of ['cubin', 'fatbin']) {
  check(`a kernel of nvcc runs as ${kind}, or is refused`, async ({ use, observed }) => {
    const got = await raised(use, codeOf(kind)).catch((error) => error);
    if (got instanceof Error) {
      assert.equal(got.code, 'ERR_KERNEL', got.stack);
      assert.equal(got.driverCode, 'CUDA_ERROR_NO_BINARY_FOR_GPU', got.stack);
      observed.instead = 'no code for this device';
    } else {
      assert.deepEqual(got, [5, 6, 7]);
    }
  });
}

check('machine code that was cut short does not reach the driver', async ({ use }) => {
  const { cubin } = codeOf('cubin');
  const error = await raised(use, { cubin: cubin.slice(0, -1) }).catch((thrown) => thrown);
  assert.equal(error.path, 'code.cuda.cubin', error.stack);
});

const LENGTH = busy(1 << 24);
const STEPS = 20;

const floatsOf = (bytes) => new Float32Array(new Uint8Array(bytes).buffer);

check('a launch comes after pending work, and later work after it', async ({ use }) => {
  const raise = raiseIn(codeOf('ptx'));
  const values = use(cuda.empty([LENGTH], 'float32'));
  const result = use(cuda.empty([LENGTH], 'float32'));
  const [before, during, after] = [1, 2, 3].map(() => use(cuda.createStream()));
  const given = { values, count: LENGTH, amount: 1, steps: STEPS };
  await cuda.launch(raise, { range: [LENGTH], queue: during }, { ...given, steps: 0 }); // built
  await cuda.synchronize();
  for (let round = 1; round <= 10; round++) {
    for (const start of [0, 1, 2, 3]) {
      void cuda.fill(values.slice([[start, null, 4]]), round, { queue: before });
    }
    void cuda.launch(raise, { range: [LENGTH], queue: during }, given);
    void cuda.copy(result, values, { queue: after });
    void cuda.fill(values, -1, { queue: before });
    const got = await cuda.toTypedArray(result, { queue: after });
    assert.ok(got.every((value) => value === round + STEPS));
    await cuda.synchronize();
  }
});

check(
  'a launch on borrowed memory is between the works of its producer',
  async ({ stranger, stream: queue }) => {
    const raise = raiseIn(codeOf('ptx'));
    const stream = stranger.stream();
    const [pointer, seen] = [stranger.memory(4 * LENGTH, 0), stranger.memory(4 * LENGTH, 0)];
    const dict = { version: 3, shape: [LENGTH], typestr: '<f4', data: [pointer, false], stream };
    const given = { count: LENGTH, amount: 1, steps: STEPS };
    for (let round = 0; round < 10; round++) {
      const release = stranger.hold(stream);
      probe.memset(stream, pointer, 0, 4 * LENGTH);
      const values = cuda.asArray({ __cuda_array_interface__: dict });
      await cuda.launch(raise, { range: [LENGTH], queue }, { ...given, values });
      values[Symbol.dispose]();
      probe.copy(stream, seen, pointer, 4 * LENGTH);
      probe.memset(stream, pointer, 255, 4 * LENGTH);
      release();
      probe.synchronizeStream(stream);
      const bytes = probe.readBytes(seen, 4 * LENGTH);
      assert.ok(floatsOf(bytes).every((value) => value === STEPS));
    }
  },
);

check('a kernel that faults rejects what waits for it, and the process ends well', () => {
  const program = fileURLToPath(new URL('../programs/stray.mjs', import.meta.url));
  const { status, signal, stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  assert.deepEqual({ status, signal }, { status: 0, signal: null });
  assert.match(stdout, /^ERR_CUDA CUDA_ERROR_(ILLEGAL_ADDRESS|LAUNCH_FAILED)\n$/);
});
