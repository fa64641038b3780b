import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the example of the README prints what it says', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, example] = /```js\n(.*?)```/s.exec(readme) ?? [];
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', example ?? ''], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  const promised = [...(example ?? '').matchAll(/console\.log\(.*\/\/ (.* ]).*$/gm)];
  expect(promised.length).toBe(3);
  expect(output.trimEnd().split('\n')).toEqual(promised.map(([, line]) => line));
});
