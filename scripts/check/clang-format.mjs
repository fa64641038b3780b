import { execFileSync } from 'node:child_process';
import { root, run } from '../run.mjs';

// Checks the format of all C++ in the repository; with --write, fixes it.
const foreign = [':!packages/abi/include/dlpack.h'];
const patterns = ['*.cpp', '*.hpp', '*.h', '*.c', ...foreign];
const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns];
const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean);
const mode = process.argv.includes('--write') ? ['-i'] : ['--dry-run', '--Werror'];
process.exitCode = files.length === 0 ? 0 : await run('clang-format', [...mode, ...files]);
