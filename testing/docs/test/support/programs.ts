import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { libraryPath } from '@array-interface/cuda-simulator';
import { type Block, root } from './pages.js';

/** Makes a folder for programs, where the packages can be imported by name. */
export function programFolder(name: string): string {
  const folder = path.join(import.meta.dirname, '..', '..', 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

/** The file of a block's program in a folder. */
export function fileOf(folder: string, { place, language }: Block): string {
  const name = place.replaceAll(/[^\w]/g, '-');
  return path.join(folder, `${name}.${language === 'js' ? 'mjs' : 'ts'}`);
}

/**
 * Compiles files of a folder to JavaScript beside them, with the project's own options unless
 * `options` say otherwise. Returns what the compiler prints, a line each.
 */
export function compile(folder: string, files: readonly string[], options: object = {}): string[] {
  const config = {
    extends: path.join(root, 'tsconfig.test.json'),
    compilerOptions: { incremental: false, noEmit: false, ...options },
    files,
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
  const { stdout, stderr, status } = spawnSync(tsc, ['--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const printed = linesOf(stdout + stderr);
  return status === 0 || printed.length > 0 ? printed : [`tsc ended with ${status}`];
}

/** Runs a program. Returns the lines that it prints. */
export function run(file: string): string[] {
  const printed = execFileSync(process.execPath, [file.replace(/\.ts$/, '.js')], {
    cwd: path.dirname(file),
    encoding: 'utf8',
    stdio: 'pipe', // what it prints of an error is part of the error that is thrown
    env: { ...process.env, ARRAY_INTERFACE_LIBCUDA: libraryPath },
  });
  return linesOf(printed);
}

/** What the comments behind `console.log(…);` promise, one for each line. */
export function promises(code: string): string[] {
  const calls = code.matchAll(/^ *console\.log\(.*\);(?: *\/\/ (.*)|((?:\n\/\/ .*)+))$/gm);
  return [...calls].flatMap(([, beside, below = '']) =>
    beside === undefined ? below.split('\n// ').slice(1) : [beside],
  );
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
