import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';

/** The fenced blocks of a section of a page, by the page's path in the repository. */
function blocksOf(page, heading) {
  const file = path.join(import.meta.dirname, '..', '..', page);
  const [, section] = readFileSync(file, 'utf8').split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`expected ${page} to have '## ${heading}'`);
  const blocks = section.split('\n## ')[0].matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...blocks].map(([, language, text]) => ({ language, text }));
}

/** What the comments behind the lines of a program promise that it prints. */
const promisesOf = (program) =>
  [...program.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);

/** The program "Ten lines" of docs/arrays.md in TypeScript, with another backend in place of host. */
export function tenLines(backend = 'host') {
  const [{ text }] = blocksOf('docs/arrays.md', 'Ten lines');
  return text.replaceAll(/\bhost\b/g, backend);
}

/** The same as JavaScript that Node 20 runs. */
export async function tenLinesForNode(backend) {
  const { code } = await transform(tenLines(backend), { loader: 'ts', target: 'es2022' });
  return code;
}

export const promised = promisesOf(tenLines());

/** The lines that a program printed. */
export const linesOf = (text) => text.split('\n').filter((line) => line !== '');

/** The commands of README's "Install". */
export const installCommands = () => blocksOf('README.md', 'Install')[0].text;

/** The program of README's "A pipeline", and the lines that it prints. */
export const pipeline = () => blocksOf('README.md', 'A pipeline')[0].text;
export const pipelinePrints = () => promisesOf(pipeline());
