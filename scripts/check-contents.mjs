import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { bundle } from './bundle.mjs';
import { root } from './run.mjs';

/** What CMake builds for a package, by its folder. Users have no compiler. */
const BUILT = {
  host: ['build/Release/host.node'],
  cuda: ['build/Release/cuda.node'],
  sycl: ['build/Release/sycl.node'],
  'cuda-simulator': ['build/libcuda.so', 'build/libcuda.so.1'],
};

/** An import of another package in a file of types. */
const TYPE_IMPORT =
  /(?:^(?:import|export)\s[\w\s,{}*]*?\bfrom\s*|^import\s*|\bimport\()['"](?<path>[^.'"][^'"]*)['"]/gm;

const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** The faults of a package as it would be published, a sentence each. */
export async function contentFaults({ folder, manifest }, files) {
  const wrongFiles = fileFaults(files, await expectedFiles(folder, manifest));
  // While files are missing or old, their imports say nothing.
  const wrongImports = wrongFiles.length > 0 ? [] : await importFaults(folder, manifest, files);
  return [...wrongFiles, ...wrongImports, ...engineFaults(manifest)];
}

/**
 * Every source with its types, the programs with their maps, the commands and what CMake builds.
 */
async function expectedFiles(folder, manifest) {
  const sources = sourcesOf(folder);
  const programs = await bundle(folder, { write: false });
  return [
    'package.json',
    'README.md',
    'LICENSE',
    ...Object.values(manifest.bin ?? {}),
    ...sources,
    ...sources.map((file) => file.replace(/^src\/(.*)\.ts$/, 'dist/$1.d.ts')),
    ...programs.map((file) => `dist/${file}`),
    ...(BUILT[path.basename(folder)] ?? []),
  ];
}

function sourcesOf(folder) {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', 'src'],
    { cwd: folder, encoding: 'utf8' },
  );
  return listed.split('\n').filter((file) => file !== '');
}

function fileFaults(files, expected) {
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

/** Nothing, or one sentence about the first few names. */
function some(names, what) {
  if (names.length === 0) return [];
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return [`${what}: ${names.slice(0, 3).join(', ')}${more}`];
}

/** Packages that are imported although users who install this one need not have them. */
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

/** What programs import from other packages, each with the file that does. */
async function programImports(folder, files) {
  const programs = files.filter((file) => file.endsWith('.js'));
  const { inputs } = await bundled(folder, programs);
  return Object.entries(inputs).flatMap(([file, { imports }]) =>
    imports.filter(({ external }) => external).map((one) => ({ path: one.path, file })),
  );
}

/** The same for types: a bundler leaves out what they import, a compiler that reads them does not. */
function typeImports(folder, files) {
  const types = files.filter((file) => file.endsWith('.d.ts'));
  return types.flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const found = text.matchAll(TYPE_IMPORT);
    return [...found].map(({ groups }) => ({ path: groups.path, file }));
  });
}

async function bundled(folder, entryPoints) {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'nowhere',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  return metafile;
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
