import path from 'node:path';
import { withEsbuild, withRollup, withVite, withWebpack } from './bundlers.mjs';

const OURS = /^@array-interface\//;

/**
 * Bundles a program of a project for Node, once with each bundler, as docs/bundlers.md says: the
 * packages are left out. esbuild also bundles them whole. Returns the file, and all that the bundler
 * complained of.
 */
export const forNode = {
  esbuild: (project, program, leavesOut) => byEsbuild(project, program, leavesOut, 'esm', 'mjs'),
  'esbuild (CommonJS)': (project, program, leavesOut) =>
    byEsbuild(project, program, leavesOut, 'cjs', 'cjs'),

  rollup: (project, program) =>
    withRollup(outputOf(project, 'rollup', program), {
      input: path.join(project, program),
      external: OURS,
    }),

  vite: (project, program) =>
    withVite(outputOf(project, 'vite', program), project, { ssr: program, emptyOutDir: false }),

  webpack: (project, program) =>
    withWebpack(outputOf(project, 'webpack', program), {
      context: project,
      entry: `./${program}`,
      target: 'node20',
      externals: OURS,
      externalsType: 'module',
      experiments: { outputModule: true },
      output: { module: true },
    }),
};

function outputOf(project, bundler, program, extension = 'mjs') {
  return path.join(project, 'bundled', bundler, `${path.parse(program).name}.${extension}`);
}

function byEsbuild(project, program, leavesOut, format, extension) {
  const folder = leavesOut ? 'esbuild' : 'esbuild-whole';
  return withEsbuild(outputOf(project, folder, program, extension), {
    absWorkingDir: project,
    entryPoints: [program],
    platform: 'node',
    format,
    external: leavesOut ? ['@array-interface/*'] : [],
  });
}
