import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** A Markdown page. */
export interface Page {
  /** Its path in the repository. */
  readonly page: string;
  readonly text: string;
}

/** A piece of code on a page. */
export interface Code {
  /** Where it stands: `README.md:22`. */
  readonly place: string;
  readonly code: string;
}

/** A fenced block of a page. */
export interface Block extends Code {
  readonly language: string;
}

/** Every page that git knows, reports made by tools left out. */
export function readPages(): Page[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
    { cwd: root, encoding: 'utf8' },
  );
  return listed
    .split('\n')
    .filter((page) => page !== '' && !page.endsWith('.api.md'))
    .filter((page) => existsSync(path.join(root, page)))
    .map((page) => ({ page, text: readFileSync(path.join(root, page), 'utf8') }));
}

/** The fenced blocks of a page, as far as `fencesOf` are fences that we know. */
export function blocksOf({ page, text }: Page): Block[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: language, 2: code, index }) => ({
    place: placeOf({ page, text }, index),
    language: language ?? '',
    code: code ?? '',
  }));
}

/** The first lines of all that Markdown takes for a fenced block. */
export function fencesOf({ page, text }: Page): Code[] {
  const fences = [...text.matchAll(/^[ \t>]*(?:```|~~~).*$/gm)];
  return fences
    .filter((_, position) => position % 2 === 0)
    .map(({ 0: code, index }) => ({ place: placeOf({ page, text }, index), code }));
}

/** What stands between single backticks in the text of a page. */
export function inlineCodeOf(page: Page): Code[] {
  const found = inText(page, /`((?:[^`\n]|\n(?!\n))+)`/g);
  return found.map(({ place, code }) => ({ place, code: code.replaceAll(/\s+/g, ' ') }));
}

/** What a pattern's first group finds in the text of a page, outside its fenced blocks. */
export function inText({ page, text }: Page, pattern: RegExp): Code[] {
  const prose = text.replace(/^```.*?^```$/gms, (block) => block.replace(/[^\n]/g, ' '));
  return [...prose.matchAll(pattern)].map(({ 1: code, index }) => ({
    place: placeOf({ page, text }, index),
    code: code as string,
  }));
}

function placeOf({ page, text }: Page, index: number): string {
  return `${page}:${text.slice(0, index).split('\n').length}`;
}
