import { runs } from '@array-interface/random';
import { expect, test } from 'vitest';
import { answer } from './run-program.js';
import type { Subject } from './subject.js';

/** Every operation, repeatedly. npm run test:long does each 100,000 times. */
export function operations(subject: Subject): void {
  const times = runs(1000);
  test(`memory does not grow when each operation runs ${times} times`, async () => {
    const { inPlace, kernel } = subject;
    const code = kernel === undefined ? '' : JSON.stringify(plain(kernel));
    expect(await answer(subject, 'operations', inPlace, code, String(times))).toEqual({});
  });
}

/** The kernel as plain JSON. */
function plain({ name, parameters, code }: NonNullable<Subject['kernel']>): object {
  const spirv = code.sycl && Buffer.from(code.sycl.spirv).toString('base64');
  return { name, parameters, ptx: code.cuda?.ptx, spirv };
}
