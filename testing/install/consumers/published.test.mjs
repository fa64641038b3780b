import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { project } from './installed.mjs';

const installed = path.join(project, 'node_modules');
const scoped = readdirSync(path.join(installed, '@array-interface'));
const NAMES = [
  'array-interface',
  ...scoped.filter((name) => !name.startsWith('native-')).map((name) => `@array-interface/${name}`),
];

/** The text of each file of a package whose name ends so. */
function texts(folder, ending) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(ending));
  return names.map((name) => {
    const file = path.join(folder, name);
    return { name, file, text: readFileSync(file, 'utf8') };
  });
}

/** The map that a file names, if any: a program that is all of other files has none. */
function mapOf({ file, text }) {
  const named = /^\/\/# sourceMappingURL=(.*)$/m.exec(text)?.[1];
  return named === undefined ? [] : [path.join(path.dirname(file), named)];
}

function missingSources(map) {
  const { sources } = JSON.parse(readFileSync(map, 'utf8'));
  return sources.filter((source) => !existsSync(path.join(path.dirname(map), source)));
}

describe.each(NAMES)('%s', (name) => {
  const folder = path.join(installed, name);
  // What is published as it was written, such as headers, is not built, and has no maps.
  const built = path.join(folder, 'dist');
  const isBuilt = existsSync(built);
  const types = texts(isBuilt ? built : folder, '.d.ts');
  const programs = texts(isBuilt ? built : folder, '.js');

  it('exports its manifest', () => {
    const { exports } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    expect(exports['./package.json']).toBe('./package.json');
  });

  it('publishes no types of internals', () => {
    const withInternals = types.filter(({ text }) => text.includes('@internal'));
    expect(withInternals.map(({ name }) => name)).toEqual([]);
  });

  it('has the map that each file names, with its sources, and no other', () => {
    const maps = [...types, ...programs].flatMap(mapOf);
    expect(new Set(maps)).toEqual(new Set(texts(folder, '.map').map(({ file }) => file)));
    if (isBuilt) expect(maps.length).toBeGreaterThan(types.length);
    expect(programs.length).toBeGreaterThan(0);
    expect(maps.flatMap(missingSources)).toEqual([]);
  });
});
