import path from 'node:path';
import { root, run } from '../run.mjs';
import { setup } from '../setup/setup.mjs';

// npm run test:gpu [-- --simulator] [--out FILE]: runs the CUDA backend on this machine's driver,
// or prints one line with the reason why it cannot. bench/results stores a real GPU's result. The
// checks are a separate Node program: testing/gpu/README.md. A second one has CuPy and PyTorch in
// its process.
await setup();
const program = path.join(root, 'testing', 'gpu', 'run.mjs');
const inProcess = path.join(root, 'testing', 'gpu', 'python.mjs');
const results = ['--results', path.join(root, 'bench', 'results')];
const args = process.argv.slice(2);
const statuses = [
  await run(process.execPath, [program, ...results, ...args]),
  await run(process.execPath, [inProcess, ...args.filter((one) => one === '--simulator')]),
];
process.exitCode = statuses.find((status) => status !== 0) ?? 0;
