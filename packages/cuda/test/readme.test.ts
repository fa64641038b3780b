import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runChild } from './child.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the example in the README prints what it says', async () => {
  const code = /```js\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const printed = [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
  expect(printed).toHaveLength(1);
  const { status, stdout, stderr } = await runChild(code);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout.trim().replace(/\s+/g, ' ')).toBe(printed.join(' '));
});
