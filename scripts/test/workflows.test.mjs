import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../run.mjs';

// Nothing here can run a workflow. What it would run can be held against the repository.
const folder = path.join(root, '.github', 'workflows');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const lines = readdirSync(folder).flatMap((file) =>
  readFileSync(path.join(folder, file), 'utf8').split('\n'),
);

/** What stands behind a key, on the lines of steps that have it. */
function valuesOf(key) {
  const values = lines.map((line) => new RegExp(`^ +(?:- )?${key}: (.*)$`).exec(line)?.[1]);
  return values.filter((value) => value !== undefined);
}

test('every action is pinned by its commit, with its version beside it', () => {
  const actions = valuesOf('uses');
  expect(actions.length).toBeGreaterThan(0);
  const loose = actions.filter((one) => !/^[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(one));
  expect(loose).toEqual([]);
  // One version of each.
  expect(new Set(actions).size).toBe(new Set(actions.map((one) => one.split('@')[0])).size);
});

test('what steps run of the repository is there', () => {
  const commands = valuesOf('run');
  const files = commands.flatMap((one) => /^(?:node )?(\.?[\w-]+\/[\w./-]+)/.exec(one)?.[1] ?? []);
  const names = commands.flatMap((one) => /^npm run (\S+)/.exec(one)?.[1] ?? []);
  expect(files).toContain('.ci/run');
  expect(names).toContain('setup');
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
});
