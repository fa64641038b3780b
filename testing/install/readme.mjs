import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';

const page = readFileSync(path.join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');

/** The fenced blocks of a section of README.md. */
function blocksOf(heading) {
  const [, section] = page.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`expected README.md to have '## ${heading}'`);
  const blocks = section.split('\n## ')[0].matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...blocks].map(([, language, text]) => ({ language, text }));
}

/** The program of "Ten lines" in TypeScript, with another backend in place of host. */
export function tenLines(backend = 'host') {
  const [{ text }] = blocksOf('Ten lines');
  return text.replaceAll(/\bhost\b/g, backend);
}

/** The same as JavaScript that Node 20 runs. */
export async function tenLinesForNode(backend) {
  const { code } = await transform(tenLines(backend), { loader: 'ts', target: 'es2022' });
  return code;
}

/** What the comments behind its lines promise that it prints. */
export const promised = [...tenLines().matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(
  ([, text]) => text,
);

/** The lines that a program printed. */
export const linesOf = (text) => text.split('\n').filter((line) => line !== '');

const blockOfInstall = (language) =>
  blocksOf('Install').find((one) => one.language === language).text;

/** The commands of "Install", and what the last of them prints. */
export const installCommands = () => blockOfInstall('sh');
export const installPrints = () => blockOfInstall('text');
