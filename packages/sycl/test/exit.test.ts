import { expect, test } from 'vitest';
import { runProgram } from './program.js';

const PENDING = `
  const n = 2048;
  const flat = await sycl.array(new Float32Array(n * n));
  const dict = { ...flat.__sycl_usm_array_interface__, shape: [n, n], strides: [1, n] };
  const turned = sycl.asArray({ __sycl_usm_array_interface__: dict });
  const target = sycl.empty([n, n], 'float32');
  const other = sycl.createQueue();
  const copies = [];
  for (let i = 0; i < 6; i++) copies.push(sycl.copy(target, turned, { queue: i % 2 ? other : undefined }));
  const waiting = [other.synchronize(), sycl.toTypedArray(target)];
  other[Symbol.dispose]();
  target[Symbol.dispose]();
`;

test('leaving with work pending: what is awaited is finished first', async () => {
  const done = `Promise.all(waiting).then(() => console.log('done'));`;
  expect(await runProgram(PENDING + done)).toEqual({ status: 0, stdout: 'done', stderr: '' });
});

test('process.exit with work pending', async () => {
  expect(await runProgram(`${PENDING} process.exit(7);`)).toEqual({
    status: 7,
    stdout: '',
    stderr: '',
  });
});

test('an exception with work pending', async () => {
  const ended = await runProgram(`${PENDING} throw new Error('on purpose');`);
  expect(ended.status).toBe(1);
  expect(ended.stderr).toContain('on purpose');
  expect(ended.stderr).not.toMatch(/terminate|Segmentation|Fatal|sycl::/);
});

test('nothing but a pending wait keeps the process alive', async () => {
  const program = 'const array = sycl.empty([4], "float32"); sycl.createQueue(); console.log(1);';
  expect(await runProgram(program)).toEqual({ status: 0, stdout: '1', stderr: '' });
});
