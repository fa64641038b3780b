import { expect, test } from 'vitest';
import { runProgram } from './program.js';

test.each([0, 50, 150, 300])(
  'a process whose own exit listener throws ends %i ms after its first queue',
  async (delay) => {
    const program = `process.prependListener('exit', () => { throw new Error('mine'); });
      sycl.createQueue(); setTimeout(() => process.exit(3), ${delay});`;
    const { status, stderr } = await runProgram(program);
    expect(status).not.toBe(null);
    expect(stderr).toContain('Error: mine');
  },
);

// The kernels are built on another thread, for a fraction of a second after the first queue.
test.each([0, 50, 150, 300])(
  'a process may end %i ms after its first queue, in the middle of a build',
  async (delay) => {
    const program = `sycl.createQueue(); setTimeout(() => process.exit(3), ${delay});`;
    expect(await runProgram(program)).toEqual({ status: 3, stdout: '', stderr: '' });
  },
);
