import path from 'node:path';
import { root, run } from './run.mjs';
import { setup } from './setup.mjs';

// npm run test:gpu [-- --simulator] [--out FILE]: the CUDA backend on this machine's own driver, or
// one line that says why not. A real GPU's result is kept in bench/results. The checks are a node program of their own: testing/gpu/README.md.
await setup();
const program = path.join(root, 'testing', 'gpu', 'run.mjs');
const results = ['--results', path.join(root, 'bench', 'results')];
process.exitCode = await run(process.execPath, [program, ...results, ...process.argv.slice(2)]);
