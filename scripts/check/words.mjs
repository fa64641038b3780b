import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isProgram, root } from '../run.mjs';
import { listFiles } from '../workspace.mjs';

// npm run words: names that docs/internals/adr/0012-words.md replaced must not come back.
const TABLE = 'docs/internals/adr/0012-words.md';
const READ = /\.(c|cl|cmake|cpp|h|hpp|js|json|md|mjs|mts|plants|py|ts|txt)$/;
/** Records of the past, which are exempt. */
const PAST = /^(\.changeset|bench\/results|docs\/internals\/adr)\//;

/** The old names in the table's rows: those in code font. */
export function oldNames(table) {
  return [...table.matchAll(/^\|([^|\n]+)\|/gm)].flatMap(([, old]) =>
    [...old.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
}

/** The old names in a text, each as `{ line, name }`. */
export function found(text, names) {
  const any = new RegExp(String.raw`\b(?:${names.join('|')})\b`, 'g');
  return text
    .split('\n')
    .flatMap((line, index) => [...line.matchAll(any)].map(([name]) => ({ line: index + 1, name })));
}

function check() {
  const names = oldNames(readFileSync(path.join(root, TABLE), 'utf8'));
  const read = listFiles().filter((file) => READ.test(file) && !PAST.test(file));
  const faults = read.flatMap((file) =>
    found(readFileSync(path.join(root, file), 'utf8'), names).map(
      ({ line, name }) => `${file}:${line}: expected the new word for ${name}; ${TABLE} has it`,
    ),
  );
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`${read.length} files, none with any of ${names.length} old names`);
}

if (isProgram(import.meta)) check();
