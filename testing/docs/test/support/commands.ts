import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './pages.js';

const CLI = path.join(root, 'packages', 'cli', 'bin', 'array-interface.js');
/** Commands of others that pages have npx run. */
const FOREIGN = ['cmake-js', 'pnpm', 'vitest'];
/** Commands of npm's own that pages name. */
const OF_NPM = [
  'audit',
  'ci',
  'deprecate',
  'install',
  'login',
  'ls',
  'pack',
  'publish',
  'stage',
  'trust',
  'view',
];

interface Manifest {
  readonly scripts?: Record<string, string>;
  readonly bin?: Record<string, string>;
}

/** Of the root and of every package, in whose folders pages say what to run. */
const manifests = ['.', ...readdirSync(path.join(root, 'packages')).map((one) => `packages/${one}`)]
  .map((folder) => path.join(root, folder, 'package.json'))
  .filter(existsSync)
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Manifest);
const scripts = manifests.flatMap((one) => Object.keys(one.scripts ?? {}));
const bins = [...manifests.flatMap((one) => Object.keys(one.bin ?? {})), ...FOREIGN];

/** What is wrong with the commands of npm, npx and node that stand in a piece of code, a sentence each. */
export function wrongCommands(code: string): string[] {
  const lines = code.replaceAll('\\\n', ' ').matchAll(/\b(npm|npx|node) +([^\n#|;&…]+)/g);
  return [...lines].flatMap(([, command, rest]) => {
    const words = (rest as string).trim().split(/ +/);
    if (command === 'npm') return wrongScript(words);
    return command === 'npx' ? wrongBin(words) : wrongProgram(words);
  });
}

function wrongScript([first = '', second = '']: string[]): string[] {
  if (OF_NPM.includes(first)) return [];
  const name = first === 'run' ? second : first;
  return scripts.includes(name) ? [] : [`no package.json has a script '${name}'`];
}

function wrongBin(words: string[]): string[] {
  const [first = '', ...rest] = words.filter((word) => word !== '--yes');
  const name = first.replace(/@.*/, '');
  if (!bins.includes(name)) return [`no package has a command '${name}'`];
  return name === 'array-interface' ? wrongArguments(rest) : [];
}

function wrongProgram([file = '']: string[]): string[] {
  if (!/^[a-z].*\/.*\.mjs$/.test(file)) return [];
  return existsSync(path.join(root, file)) ? [] : [`there is no file ${file}`];
}

/** Holds subcommands and options of array-interface against its own help. */
function wrongArguments(words: string[]): string[] {
  const known: string[] = [];
  for (const word of words.filter((one) => !one.startsWith('-'))) {
    const [, commands] = help(known).split('\nCommands:\n');
    if (commands === undefined) break;
    if (!new RegExp(`^  ${word}\\b`, 'm').test(commands)) {
      return [`${called(known)} has no subcommand '${word}'`];
    }
    known.push(word);
  }
  return words
    .filter((word) => word.startsWith('--') && !help(known).includes(`${word} `))
    .map((word) => `${called(known)} has no option '${word}'`);
}

const called = (subcommands: readonly string[]) => ['array-interface', ...subcommands].join(' ');

const helps = new Map<string, string>();

function help(subcommands: readonly string[]): string {
  const key = subcommands.join(' ');
  const text =
    helps.get(key) ??
    execFileSync(process.execPath, [CLI, ...subcommands, '--help'], { encoding: 'utf8' });
  helps.set(key, text);
  return text;
}
