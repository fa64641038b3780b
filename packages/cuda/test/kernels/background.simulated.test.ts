import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { childAnswer, runChild } from '../support/child.js';

// A driver whose compiler takes its time, and says on which thread.
const slow = (milliseconds: number) => ({
  ARRAY_INTERFACE_LIBCUDA: fileURLToPath(
    new URL('../../build/Release/test/slow_compiler.so', import.meta.url),
  ),
  SLOW_COMPILER_DRIVER: process.env.ARRAY_INTERFACE_LIBCUDA,
  SLOW_COMPILER_MS: String(milliseconds),
});

const START = `
  import { cuda } from '@array-interface/cuda';
  const numbers = Float32Array.from({ length: 2 ** 16 }, (_, i) => i);
  const square = async () => (await cuda.array(numbers)).reshape([256, 256]).transpose();
`;

test('copy() never compiles: a large copy uses existing kernels, and its own is built later', async () => {
  const { status, stdout, stderr } = await runChild(
    `${START}
    const source = await square();
    await cuda.whenKernelsReady();
    const target = cuda.empty([256, 256], 'float64');
    process.env.SLOW_COMPILER_MS = '5000';
    process.stderr.write('copy\\n');
    await cuda.copy(target, source);
    const values = await cuda.toTypedArray(target);
    process.stderr.write('copied\\n');
    await cuda.whenKernelsReady();
    await cuda.copy(target, source);
    console.log(JSON.stringify([...values.slice(0, 3)]));`,
    slow(0),
  );
  expect(status, stderr).toBe(0);
  expect(JSON.parse(stdout)).toEqual([0, 256, 512]);
  const lines = stderr.trim().split('\n');
  expect(lines.filter((line) => line.endsWith(' main'))).toEqual([]);
  const whole = ['begin other', 'end other'];
  expect(lines.filter((line) => line !== 'copy' && line !== 'copied')).toEqual([
    ...whole, // strided_copy
    ...whole, // convert
    ...whole, // this conversion's
  ]);
  // By the order of what was said, not by a clock: the copy had ended before the compiler had.
  expect(lines.indexOf('copied')).toBeLessThan(lines.lastIndexOf('end other'));
});

test('a copy before the first kernels are built waits for them, and starts no other build', async () => {
  const { status, stdout, stderr } = await runChild(
    `${START}
    const target = cuda.empty([256, 256], 'float32');
    await cuda.copy(target, await square());
    console.log((await cuda.toTypedArray(target))[1]);
    await cuda.whenKernelsReady();`,
    slow(100),
  );
  expect([status, stdout.trim()], stderr).toEqual([0, '256']);
  const begun = stderr
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('begin'));
  // Whichever thread comes first builds what the copy needs; on a busy machine that is the copy's own.
  // The other two are never the copy's to build.
  expect(begun).toHaveLength(3);
  expect(begun.filter((line) => line === 'begin other').length).toBeGreaterThanOrEqual(2);
});

test.each([0, 50, 150, 350])('a process may end %i ms after its first stream', async (delay) => {
  const exits = `${START} cuda.createStream(); setTimeout(() => process.exit(3), ${delay});`;
  const exit = await runChild(exits, slow(200));
  expect(exit).toMatchObject({ status: 3, signal: null });
  const ends = `${START} cuda.createStream(); setTimeout(() => {}, ${delay});`;
  const end = await runChild(ends, slow(200));
  expect(end).toMatchObject({ status: 0, signal: null });
  for (const { stderr } of [exit, end]) {
    const lines = stderr
      .trim()
      .split('\n')
      .filter((line) => line !== '');
    // The build under way has ended, nothing was begun after it.
    expect(lines.filter((line) => line.startsWith('begin')).length).toBe(lines.length / 2);
  }
});

test('a process that ends waits for one build, not for all that were requested', async () => {
  const { status, stderr } = await runChild(
    `${START}
    const source = await square();
    for (const dtype of ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64']) {
      await cuda.copy(cuda.empty([256, 256], dtype), source, { casting: 'unsafe' });
    }
    process.exit(3);`,
    slow(200),
  );
  expect(status, stderr).toBe(3);
  // Two that the copies themselves need, one under way, and one for a machine that is slow.
  expect(stderr.match(/^begin other$/gm)?.length).toBeLessThanOrEqual(4);
});

test.each([0, 50, 150])('a worker may end %i ms after its first stream', async (delay) => {
  const work = `import { cuda } from '@array-interface/cuda'; cuda.createStream();
    setTimeout(() => process.exit(), ${delay});`;
  const answer = await childAnswer<{ ended: number; value: number }>(
    `import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    ${START}
    const flags = { eval: true, execArgv: ['--input-type=module'] };
    await once(new Worker(${JSON.stringify(work)}, flags), 'exit');
    const last = new Worker(${JSON.stringify(work)}, flags);
    const target = cuda.empty([256, 256], 'float32');
    await cuda.copy(target, await square());
    const [ended] = await once(last, 'exit');
    console.log(JSON.stringify({ ended, value: (await cuda.toTypedArray(target))[1] }));`,
    slow(100),
  );
  expect(answer).toEqual({ ended: 0, value: 256 });
});

test('the last worker may end during a build, and the main thread right after it', async () => {
  const work = `import { cuda } from '@array-interface/cuda'; cuda.createStream();
    setTimeout(() => process.exit(), 20);`;
  const ended = await runChild(
    `import { Worker } from 'node:worker_threads';
    const flags = { eval: true, execArgv: ['--input-type=module'] };
    const worker = new Worker(${JSON.stringify(work)}, flags);
    worker.on('exit', () => process.exit(4));`,
    slow(200),
  );
  expect(ended).toMatchObject({ status: 4, signal: null });
});
