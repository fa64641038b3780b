import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import * as vite from 'vite';
import webpack from 'webpack';

/** The loader of webpack that warns of each map, and each source of a map, that is not there. */
const SOURCE_MAP_LOADER = createRequire(import.meta.url).resolve('source-map-loader');

/**
 * Bundles a program of a project for browsers, with a source map, once with each bundler. Gives
 * the file, and all that the bundler complained of.
 */
export const forPages = {
  async esbuild(project, program) {
    const file = path.join(project, 'esbuild', 'page.js');
    const { warnings } = await esbuild.build({
      absWorkingDir: project,
      entryPoints: [program],
      bundle: true,
      format: 'esm',
      outfile: file,
      sourcemap: true,
      logLevel: 'silent',
    });
    return { file, warnings };
  },

  async rollup(project, program) {
    const file = path.join(project, 'rollup', 'page.js');
    const warnings = [];
    const bundle = await rollup({
      input: path.join(project, program),
      plugins: [nodeResolve({ browser: true })],
      onwarn: (warning) => warnings.push(warning),
    });
    await bundle.write({ file, sourcemap: true });
    await bundle.close();
    return { file, warnings };
  },

  async vite(project, program) {
    const outDir = path.join(project, 'vite');
    const warnings = [];
    await vite.build({
      root: project,
      configFile: false,
      logLevel: 'warn',
      customLogger: collecting(warnings),
      build: {
        outDir,
        sourcemap: true,
        rolldownOptions: { input: program, output: { entryFileNames: 'page.js' } },
      },
    });
    return { file: path.join(outDir, 'page.js'), warnings };
  },

  async webpack(project, program) {
    const folder = path.join(project, 'webpack');
    const stats = await promisify(webpack)({
      mode: 'production',
      context: project,
      entry: `./${program}`,
      devtool: 'source-map',
      output: { path: folder, filename: 'page.js' },
      module: { rules: [{ test: /\.m?js$/, enforce: 'pre', use: [SOURCE_MAP_LOADER] }] },
    });
    return { file: path.join(folder, 'page.js'), warnings: complaintsOf(stats) };
  },
};

/** A logger of vite that keeps what is more than information. */
export function collecting(warnings) {
  const keep = (message) => warnings.push(message);
  return { ...vite.createLogger('silent'), warn: keep, warnOnce: keep, error: keep };
}

/** All that webpack complains of. */
export function complaintsOf(stats) {
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  return [...errors, ...warnings];
}
