import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// @boundaries-ignore: the same copies of the checkout as for planted mistakes
import { Sandbox } from '../../../scripts/suites/gate/sandbox.mjs';
import { blocksOf, root } from './support/pages.js';

// Does what docs/internals/adding.md says in a copy of the checkout: applies its blocks of lines
// that change, compiles, compares the API reports and runs the test files that it names.
const PAGE = 'docs/internals/adding.md';
const text = readFileSync(path.join(root, PAGE), 'utf8');

/** Whether what a guide adds works, as a program that prints what it sees. */
const DTYPE = `
  import { dtype } from '@array-interface/core';
  import { fromDLPack, toDLPack } from '@array-interface/core/dlpack';
  import { host } from '@array-interface/host';
  const array = host.empty([3], 'int4');
  const fields = toDLPack(array.descriptor, { device: { type: 1, id: 0 } });
  console.log(dtype('int4').typestr, JSON.stringify(fields.dtype), fromDLPack(fields).dtype.name);
`;
const OPTION = `
  import { host } from '@array-interface/host';
  const copy = (label) => host.copy(new Uint8Array(1), Uint8Array.of(1), { label });
  await copy('frame 7');
  console.log(await copy(7).catch(({ message }) => message));
`;

const GUIDES = [
  {
    heading: 'A dtype without a typestr',
    program: DTYPE,
    prints: '|V1 {"code":0,"bits":4,"lanes":1} int4\n',
    refused: 'ERR_TYPESTR',
  },
  {
    heading: 'An option of `copy`',
    program: OPTION,
    prints: '[ERR_ARGUMENT] label: expected 1 to 64 printable characters of ASCII, got 7\n',
    refused: 'chunkBytes, threads, got "label"',
  },
];

/** The section of the page under a heading. */
function sectionOf(heading) {
  const [, after] = text.split(`\n## ${heading}\n`);
  if (after === undefined) throw new Error(`${PAGE}: expected the heading ${heading}, got none`);
  return after.split('\n## ')[0];
}

/** The changes of a guide. A block belongs to the first file that the text before it names. */
function changesOf(section) {
  const blocks = [...section.matchAll(/((?:(?!^```)[^\n]*\n)*)^```(\w+)\n(.*?)^```\n/gms)];
  return blocks
    .filter(([, , language]) => language === 'diff')
    .flatMap(([, prose, , lines]) => {
      const [, file] = /`((?:docs|packages)\/[\w./-]+)`/.exec(prose) ?? [];
      return lines
        .split(/^@@\n/m)
        .map((hunk) => ({ file, old: side(hunk, '-'), planted: side(hunk, '+') }));
    });
}

/** The lines of one side of a change: those that stay, and those with its sign. */
function side(hunk, sign) {
  const lines = hunk.split('\n').slice(0, -1);
  const kept = lines.filter((line) => line === '' || line.startsWith(' ') || line.startsWith(sign));
  return kept.map((line) => `${line.slice(1)}\n`).join('');
}

/** The words of each command of a guide that begins with these. */
function commandsOf(section, begin) {
  const blocks = blocksOf({ page: PAGE, text: section }).filter(
    ({ language }) => language === 'sh',
  );
  const lines = blocks.flatMap(({ code }) => code.split('\n'));
  const found = lines.filter((line) => line.startsWith(`${begin} `));
  expect(found, `lines '${begin} …' under a heading`).not.toEqual([]);
  return found.map((line) => line.slice(begin.length + 1).split(' '));
}

/** Whether the commands of a guide make a change: one of an API report. */
const isReport = ({ file }) => file.endsWith('.api.md');

let copy;

beforeAll(() => {
  copy = new Sandbox();
});

afterAll(() => copy?.remove());

/** Runs a command in a folder of the copy. Gives what it prints. */
async function run(folder, name, ...args) {
  const env = { ...process.env, ARRAY_INTERFACE_SET_UP: '1', NO_COLOR: '1' };
  try {
    const { stdout } = await promisify(execFile)(name, args, { cwd: copy.path(folder), env });
    return stdout;
  } catch ({ stdout, stderr }) {
    throw new Error(`${name} ${args.join(' ')}:\n${stdout}${stderr}`);
  }
}

const tool = (name) => path.join(root, 'node_modules', '.bin', name);
const tryOut = (program) =>
  run('packages/host', process.execPath, '--input-type=module', '--eval', program);

/** Compiles the packages that a guide changes, as `build:ts` does. */
async function build() {
  await run('.', tool('tsc'), '-b', 'packages/core', 'packages/contract', 'packages/core/test');
  for (const folder of ['packages/core', 'packages/contract']) {
    await run(folder, process.execPath, copy.path('scripts/package/bundle.mjs'));
  }
}

// First, since what a guide adds stays compiled in the copy.
test.each(GUIDES)('$heading: what it adds does not exist yet', async ({ program, refused }) => {
  await expect(tryOut(program)).rejects.toThrow(refused);
});

describe.each(GUIDES)('$heading', ({ heading, program, prints }) => {
  const section = sectionOf(heading);

  test('changes six files at most, without the reports that a tool writes', () => {
    const written = changesOf(section).filter((change) => !isReport(change));
    const files = new Set(written.map(({ file }) => file));
    expect(files.size).toBeGreaterThan(2);
    expect(files.size).toBeLessThanOrEqual(6);
  });

  test('works once it is added, and passes the tests that the guide names', async () => {
    const changes = changesOf(section);
    try {
      copy.plant(changes.filter((change) => !isReport(change)));
      await build();
      expect(await tryOut(program)).toBe(prints);
      for (const args of commandsOf(section, 'npm run api --')) {
        await run('.', process.execPath, 'scripts/check/api.mjs', ...args);
      }
      for (const { file, planted } of changes.filter(isReport)) {
        expect(readFileSync(copy.path(file), 'utf8')).toContain(planted);
      }
      for (const args of commandsOf(section, 'npx vitest')) {
        expect(await run('.', tool('vitest'), ...args)).toMatch(/Tests +\d+ passed/);
      }
    } finally {
      copy.restore();
    }
  });
});
