import path from 'node:path';
import { provideEnvironment } from './python/environment.mjs';
import { peers } from './python/peers.mjs';
import { job, root, run } from './run.mjs';
import { setup } from './setup/setup.mjs';

// npm run example:heat [-- --ranks 2 --memory host|sycl|cuda …]: sets up, makes the Python environment
// with NumPy, mpi4py and MPICH (.peers/python) if it is missing, and runs examples/heat in it. Paths on
// the command line are relative to the folder in which npm was called.
const python = peers.find(({ name }) => name === 'python');

async function heat() {
  await setup();
  await provideEnvironment(python);
  const program = path.join(root, 'examples', 'heat', 'bin', 'heat.js');
  const args = ['--venv', python.target, ...process.argv.slice(2)];
  process.exitCode = await run(process.execPath, [program, ...args], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
  });
}

await job(heat);
