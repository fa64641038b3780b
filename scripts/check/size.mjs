import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { entriesOf } from '../package/bundle.mjs';
import { isProgram, root } from '../run.mjs';

const core = path.join(root, 'packages', 'core');
const manifest = JSON.parse(readFileSync(path.join(core, 'package.json'), 'utf8'));
const MOST = 16 * 1024;
/** Node takes about a millisecond to load each. */
const MOST_FILES = 2;
/** What is left of packages of which a page takes one function, and its compressed bytes at most. */
const ALONE = [
  { name: 'isArrayInterfaceError', from: '@array-interface/core', most: 512 },
  { name: 'evaluateSync', from: '@array-interface/expressions', most: 44 * 1024 },
];

/**
 * Measures a program as a page would ship it: bundled for browsers, minified, compressed. Returns its
 * bytes, its number of files, and those outside core. Throws if one of them is a module of Node.
 */
async function shipped(program) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    ...program,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    platform: 'browser', // a module of Node is then an error
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const [{ contents }] = outputFiles;
  const files = Object.keys(metafile.inputs);
  return {
    minified: contents.length,
    gzip: gzipSync(contents, { level: 9 }).length,
    brotli: brotliCompressSync(contents).length,
    files: files.length,
    foreign: files.filter((file) => !file.startsWith('packages/core/dist/')),
  };
}

/** Prints the size of a page's program with one function of a package. Returns what is wrong. */
async function faultsAlone({ name, from, most }) {
  const contents = `export { ${name} } from '${from}';`;
  const resolveDir = path.join(root, 'packages', 'expressions');
  const { minified, gzip, brotli } = await shipped({ stdin: { contents, resolveDir } });
  console.log(`${name} alone: ${minified} bytes minified, ${gzip} gzip, ${brotli} brotli`);
  return gzip < most ? [] : [`expected ${name} alone to have less than ${most}, got ${gzip}`];
}

/**
 * Prints the browser size of each entry of core, and of functions alone. Returns true if the main one
 * is small, all have few files and need only core, and functions bring no others.
 */
export async function checkSize() {
  const faults = [];
  for (const entry of entriesOf(manifest)) {
    const { minified, gzip, brotli, files, foreign } = await shipped({
      entryPoints: [path.join(core, 'dist', `${entry}.js`)],
    });
    console.log(`core ${entry}: ${minified} bytes minified, ${gzip} gzip, ${brotli} brotli`);
    if (foreign.length > 0)
      faults.push(`expected nothing but core's own files, got ${foreign.join(', ')}`);
    if (files > MOST_FILES)
      faults.push(`expected ${entry} to load ${MOST_FILES} files of core at most, got ${files}`);
    if (entry === 'index' && gzip >= MOST)
      faults.push(`expected less than ${MOST} bytes minified and compressed, got ${gzip}`);
  }
  for (const one of ALONE) faults.push(...(await faultsAlone(one)));
  for (const text of faults) console.error(text);
  return faults.length === 0;
}

if (isProgram(import.meta) && !(await checkSize())) {
  process.exitCode = 1;
}
