import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from './run.mjs';

const MOST = 15_000;

/**
 * The bytes of an entry of core as an application would ship it: bundled, minified, compressed.
 * Throws where it needs a package, or a module of Node's.
 */
export async function shippedSize(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    platform: 'browser', // has no node: modules
    packages: 'bundle',
    write: false,
    logLevel: 'silent',
  });
  const [{ contents }] = outputFiles;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  return {
    minified: contents.length,
    gzip: gzipSync(contents, { level: 9 }).length,
    brotli: brotliCompressSync(contents, quality).length,
  };
}

/** Whether core's main entry is as small as it is to be; says how small each entry is. */
export async function checkSize() {
  let fits = true;
  for (const entry of ['index', 'compatibility/index']) {
    const file = path.join(root, 'packages', 'core', 'src', `${entry}.ts`);
    const { minified, gzip, brotli } = await shippedSize(file);
    console.log(`core ${entry}: ${minified} bytes minified, ${gzip} gzip, ${brotli} brotli`);
    if (entry === 'index' && gzip >= MOST) {
      console.error(`expected less than ${MOST} bytes minified and compressed, got ${gzip}`);
      fits = false;
    }
  }
  return fits;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href && !(await checkSize())) {
  process.exitCode = 1;
}
