import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { blocksOf, inText, type Page, root } from './support/pages.js';
import { bodyOf } from './support/walks.js';

const page: Page = {
  page: 'docs/internals/architecture.md',
  text: readFileSync(path.join(root, 'docs/internals/architecture.md'), 'utf8'),
};

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
const files = listed.trimEnd().split('\n');
/** All files and folders, each with a slash before and behind it. */
const paths = new Set(files.map((file) => `/${file}/`));
for (const file of files) {
  for (let folder = path.dirname(file); folder !== '.'; folder = path.dirname(folder)) {
    paths.add(`/${folder}/`);
  }
}

/** Published sources, the tools and the contract's: what the page may speak of. */
const SOURCE =
  /^(packages\/[^/]+\/(src|bin|native|include)|native|python\/src|scripts)\/.*\.(c|cl|cpp|h|hpp|js|mjs|py|ts)$/;
const words = new Set(
  files
    .filter((file) => SOURCE.test(file) && !file.includes('/test/'))
    .flatMap((file) => readFileSync(path.join(root, file), 'utf8').match(/\w+/g) ?? []),
);
const manifests = files.filter((file) => /^packages\/[^/]+\/package\.json$/.test(file));
const entries = manifests.flatMap((file) => {
  const { name, exports = {} } = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  return Object.keys(exports).map((entry) => path.posix.join(name, entry));
});

/** `a/{b,c}` as `a/b` and `a/c`. */
function alternatives(text: string): string[] {
  const [, before = '', among, after = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(text) ?? [];
  if (among === undefined) return [text];
  return among.split(',').flatMap((one) => alternatives(before + one + after));
}

const isPath = (code: string) =>
  /^[\w.@{},/-]+$/.test(code) && /\/|\.(ts|mjs|[ch]pp|h|cl)$/.test(code);

/** A path may leave out the folders that it begins with. */
function isThere(name: string): boolean {
  return entries.includes(name) || [...paths].some((one) => one.endsWith(`/${name}/`));
}

/** What a piece of code names that is not there. */
function missingIn(code: string): string[] {
  if (isPath(code)) return alternatives(code).filter((one) => !isThere(one));
  return (code.match(/[A-Za-z_]\w*/g) ?? []).filter((word) => !words.has(word));
}

const inline = inText(page, /`([^`\n]+)`/g).filter(({ code }) => !code.startsWith('npm '));
/** What is written like a symbol in diagrams: `fromProducer`, `BaseBackend`. */
const drawn = blocksOf(page).flatMap(({ place, code }) =>
  (code.match(/\b[A-Za-z]\w*[a-z][A-Z]\w*\b/g) ?? []).map((word) => ({ place, code: word })),
);

/** The functions of C++ that the page links, each with what it calls, if the page says so. */
const linked = [
  ...page.text.matchAll(/\[`([\w:]+)`\]\(([^)]+\.cpp)\)(?:, which calls\s`(\w+)`)?/g),
].map(([, name = '', link = '', call]) => ({
  name,
  file: path.posix.join(path.dirname(page.page), link),
  call,
}));
const waits = linked.filter(({ call }) => call !== undefined);

/** The files that define a function of C++. */
function definedIn(name: string): string[] {
  const sources = files.filter((file) => SOURCE.test(file) && file.endsWith('.cpp'));
  return sources.filter((file) => bodyOf({ name, file }) !== '');
}

describe('the functions that the page links', () => {
  test.each(linked)('$name is defined in $file', ({ name, file }) => {
    expect(definedIn(name)).toContain(file);
  });

  test('lead in two steps to where a stream is made to wait, on CUDA and on SYCL', () => {
    expect(waits.map(({ call }) => call)).toEqual([
      'Wait',
      'cuStreamWaitEvent',
      'Queue_SubmitBarrierForEvents',
    ]);
  });

  test.each(waits)('$name calls $call', ({ name, file, call }) => {
    expect(bodyOf({ name, file })).toMatch(new RegExp(`\\b${call}\\b`));
  });

  test('a function that no file defines is not there', () => {
    expect(definedIn('CudaEvent::NoSuchFunction')).toEqual([]);
  });
});

describe('everything that the page names is in the sources', () => {
  test('in code', () => {
    expect(inline.length).toBeGreaterThan(150);
    const missing = inline.map(({ place, code }) => ({ place, missing: missingIn(code) }));
    expect(missing.filter((one) => one.missing.length > 0)).toEqual([]);
  });

  test('in diagrams', () => {
    expect(drawn.length).toBeGreaterThan(15);
    expect(drawn.filter(({ code }) => !words.has(code))).toEqual([]);
  });

  test.each(['native/orders', 'turn.ts', 'NoSuchTracker', 'packages/{cuda,metal}/src'])(
    '%s is not',
    (code) => {
      expect(missingIn(code)).toHaveLength(1);
    },
  );
});
