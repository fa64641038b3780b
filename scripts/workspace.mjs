import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

const manifestOf = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/**
 * The folders of the workspace, the root first: what `packages` in pnpm-workspace.yaml names and
 * does not exclude.
 */
export function workspaces() {
  const text = readFileSync(path.join(root, 'pnpm-workspace.yaml'), 'utf8');
  const patterns = /^packages:\n((?: +- .*\n)+)/m.exec(text)?.[1] ?? '';
  const named = [...patterns.matchAll(/- ["']?([^\s"']+)/g)].map(([, pattern]) => pattern);
  const excluded = named.flatMap((pattern) => (pattern.startsWith('!') ? pattern.slice(1) : []));
  const folders = named.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`);
  });
  return ['.', ...folders]
    .filter((folder) => !excluded.includes(folder))
    .map((folder) => path.join(root, folder))
    .filter((folder) => existsSync(path.join(folder, 'package.json')));
}

/** The files below a folder that git knows, or would add, that match any of the patterns. */
export function listFiles(patterns = [], folder = root) {
  const options = ['-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = execFileSync('git', ['ls-files', ...options, '--', ...patterns], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return listed.split('\0').filter((file) => file !== '' && existsSync(path.join(folder, file)));
}

/** The published packages of the workspace, with their folders and manifests. */
export function publicPackages() {
  return workspaces()
    .map((folder) => ({ folder, manifest: manifestOf(folder) }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** The names of the packages with an addon, which cmake-js builds. */
export function addons() {
  const isAddon = ({ manifest }) => manifest.scripts?.['build:native']?.startsWith('cmake-js');
  return publicPackages()
    .filter(isAddon)
    .map(({ folder }) => path.basename(folder));
}

/**
 * The folders whose tests `npm test` runs: those with a vitest configuration, and these scripts.
 */
export function testProjects() {
  const tested = workspaces().filter(
    (folder) => folder !== root && manifestOf(folder).scripts?.test !== undefined,
  );
  return [...tested, path.join(root, 'scripts')].map((folder) => path.relative(root, folder));
}

/** The test files in a folder whose subjects, their names without `.test.ts`, are wanted. */
export function testFiles(folder, isWanted) {
  const files = readdirSync(path.join(root, folder, 'test'), { recursive: true });
  return files
    .filter((file) => file.endsWith('.test.ts') && isWanted(path.basename(file, '.test.ts')))
    .map((file) => `test/${file}`);
}

/** The folders of the packages that one needs for its build and its tests, including itself. */
export function neededBy(folder) {
  const byName = new Map(workspaces().map((one) => [manifestOf(one).name, one]));
  const needed = new Set([path.join(root, folder)]);
  for (const one of needed) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } =
      manifestOf(one);
    const named = {
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...peerDependencies,
    };
    for (const name of Object.keys(named)) if (byName.has(name)) needed.add(byName.get(name));
  }
  return [...needed];
}

/** Whether the package in a folder has C++ to build. */
export function hasNative(folder) {
  return manifestOf(folder).scripts?.['build:native'] !== undefined;
}
