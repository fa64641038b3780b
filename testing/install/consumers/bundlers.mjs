import path from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import * as vite from 'vite';
import webpack from 'webpack';

// Each function bundles a program into a file, with a bundler's own options. It returns the file,
// and all that the bundler complained of.

export async function withEsbuild(file, options) {
  const own = { bundle: true, outfile: file, logLevel: 'silent' };
  const { warnings } = await esbuild.build({ ...options, ...own });
  return { file, warnings };
}

export async function withRollup(file, options, output) {
  const warnings = [];
  const bundle = await rollup({ ...options, onwarn: (warning) => warnings.push(warning) });
  await bundle.write({ ...output, file });
  await bundle.close();
  return { file, warnings };
}

export async function withVite(file, root, { rolldownOptions, ...build }) {
  const warnings = [];
  const output = { entryFileNames: path.basename(file) };
  await vite.build({
    root,
    configFile: false,
    logLevel: 'warn',
    customLogger: collecting(warnings),
    build: {
      ...build,
      outDir: path.dirname(file),
      rolldownOptions: { ...rolldownOptions, output },
    },
  });
  return { file, warnings };
}

/** A logger of vite that keeps what is more than information. */
function collecting(warnings) {
  const keep = (message) => warnings.push(message);
  return { ...vite.createLogger('silent'), warn: keep, warnOnce: keep, error: keep };
}

export async function withWebpack(file, { output, ...options }) {
  const { dir, base } = path.parse(file);
  const stats = await promisify(webpack)({
    ...options,
    mode: 'production',
    output: { ...output, path: dir, filename: base },
  });
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  return { file, warnings: [...errors, ...warnings] };
}
