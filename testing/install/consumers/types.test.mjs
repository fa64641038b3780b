import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { project } from './installed.mjs';
import { runProgram } from './run-program.mjs';

const { devDependencies } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);
const COMPILERS = Object.keys(devDependencies).filter((name) => name.startsWith('typescript-'));
const MODULES = {
  nodenext: ['--module', 'nodenext'],
  node16: ['--module', 'node16'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
};
const STRICT = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false'];
const LIBRARIES = ['--target', 'es2022', '--lib', 'ES2022,DOM'];

/** With ARRAY_INTERFACE_WHOLE=1 all; else `nodenext`, and `bundler` in the oldest and the newest. */
function isChecked(compiler, module) {
  if (process.env.ARRAY_INTERFACE_WHOLE === '1' || module === 'nodenext') return true;
  return module === 'bundler' && [COMPILERS.at(0), COMPILERS.at(-1)].includes(compiler);
}

/** TypeScript lets CommonJS require a module since 5.8, where its Node does. */
function programsFor(compiler, module) {
  const names = readdirSync(path.join(project, 'types'));
  const mayRequire = module === 'nodenext' && Number(compiler.split('-')[1]) >= 5.8;
  return names.filter((name) => mayRequire || !name.endsWith('.cts'));
}

describe.each(COMPILERS)('%s', (compiler) => {
  const modules = Object.keys(MODULES).filter((module) => isChecked(compiler, module));
  it.concurrent.each(modules)('accepts the types, and refuses wrong code: %s', async (module) => {
    const tsc = path.join(import.meta.dirname, 'node_modules', compiler, 'bin', 'tsc');
    const args = [
      tsc,
      ...STRICT,
      ...LIBRARIES,
      ...MODULES[module],
      ...programsFor(compiler, module),
    ];
    const ended = await runProgram(process.execPath, args, { cwd: path.join(project, 'types') });
    expect(ended).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
