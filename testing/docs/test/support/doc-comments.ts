import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Page, root } from './pages.js';

/**
 * The doc comments of every package's sources, as a page for each source: the text of the comments
 * on the lines on which it stands, and nothing on all others.
 */
export function readDocComments(): Page[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', ':(glob)packages/*/src/**/*.ts'],
    { cwd: root, encoding: 'utf8' },
  );
  return listed
    .split('\n')
    .filter((file) => file !== '' && existsSync(path.join(root, file)))
    .map((file) => ({ page: file, text: textOf(readFileSync(path.join(root, file), 'utf8')) }));
}

function textOf(source: string): string {
  const comments = [...source.matchAll(/^ *\/\*\*\n(?: *\*.*\n)*? *\*\/$/gm)];
  let text = '';
  let end = 0;
  for (const { 0: comment, index } of comments) {
    text += source.slice(end, index).replaceAll(/[^\n]/g, '');
    text += comment.replaceAll(/^ *(?:\/\*\*|\*\/|\* ?)/gm, '');
    end = index + comment.length;
  }
  return text;
}
