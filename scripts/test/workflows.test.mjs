import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../run.mjs';

// Workflows cannot run here. But their contents can be compared with the repository.
const folder = path.join(root, '.github', 'workflows');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const lines = readdirSync(folder).flatMap((file) =>
  readFileSync(path.join(folder, file), 'utf8').split('\n'),
);

/** The values of a key, on the lines of steps that have it. */
function valuesOf(key) {
  const values = lines.map((line) => new RegExp(`^ +(?:- )?${key}: (.*)$`).exec(line)?.[1]);
  return values.filter((value) => value !== undefined);
}

test('every action is pinned by its commit, with its version beside it', () => {
  const actions = valuesOf('uses');
  expect(actions.length).toBeGreaterThan(0);
  const loose = actions.filter((one) => !/^[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(one));
  expect(loose).toEqual([]);
  // One version of each repository.
  const repositoryOf = (one) => one.split('/').slice(0, 2).join('/').split('@')[0];
  const versions = new Set(actions.map((one) => `${repositoryOf(one)}@${one.split('@')[1]}`));
  expect(versions.size).toBe(new Set(actions.map(repositoryOf)).size);
});

test('every image is pinned by its digest', () => {
  const text = lines.join('\n');
  const images = [...text.matchAll(/(?:image|container): "?([\w./-]+:[^\s",}]+)/g)].map(
    ([, one]) => one,
  );
  expect(images.length).toBeGreaterThanOrEqual(6);
  expect(images.filter((one) => !/^[\w./-]+:[\w.-]+@sha256:[\da-f]{64}$/.test(one))).toEqual([]);
});

test('the scripts that steps run exist', () => {
  const commands = valuesOf('run');
  const files = commands.flatMap((one) => /^(?:node )?(\.?[\w-]+\/[\w./-]+)/.exec(one)?.[1] ?? []);
  const names = commands.flatMap((one) => /^npm run (\S+)/.exec(one)?.[1] ?? []);
  expect(files).toContain('.ci/run');
  expect(names).toContain('setup');
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
});

test('pnpm and the npm that publishes are pinned by hash', () => {
  const locked = (folder, name) => {
    const lock = JSON.parse(readFileSync(path.join(root, folder, 'package-lock.json'), 'utf8'));
    return lock.packages[`node_modules/${name}`];
  };
  const { version, integrity } = locked('scripts/setup/pnpm', 'pnpm');
  const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  const { packageManager, devDependencies } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  expect(packageManager).toBe(`pnpm@${version}+sha512.${hash}`);
  expect(devDependencies.pnpm).toBe(version);
  expect(locked('scripts/release/npm', 'npm').integrity).toMatch(/^sha512-/);
  // No step downloads a program by version alone.
  const loose = valuesOf('run').filter((one) => /npx --yes|npm (install|i) .*@\d/.test(one));
  expect(loose).toEqual([]);
});

/** The text of a job of release.yml. */
function jobOf(name) {
  const text = readFileSync(path.join(folder, 'release.yml'), 'utf8');
  const [, job] = text.split(new RegExp(`^  ${name}:\\n`, 'm'));
  return job?.split(/^ {2}\w+:$/m)[0] ?? '';
}

test.each(['publish', 'pypi'])(
  'job %s publishes only a tag, once it is proved and approved, without a token',
  (name) => {
    const job = jobOf(name);
    expect(job).toContain("if: startsWith(github.ref, 'refs/tags/v')");
    expect(job).toContain('needs: prove');
    expect(job).toMatch(/^ {4}environment: (npm|pypi)$/m);
    expect(job).toMatch(/^ {6}id-token: write$/m);
    expect(job).not.toMatch(/secrets\.|password|_TOKEN/);
  },
);

test('the job that publishes to PyPI runs nothing of the repository', () => {
  expect(jobOf('pypi')).not.toMatch(/run:|checkout/);
});

test.each(['build', 'check'])('what is to %s the pip package is pinned by hashes', (name) => {
  const file = path.join(root, `scripts/release/python/${name}.txt`);
  const pins = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  expect(pins.length).toBeGreaterThan(2);
  const pin = /^[\w-]+==[\w.]+( --hash=sha256:[\da-f]{64})+$/;
  expect(pins.filter((one) => !pin.test(one))).toEqual([]);
});

test('Dependabot checks every folder with its own lockfile or manifest', () => {
  const text = readFileSync(path.join(root, '.github/dependabot.yml'), 'utf8');
  const named = [...text.matchAll(/\/[\w/]*/g)].map(([one]) => path.join(root, one));
  expect(named.filter((one) => !existsSync(one))).toEqual([]);
  const folders = ['scripts/setup/pnpm', 'scripts/release/npm', 'testing/install'];
  for (const folder of [...folders, 'examples/javascript']) {
    expect(existsSync(path.join(root, folder, 'package-lock.json'))).toBe(true);
    expect(text).toContain(`/${folder}`);
  }
});
