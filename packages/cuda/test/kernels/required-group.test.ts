import { expect, test } from 'vitest';
import { requiredGroup } from '../../src/kernels/required-group.js';

const entry = (head: string, name = 'plane') => `.visible .entry ${name}${head}\n{\n  ret;\n}\n`;

test.each([
  ['no directive', entry('()'), undefined],
  ['one axis', entry('(\n  .param .u64 plane_param_0\n)\n.reqntid 64'), [64]],
  ['three axes, x first', entry('()\n.reqntid 8, 4, 2'), [2, 4, 8]],
  ['other directives beside it', entry('()\n.maxnreg 32\n.reqntid 8,4 .minnctapersm 2'), [4, 8]],
  ['comments beside it', entry('() // .reqntid 1\n.reqntid /* x */ 16 // y'), [16]],
  ['a limit alone', entry('()\n.maxntid 64, 1, 1'), undefined],
  ['a number that is not decimal', entry('()\n.reqntid 0x40'), undefined],
  ['a declaration before it', `.entry plane();\n${entry('()\n.reqntid 32')}`, [32]],
  ['another kernel’s', entry('()\n.reqntid 32', 'plane2') + entry('()'), undefined],
  ['that of a name that begins alike', entry('()', 'plane$') + entry('()\n.reqntid 2'), [2]],
])('the group that PTX requires: %s', (_, ptx, expected) => {
  expect(requiredGroup(ptx, 'plane')).toEqual(expected);
});

test('names are no patterns', () => {
  const ptx = entry('()\n.reqntid 32', '$L_(x');
  expect(requiredGroup(ptx, '$L_(x')).toEqual([32]);
  expect(requiredGroup(entry('()\n.reqntid 32', 'axb'), 'a.b')).toBe(undefined);
});
