import { readFileSync } from 'node:fs';
import { format } from 'node:util';
import { expect, test, vi } from 'vitest';

const code = readFileSync(new URL('../first.ts', import.meta.url), 'utf8');
const page = readFileSync(new URL('../../../docs/arrays.md', import.meta.url), 'utf8');

test('prints what its comments say', async () => {
  const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, said]) => said);
  expect(promised).toHaveLength(3);
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
  await import('../first.js');
  expect(log.mock.calls.map((printed) => format(...printed))).toEqual(promised);
});

test('is on the page, word for word', () => {
  expect(page).toContain(`\`\`\`ts\n${code}\`\`\``);
});
