import { expect, test } from 'vitest';
import { finishPtx } from '../../src/kernel-build/ptx.js';

const entry = (name: string, count: number, used: number) => {
  const parameters = Array.from({ length: count }, (_, i) => `\t.param .u64 ${name}_param_${i}`);
  return `.visible .entry ${name}(\n${parameters.join(',\n')}\n)
{
\tld.param.u64 \t%rd1, [${name}_param_${used}];
\tld.param.u64 \t%rd2, [${name}_param_${count - 1}];
\tret;
}
`;
};
const number = { name: 'x', type: { kind: 'number', dtype: 'uint64' } } as const;
const local = { name: 'room', type: { kind: 'local', dtype: 'float32' } } as const;

test.each([
  [11, 1],
  [12, 1],
])(
  'of %i parameters, %i is the local one, and no other whose number begins so',
  (count, location) => {
    const parameters = Array.from({ length: count }, (_, i) => (i === location ? local : number));
    const made = finishPtx(entry('many', count, location), [{ name: 'many', parameters }]);
    expect(made).toContain('mov.u64 \t%rd1, many_shared;');
    expect(made).toContain(`[many_param_${count - 1}]`);
    expect(made).not.toMatch(/many_param_1\b/);
  },
);

test('a kernel whose name is the end of another’s keeps its own parameters', () => {
  const text = entry('sum', 2, 0) + entry('my_sum', 2, 0);
  const made = finishPtx(text, [
    { name: 'sum', parameters: [local, number] },
    { name: 'my_sum', parameters: [number, number] },
  ]);
  expect(made).toContain('mov.u64 \t%rd1, sum_shared;');
  expect(made).toContain('ld.param.u64 \t%rd1, [my_sum_param_0];');
});
