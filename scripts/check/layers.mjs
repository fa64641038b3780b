import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isProgram, root } from '../run.mjs';
import { listFiles } from '../workspace.mjs';

// npm run layers: checks that the folders of packages/*/src import one another in one direction. No
// folder may import itself through others. If layers.json lists the layers of a package, none may
// import from a later one. Written for this repository, because dependency-cruiser reads TypeScript
// through a part of the compiler that TypeScript 7 lacks.
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;
const LAYERS = JSON.parse(readFileSync(new URL('layers.json', import.meta.url), 'utf8'));

/** The imports between files of a package's sources: `{ from, to }`, as paths below `src`. */
function importsOf(src, files) {
  return files.flatMap((from) => {
    const text = readFileSync(path.join(root, src, from), 'utf8');
    return [...text.matchAll(IMPORT)].map(([, specifier]) => ({
      from,
      to: path.posix.join(path.posix.dirname(from), specifier).replace(/\.js$/, '.ts'),
    }));
  });
}

/** The folder of each file. A file beside folders stands for itself, such as an index. */
function foldersOf(files) {
  const parents = new Set(files.map((file) => path.posix.dirname(path.posix.dirname(file))));
  return new Map(
    files.map((file) => {
      const folder = path.posix.dirname(file);
      return [file, folder === '.' || parents.has(folder) ? file : folder];
    }),
  );
}

/** Lists import paths that lead from a folder back to it, one sentence each. */
export function circles(imports) {
  const folders = foldersOf([...new Set(imports.flatMap(({ from, to }) => [from, to]))]);
  const next = new Map();
  for (const { from, to } of imports) {
    const [start, end] = [folders.get(from), folders.get(to)];
    if (start !== end)
      next.set(start, (next.get(start) ?? new Map()).set(end, `${from} imports ${to}`));
  }
  const found = [];
  const done = new Set();
  const visit = (folder, way) => {
    if (way.includes(folder)) {
      const circle = [...way.slice(way.indexOf(folder)), folder];
      found.push(circle.slice(1).map((to, index) => next.get(circle[index]).get(to)));
    } else if (!done.has(folder)) {
      for (const to of next.get(folder)?.keys() ?? []) visit(to, [...way, folder]);
      done.add(folder);
    }
  };
  for (const folder of next.keys()) visit(folder, []);
  return found.map((steps) => `expected no circle of folders, got: ${steps.join('; ')}`);
}

/** The index of a file's layer, by the longest matching folder or file name; -1 if none matches. */
function layerOf(layers, file) {
  const names = layers.flatMap((layer, index) => layer.map((name) => ({ name, index })));
  const own = names.filter(({ name }) => file === name || file.startsWith(`${name}/`));
  return own.sort((a, b) => b.name.length - a.name.length)[0]?.index ?? -1;
}

/** Lists imports from a later layer, and names that match no file, one sentence each. */
export function layerFaults(imports, files, layers) {
  const gone = layers.flat().filter((name) => !files.some((file) => layerOf([[name]], file) === 0));
  const unknown = files.filter((file) => layerOf(layers, file) < 0);
  const upward = imports.filter(({ from, to }) => layerOf(layers, from) < layerOf(layers, to));
  return [
    ...gone.map((name) => `expected ${name}, which has a layer, got no such folder or file`),
    ...unknown.map((file) => `expected a layer of ${file} in scripts/check/layers.json, got none`),
    ...upward.map(({ from, to }) => `${from} may not import ${to}, which is in a later layer`),
  ];
}

/** The sources of each package, as paths below its `src`, by package name. */
function sources() {
  const found = new Map();
  for (const file of listFiles(['packages/*/src/**.ts'])) {
    const [, name, source] = /^packages\/([^/]+)\/src\/(.+)$/.exec(file);
    found.set(name, [...(found.get(name) ?? []), source]);
  }
  return found;
}

function check() {
  let count = 0;
  for (const [name, files] of sources()) {
    const imports = importsOf(`packages/${name}/src`, files);
    count += imports.length;
    const layered = name in LAYERS ? layerFaults(imports, files, LAYERS[name]) : [];
    for (const text of [...circles(imports), ...layered]) {
      console.error(`packages/${name}/src: ${text}`);
      process.exitCode = 1;
    }
  }
  if (process.exitCode !== 1) console.log(`${count} imports, all one way`);
}

if (isProgram(import.meta)) check();
