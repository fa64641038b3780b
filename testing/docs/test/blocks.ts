import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A fenced block of a Markdown page. */
export interface Block {
  /** Where it stands: `README.md:22`. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
}

/** Every fenced block of every page that git knows, reports made by tools left out. */
export function readBlocks(): Block[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const pages = listed.split('\n').filter((page) => page !== '' && !page.endsWith('.api.md'));
  return pages.filter((page) => existsSync(path.join(root, page))).flatMap(blocksOf);
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(path.join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: language, 2: code, index }) => ({
    place: `${page}:${text.slice(0, index).split('\n').length}`,
    language: language ?? '',
    code: code ?? '',
  }));
}
