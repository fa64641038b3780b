import { expect, test } from 'vitest';
import { runProgram } from '../support/program.js';

test.each([0, 50, 150])(
  'a process whose exit listener throws ends normally %i ms after its first queue',
  async (delay) => {
    const ending = (first: string) =>
      runProgram(`process.prependListener('exit', () => { throw new Error('mine'); });
        ${first} setTimeout(() => process.exit(3), ${delay});`);
    const plain = await ending('');
    expect(plain.status).toBeTypeOf('number'); // a process that crashed has the name of a signal
    const { status, stderr } = await ending('sycl.createQueue();');
    expect(status).toBe(plain.status);
    expect(stderr).toContain('Error: mine');
  },
);

test('an exit listener that throws does not stop the build from ending first', async () => {
  const plain = await runProgram(`
    process.prependListener('exit', () => { throw new Error('mine'); });
    process.exit(3);`);
  const { status, stderr } = await runProgram(`
    import { native } from './native.mjs';
    const { endBuilding } = native;
    native.endBuilding = () => {
      console.error('ended');
      endBuilding();
    };
    sycl.createQueue();
    process.prependListener('exit', () => { throw new Error('mine'); });
    process.exit(3);`);
  expect(stderr).toContain('ended');
  expect(stderr).toContain('Error: mine');
  expect(status).toBe(plain.status);
});

test.each([0, 100])(
  'a process may end %i ms after its copies requested seven kernels',
  async (delay) => {
    const program = `const count = 2 ** 18;
      const bytes = sycl.empty([8 * count], 'uint8');
      const target = sycl.empty([count], 'uint8');
      sycl.createQueue();
      await sycl.whenKernelsReady();
      for (let step = 2; step <= 8; step++) {
        await sycl.copy(target, bytes.slice([[0, step * count, step]]));
      }
      setTimeout(() => process.exit(3), ${delay});`;
    expect(await runProgram(program)).toEqual({ status: 3, stdout: '', stderr: '' });
  },
);

// The kernels are built on another thread, for a fraction of a second after the first queue.
test.each([0, 50, 150])(
  'a process may end %i ms after its first queue, during a build',
  async (delay) => {
    const program = `sycl.createQueue(); setTimeout(() => process.exit(3), ${delay});`;
    expect(await runProgram(program)).toEqual({ status: 3, stdout: '', stderr: '' });
  },
);
