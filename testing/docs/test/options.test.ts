import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readPages, root } from './support/pages.js';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The properties of an interface in our sources. */
function propertiesOf(file: string, name: string): string[] {
  const [, body = ''] =
    new RegExp(`interface ${name}\\b[^{]*\\{(.*?)^\\}`, 'ms').exec(read(file)) ?? [];
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)].map(
    ([, property]) => property as string,
  );
}

/** Who takes options, as pages call it, and where the source says which. */
const TAKERS = [
  { who: 'kernel', file: 'packages/core/src/kernel/kernel.ts', name: 'Kernel' },
  { who: 'launch', file: 'packages/core/src/backend/interface/options.ts', name: 'LaunchOptions' },
] as const;

test.each(TAKERS)('what a $who says on a page is a property of $name', ({ who, file, name }) => {
  const properties = propertiesOf(file, name);
  expect(properties.length).toBeGreaterThan(2);
  const said = readPages().flatMap(({ page, text }) =>
    [...text.matchAll(new RegExp(`the ${who} says \`(\\w+):`, 'g'))].map(([, option]) => ({
      page,
      option,
    })),
  );
  expect(said.filter(({ option }) => !properties.includes(option as string))).toEqual([]);
});

test('pages still use these words', () => {
  expect(readPages().some(({ text }) => /the kernel says `\w+:/.test(text))).toBe(true);
});
