import { expect, test } from 'vitest';
import { kernelsOf } from '../../src/kernels/kernels-of.js';

const NAMES = ['axpy', 'count', 'move', 'numbers'] as const;
const code = Object.fromEntries(NAMES.map((name) => [name, { of: name }])) as never;

test.each(['cuda', 'sycl', 'host'])('the contract has code for %s', (backend) => {
  const kernels = kernelsOf(backend, undefined);
  for (const name of NAMES) expect(kernels[name].code).toHaveProperty(backend);
});

test.each(['mine', 'host'])('code that is given is that of %s, and the only code', (backend) => {
  const kernels = kernelsOf(backend, code);
  for (const name of NAMES) {
    expect(kernels[name].code).toEqual({ [backend]: { of: name } });
    expect(kernels[name].parameters).toEqual(kernelsOf('host', undefined)[name].parameters);
  }
});

test('missing code for a backend is reported at once, with what to do', () => {
  expect(() => kernelsOf('mine', undefined)).toThrow(
    /expected 'kernels' for the mine backend, got none: .* cuda, sycl, host alone; give the code of axpy, count, move, numbers, or null/,
  );
});
