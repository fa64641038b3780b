import path from 'node:path';
import { root, run } from './run.mjs';
import { setup } from './setup/setup.mjs';
import { explain, provide } from './sycl/runtime.mjs';

// npm start [-- PHOTO [--out FILE.png] [--verbose]]: sets up, provides the SYCL runtime, and runs the main job.
// Paths on the command line are relative to the folder in which npm was called.
await setup();
const outcome = await provide();
if (outcome.state !== 'ready') console.log(`\n${explain(outcome)}\nGoing on without it.\n`);
const photograph = path.join(root, 'examples', 'photograph', 'bin', 'photograph.js');
const cwd = process.env.INIT_CWD ?? process.cwd();
process.exitCode = await run(process.execPath, [photograph, ...process.argv.slice(2)], { cwd });
