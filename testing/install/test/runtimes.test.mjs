import { describe, expect, test } from 'vitest';
import { linesOf, promised, tenLines } from '../readme.mjs';
import { newUser } from '../user.mjs';

const PACKAGES = ['@array-interface/core', '@array-interface/host'];

// Both run TypeScript as it stands on the page.
describe.each([
  {
    name: 'Bun',
    commands: { bun: '@oven/bun-linux-x64/bin/bun' },
    add: ['bun', 'add', ...PACKAGES],
    program: ['bun', 'run', 'ten-lines.ts'],
  },
  {
    name: 'Deno',
    commands: { deno: '@deno/linux-x64-glibc/deno' },
    // It would not install what was published today.
    add: ['deno', 'add', '--min-dep-age=0', ...PACKAGES.map((name) => `npm:${name}`)],
    program: ['deno', 'run', '--allow-all', '--min-dep-age=0', 'ten-lines.ts'],
  },
])('$name', ({ add, program, ...client }) => {
  test('runs the ten lines', async ({ onTestFinished }) => {
    const user = newUser(client);
    onTestFinished(user.remove);
    user.write('package.json', '{ "type": "module" }\n');
    user.write('ten-lines.ts', tenLines());
    await user.said(add);
    expect(linesOf(await user.said(program))).toEqual(promised);
  });
});
