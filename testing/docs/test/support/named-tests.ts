import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './pages.js';

/** A test as a page names it: `[file](packages/a/test/file.test.ts) “its name”`. */
export interface NamedTest {
  /** Its file in the repository. */
  readonly file: string;
  readonly name: string;
}

/** The tests that a text names. */
export function namedIn(cell: string): NamedTest[] {
  const files = [...cell.matchAll(/\]\(([^)]+)\)([^[]*)/g)];
  return files.flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ file, name: oneLine(name) })),
  );
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

/** Those that their files do not hold, or do not run. */
export function missingTests(named: readonly NamedTest[]): NamedTest[] {
  return named.filter(({ file, name }) => !titlesOf(file).includes(name));
}

/** A text in front of a function is the title of a test, or of a few. */
const TITLE =
  /(?<![.\w](?:skip|todo|only))\(\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>).)*)\k<quote>,\s*(?:async\s*)?(?:\(|\w+ =>)/g;

function titlesOf(file: string): string[] {
  const place = path.join(root, file);
  if (!existsSync(place)) return [];
  const text = readFileSync(place, 'utf8');
  if (file.endsWith('.py'))
    return [...text.matchAll(/def (test_\w+)/g)].map(([, name = '']) => name);
  const titles = [...text.matchAll(TITLE)];
  return titles.map(({ groups }) => (groups?.['title'] ?? '').replaceAll(/\\(.)/g, '$1'));
}
