import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { bundle } from '../package/bundle.mjs';
import { environment, root } from '../run.mjs';
import { listFiles } from '../workspace.mjs';

/** An import of another package in a file of types. */
const TYPE_IMPORT =
  /(?:^(?:import|export)\s[\w\s,{}*]*?\bfrom\s*|^import\s*|\bimport\()['"](?<path>[^.'"][^'"]*)['"]/gm;
/** Comments in a file of types. An import in them is an example. */
const COMMENT = /\/\*.*?\*\//gs;
/** The last line of a program, or of a file of types, that has a source map. */
const MAP = /^\/\/# sourceMappingURL=(?<map>\S+)$/m;

const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** Lists the faults of a package as it would be published, one sentence each. */
export async function contentFaults({ folder, manifest }, files) {
  const programs = isBuilt(folder) ? await bundle(folder, { write: false }) : [];
  const wrongFiles = fileFaults(files, expectedFiles(folder, manifest, programs));
  // If files are missing or stale, checking their contents is pointless.
  if (wrongFiles.length > 0) return wrongFiles;
  return [
    ...oldPrograms(folder, programs),
    ...(isBuilt(folder) ? oldTypes(folder) : []),
    ...mapFaults(folder, files),
    ...(await importFaults(folder, manifest, files)),
    ...engineFaults(manifest),
  ];
}

/** Whether a package is built from sources. If not, it is published as written. */
function isBuilt(folder) {
  return existsSync(path.join(folder, 'src'));
}

/** Every source with its types, the programs, the maps of both, and the commands. */
function expectedFiles(folder, manifest, programs) {
  const sources = listFiles(['src'], folder);
  const types = sources
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace(/^src\/(.*)\.ts$/, 'dist/$1.d.ts'));
  return [
    'package.json',
    'README.md',
    'LICENSE',
    ...(existsSync(path.join(folder, 'CHANGELOG.md')) ? ['CHANGELOG.md'] : []),
    ...Object.values(manifest.bin ?? {}),
    ...(isBuilt(folder) ? [] : listFiles(['include', 'index.d.ts', 'index.js'], folder)),
    ...sources,
    ...types,
    ...types.map((file) => `${file}.map`),
    ...programs.map(({ name }) => `dist/${name}`),
  ];
}

/** Lists what is missing from a list of files, and what should not be there. */
export function fileFaults(files, expected) {
  const missing = expected.filter((file) => !files.includes(file));
  const foreign = files.filter((file) => !expected.includes(file));
  return [
    ...some(missing, 'expected in the package, and left out by its "files" or not built'),
    ...some(
      foreign,
      'not expected in the package; in dist, of sources that are gone: build it anew',
    ),
  ];
}

/** Returns an empty list, or one sentence about the first few names. */
function some(names, what) {
  if (names.length === 0) return [];
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return [`${what}: ${names.slice(0, 3).join(', ')}${more}`];
}

/** Lists programs in dist that differ from what the sources build now. */
function oldPrograms(folder, programs) {
  const old = programs.filter(
    ({ name, text }) => readFileSync(path.join(folder, 'dist', name), 'utf8') !== text,
  );
  const names = old.map(({ name }) => `dist/${name}`);
  return some(names, 'not what the sources give now; npm run build makes it anew');
}

/** Does the same for types: asks the compiler whether it would write them. */
function oldTypes(folder) {
  const says = execFileSync('tsc', ['-b', '--dry'], {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
  });
  if (!says.includes('would build')) return [];
  return ['the types in dist are not what the sources give now; npm run build makes them anew'];
}

/** Lists maps that a file names, and sources that a map names, that are not in the package. */
function mapFaults(folder, files) {
  const read = (file) => readFileSync(path.join(folder, file), 'utf8');
  return files
    .filter((file) => /^dist\/.*\.(js|d\.ts)$/.test(file))
    .flatMap((file) => {
      const { map } = MAP.exec(read(file))?.groups ?? {};
      // A program that only re-exports has no map.
      if (map === undefined) return [];
      const beside = (name) => path.posix.join(path.posix.dirname(file), name);
      if (!files.includes(beside(map)))
        return [`${file} names ${map}, which is not in the package`];
      const lost = JSON.parse(read(beside(map))).sources.filter(
        (source) => !files.includes(beside(source)),
      );
      return some(lost, `${map} leads to sources that are not in the package`);
    });
}

/** Lists imported packages that users who install this one need not have. */
async function importFaults(folder, { name, dependencies, peerDependencies }, files) {
  const installed = [name, ...Object.keys({ ...dependencies, ...peerDependencies })];
  const imports = [...(await programImports(folder, files)), ...typeImports(folder, files)];
  const importers = new Map(imports.map(({ path, file }) => [packageOf(path), file]));
  return [...importers]
    .filter(([imported]) => !isOfNode(imported) && !installed.includes(imported))
    .map(
      ([imported, file]) => `${imported} is no dependency or peerDependency; ${file} imports it`,
    );
}

/** The packages that programs import, each with the importing file. */
async function programImports(folder, files) {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: files.filter((file) => file.endsWith('.js')),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'nowhere',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  return Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports.filter(({ external }) => external).map((one) => ({ path: one.path, file })),
  );
}

/** Does the same for types: a bundler omits their imports, but a compiler reads them. */
function typeImports(folder, files) {
  const types = files.filter((file) => file.endsWith('.d.ts'));
  return types.flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8').replace(COMMENT, '');
    const found = text.matchAll(TYPE_IMPORT);
    return [...found].map(({ groups }) => ({ path: groups.path, file }));
  });
}

function isOfNode(specifier) {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

/** `@scope/name` of `@scope/name/entry`. */
function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function engineFaults(manifest) {
  if (manifest.engines?.node === engines.node) return [];
  return [`expected the root's engines.node "${engines.node}", got "${manifest.engines?.node}"`];
}
