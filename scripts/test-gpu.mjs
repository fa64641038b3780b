import path from 'node:path';
import { root, run } from './run.mjs';
import { setup } from './setup.mjs';

// npm run test:gpu [-- --simulator] [--out FILE]: runs the CUDA backend on this machine's own
// driver, or prints one line that says why not. bench/results keeps a real GPU's result. The checks
// are a Node program of their own: testing/gpu/README.md.
await setup();
const program = path.join(root, 'testing', 'gpu', 'run.mjs');
const results = ['--results', path.join(root, 'bench', 'results')];
process.exitCode = await run(process.execPath, [program, ...results, ...process.argv.slice(2)]);
