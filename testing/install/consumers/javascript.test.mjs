import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { must, root } from '../../../scripts/run.mjs';
import { QUIETLY } from '../../../scripts/setup/locked.mjs';
import { homeOf, isHere, VERSIONS } from '../../../scripts/setup/node-versions.mjs';
import { withEsbuild } from './bundlers.mjs';
import { withAddon } from './installed.mjs';
import { modelOf } from './onnx-model.mjs';
import { openBrowser, saidOnPage } from './pages.mjs';
import { runProgram } from './run-program.mjs';

// The programs of examples/javascript, with the libraries in its package-lock.json.
const programs = path.join(root, 'examples', 'javascript');
const names = readdirSync(programs)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => path.basename(file, '.mjs'));
const IN_PAGES = ['imagedata'];

const codeOf = (name) => readFileSync(path.join(programs, `${name}.mjs`), 'utf8');

/** What the comments behind its console.log promise that a program prints. */
const promisedBy = (name) =>
  [...codeOf(name).matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);

describe('prints what its comments say:', () => {
  let folder;
  let bin;

  beforeAll(async () => {
    // The binaries of nodejs-polars, and numpy-ts, need Node 22.
    bin = isHere ? await homeOf(VERSIONS.at(-1)) : path.dirname(process.execPath);
    folder = mkdtempSync(path.join(tmpdir(), 'javascript-'));
    cpSync(programs, folder, {
      recursive: true,
      filter: (file) => path.basename(file) !== 'node_modules',
    });
    const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
    const install = (...words) =>
      must('npm', [...words, '--prefer-offline', ...QUIETLY], { cwd: folder, env });
    await install('ci');
    await install('install', '--no-save', ...inject('packages'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(names.filter((name) => !IN_PAGES.includes(name)))('%s', async (name) => {
    const { status, stdout, stderr } = await runProgram(path.join(bin, 'node'), [`${name}.mjs`], {
      cwd: folder,
      env: withAddon('host'),
    });
    const printed = stdout.split('\n').slice(0, -1);
    expect({ status, printed }, stderr).toEqual({ status: 0, printed: promisedBy(name) });
  });

  it.each(IN_PAGES)('%s, in Chromium', async (name) => {
    const { file, warnings } = await withEsbuild(path.join(folder, 'page.js'), {
      absWorkingDir: folder,
      entryPoints: [`${name}.mjs`],
      format: 'esm',
    });
    expect(warnings).toEqual([]);
    const browser = await openBrowser();
    const promised = promisedBy(name);
    const said = await saidOnPage(browser, file, promised.length).finally(() => browser.close());
    expect(said).toEqual(promised);
  });
});

describe.each(names)('%s', (name) => {
  it(`has at most ${name === 'pipeline' ? 25 : 15} lines of code, and promises what it prints`, () => {
    const lines = codeOf(name)
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('//'));
    expect(lines.length).toBeLessThanOrEqual(name === 'pipeline' ? 25 : 15);
    expect(promisedBy(name)).toHaveLength(codeOf(name).match(/console\.log\(/g).length);
  });
});

it.each([
  ['onnxruntime-node', modelOf('Add', 'x', 'x')],
  ['pipeline', modelOf('GlobalAveragePool', 'x')],
])('the model of %s is the one that its comment names', (name, model) => {
  const [, written] = /^const model = '(.*)';/m.exec(codeOf(name));
  expect(written).toBe(model.toString('base64'));
});

it('the page names every program, and every library with the version that is run', () => {
  const page = readFileSync(path.join(root, 'docs', 'javascript.md'), 'utf8');
  const linked = [...page.matchAll(/\(\.\.\/examples\/javascript\/([\w-]+)\.mjs\)/g)];
  expect(linked.map(([, name]) => name).sort()).toEqual([...names].sort());
  const { dependencies } = JSON.parse(readFileSync(path.join(programs, 'package.json'), 'utf8'));
  const rows = [...page.matchAll(/^\| (\S+ \d[\w.-]*)/gm)].map(([, row]) => row);
  expect(rows.sort()).toEqual(
    Object.entries(dependencies)
      .map(([name, version]) => `${name} ${version}`)
      .sort(),
  );
});
