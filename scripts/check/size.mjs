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

/**
 * Measures an entry of core as a page would ship it: bundled for browsers, minified, compressed.
 * Returns its bytes, its number of files, and those outside core. Throws if one of them is a module
 * of Node.
 */
async function shipped(entry) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [path.join(core, 'dist', `${entry}.js`)],
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

/**
 * Prints the browser size of each entry of core. Returns true if the main one is small, and all
 * have few files and need only core.
 */
export async function checkSize() {
  const faults = [];
  for (const entry of entriesOf(manifest)) {
    const { minified, gzip, brotli, files, foreign } = await shipped(entry);
    console.log(`core ${entry}: ${minified} bytes minified, ${gzip} gzip, ${brotli} brotli`);
    if (foreign.length > 0)
      faults.push(`expected nothing but core's own files, got ${foreign.join(', ')}`);
    if (files > MOST_FILES)
      faults.push(`expected ${entry} to load ${MOST_FILES} files of core at most, got ${files}`);
    if (entry === 'index' && gzip >= MOST)
      faults.push(`expected less than ${MOST} bytes minified and compressed, got ${gzip}`);
  }
  for (const text of faults) console.error(text);
  return faults.length === 0;
}

if (isProgram(import.meta) && !(await checkSize())) {
  process.exitCode = 1;
}
