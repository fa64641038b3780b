import { createRequire } from 'node:module';
import path from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { withEsbuild, withRollup, withVite, withWebpack } from './bundlers.mjs';

/** The loader of webpack that warns of each map, and each source of a map, that is not there. */
const SOURCE_MAP_LOADER = createRequire(import.meta.url).resolve('source-map-loader');

const pageOf = (project, bundler) => path.join(project, bundler, 'page.js');

/**
 * Bundles a program of a project for browsers, with a source map, once with each bundler. Returns
 * the file, and all that the bundler complained of.
 */
export const forPages = {
  esbuild: (project, program) =>
    withEsbuild(pageOf(project, 'esbuild'), {
      absWorkingDir: project,
      entryPoints: [program],
      format: 'esm',
      sourcemap: true,
    }),

  rollup: (project, program) =>
    withRollup(
      pageOf(project, 'rollup'),
      { input: path.join(project, program), plugins: [nodeResolve({ browser: true })] },
      { sourcemap: true },
    ),

  vite: (project, program) =>
    withVite(pageOf(project, 'vite'), project, {
      sourcemap: true,
      rolldownOptions: { input: program },
    }),

  webpack: (project, program) =>
    withWebpack(pageOf(project, 'webpack'), {
      context: project,
      entry: `./${program}`,
      devtool: 'source-map',
      module: { rules: [{ test: /\.m?js$/, enforce: 'pre', use: [SOURCE_MAP_LOADER] }] },
    }),
};
