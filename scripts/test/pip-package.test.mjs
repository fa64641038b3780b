import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { releaseVersion, withVersion } from '../release/python.mjs';
import { root } from '../run.mjs';
import { publicPackages } from '../workspace.mjs';

const read = (...parts) => readFileSync(path.join(root, ...parts), 'utf8');
const texts = () => ({
  project: read('pip/pyproject.toml'),
  changelog: read('pip/CHANGELOG.md'),
});

test('it has the version of the npm packages', () => {
  const version = releaseVersion();
  for (const { manifest } of publicPackages()) expect(manifest.version).toBe(version);
  for (const one of [version, '0.1.0', '0.12.3']) {
    const { project, changelog } = withVersion(texts(), one);
    expect(project.match(/^version = "(.*)"$/m)?.[1]).toBe(one);
    expect(changelog).toContain(`\n## ${one}\n`);
  }
});

test('a release without its place for a version, or its changelog, is refused', () => {
  const { project, changelog } = texts();
  const other = project.replace('version = "0.0.0"', 'version = "0.2.0"');
  expect(() => withVersion({ project: other, changelog }, '0.3.0')).toThrow('pip/pyproject.toml');
  const old = changelog.replace('## Unreleased', '## 0.2.0');
  expect(withVersion({ project, changelog: old }, '0.2.0').changelog).toBe(old);
  expect(() => withVersion({ project, changelog: old }, '0.3.0')).toThrow('pip/CHANGELOG.md');
});

test('it has the licence of the repository', () => {
  expect(read('pip/LICENSE')).toBe(read('LICENSE'));
  expect(texts().project).toContain('license-files = ["LICENSE"]');
});
