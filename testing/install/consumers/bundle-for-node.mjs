import path from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import * as vite from 'vite';
import webpack from 'webpack';
import { collecting, complaintsOf } from './bundle-for-pages.mjs';

const OURS = /^@array-interface\//;

/**
 * Bundles a program of a project for Node, once with each bundler, as docs/bundlers.md says: the
 * packages are left out. esbuild also bundles them whole. Gives the file, and all that the bundler
 * complained of.
 */
export const forNode = {
  esbuild: (project, program, leavesOut) => withEsbuild(project, program, leavesOut, 'esm', 'mjs'),
  'esbuild (CommonJS)': (project, program, leavesOut) =>
    withEsbuild(project, program, leavesOut, 'cjs', 'cjs'),

  async rollup(project, program) {
    const file = outputOf(project, 'rollup', program);
    const warnings = [];
    const bundle = await rollup({
      input: path.join(project, program),
      external: OURS,
      onwarn: (warning) => warnings.push(warning),
    });
    await bundle.write({ file });
    await bundle.close();
    return { file, warnings };
  },

  async vite(project, program) {
    const file = outputOf(project, 'vite', program);
    const warnings = [];
    await vite.build({
      root: project,
      configFile: false,
      logLevel: 'warn',
      customLogger: collecting(warnings),
      build: {
        ssr: program,
        outDir: path.dirname(file),
        emptyOutDir: false,
        rolldownOptions: { output: { entryFileNames: path.basename(file) } },
      },
    });
    return { file, warnings };
  },

  async webpack(project, program) {
    const file = outputOf(project, 'webpack', program);
    const stats = await promisify(webpack)({
      mode: 'production',
      context: project,
      entry: `./${program}`,
      target: 'node20',
      externals: OURS,
      externalsType: 'module',
      experiments: { outputModule: true },
      output: { module: true, path: path.dirname(file), filename: path.basename(file) },
    });
    return { file, warnings: complaintsOf(stats) };
  },
};

function outputOf(project, bundler, program, extension = 'mjs') {
  return path.join(project, 'bundled', bundler, `${path.parse(program).name}.${extension}`);
}

async function withEsbuild(project, program, leavesOut, format, extension) {
  const folder = leavesOut ? 'esbuild' : 'esbuild-whole';
  const file = outputOf(project, folder, program, extension);
  const { warnings } = await esbuild.build({
    absWorkingDir: project,
    entryPoints: [program],
    bundle: true,
    platform: 'node',
    format,
    external: leavesOut ? ['@array-interface/*'] : [],
    outfile: file,
    logLevel: 'silent',
  });
  return { file, warnings };
}
