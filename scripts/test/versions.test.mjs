import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../run.mjs';
import { publicPackages, workspaces } from '../workspace.mjs';

// changesets works on a repository of only manifests and changesets, which nothing else reads.
const changeset = path.join(root, 'node_modules', '.bin', 'changeset');
const names = publicPackages().map(({ manifest }) => manifest.name);
let clone = '';

beforeEach(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'versions-'));
  const manifests = workspaces().map((folder) => path.join(folder, 'package.json'));
  const others = ['.changeset', 'pnpm-workspace.yaml'].map((name) => path.join(root, name));
  for (const file of [...manifests, ...others]) {
    cpSync(file, path.join(clone, path.relative(root, file)), { recursive: true });
  }
  git('init', '--quiet', '--initial-branch=main');
  commit();
});
afterEach(() => rmSync(clone, { recursive: true }));

function git(...args) {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@localhost'];
  execFileSync('git', [...identity, ...args], { cwd: clone, stdio: 'pipe' });
}

function commit() {
  git('add', '--all');
  git('commit', '--quiet', '--no-verify', '--message=test');
}

/**
 * What `changeset status` would release: new versions by package name. Private packages are
 * unchanged.
 */
function planned() {
  execFileSync(changeset, ['status', '--output=plan.json'], { cwd: clone, stdio: 'pipe' });
  const { releases } = JSON.parse(readFileSync(path.join(clone, 'plan.json'), 'utf8'));
  const released = releases.filter(({ type }) => type !== 'none');
  return Object.fromEntries(released.map(({ name, newVersion }) => [name, newVersion]));
}

/** Makes `changeset version` write versions and changelogs. */
function release() {
  execFileSync(changeset, ['version'], { cwd: clone, stdio: 'pipe' });
  commit();
}

function change(name, kind) {
  writeFileSync(
    path.join(clone, '.changeset', 'change.md'),
    `---\n'${name}': ${kind}\n---\n\nOne.\n`,
  );
  commit();
}

const allAt = (version) => Object.fromEntries(names.map((name) => [name, version]));

function versions() {
  return Object.fromEntries(manifests().map(({ name, version }) => [name, version]));
}

function manifests() {
  const files = publicPackages().map(({ folder }) => path.relative(root, folder));
  return files.map((folder) => JSON.parse(read(folder, 'package.json')));
}

const read = (...parts) => readFileSync(path.join(clone, ...parts), 'utf8');

test('the next release of all packages is 0.1.0, or a later 0.x', () => {
  const plan = planned();
  const [next] = Object.values(plan);
  if (versions()['array-interface'] === '0.0.0') expect(next).toBe('0.1.0');
  if (next === undefined) return; // there is nothing to release
  expect(plan).toEqual(allAt(next));
  expect(next).toMatch(/^0\./);
});

test.each(['@array-interface/core', '@array-interface/sycl', 'array-interface'])(
  'a minor change of %s moves all to the next 0.x, which every range allows',
  (name) => {
    change('@array-interface/core', 'minor');
    release();
    const [, minor] = Object.values(versions())[0].split('.').map(Number);
    change(name, 'minor');
    expect(planned()).toEqual(allAt(`0.${minor + 1}.0`));
    release();
    expect(versions()).toEqual(allAt(`0.${minor + 1}.0`));
    const peers = manifests().flatMap((one) => Object.entries(one.peerDependencies ?? {}));
    const ours = peers.filter(([peer]) => names.includes(peer)).map(([, range]) => range);
    expect(new Set(ours)).toEqual(new Set(['workspace:>=0.0.0 <1.0.0']));
  },
);

test('a changelog has what the changeset says, and nothing of other packages', () => {
  release();
  change('@array-interface/core', 'patch');
  release();
  expect(read('packages/core/CHANGELOG.md')).toContain('### Patch Changes\n\n- One.\n');
  expect(read('packages/host/CHANGELOG.md')).not.toContain('One.');
  for (const folder of ['core', 'host', 'cli']) {
    expect(read('packages', folder, 'CHANGELOG.md')).not.toContain('Updated dependencies');
  }
});
