import { run } from '../run.mjs';
import { listFiles } from '../workspace.mjs';

// Checks the format of all C++ in the repository; with --write, fixes it.
const foreign = [':!packages/abi/include/dlpack.h'];
const files = listFiles(['*.cpp', '*.hpp', '*.h', '*.c', ...foreign]);
const mode = process.argv.includes('--write') ? ['-i'] : ['--dry-run', '--Werror'];
process.exitCode = files.length === 0 ? 0 : await run('clang-format', [...mode, ...files]);
