import path from 'node:path';
import { homeOf, isHere, VERSIONS } from './node-versions.mjs';
import { environment, root, run } from './run.mjs';
import { setup } from './setup.mjs';
import { installTools } from './test-install.mjs';

// npm run test:ffi [-- ARGUMENTS OF VITEST]: runs the programs of docs/ffi.md on this Node, the newest one, Bun
// and Deno. These come once, from npm: into .node-versions, and with the other clients of testing/install.
const tools = path.join(root, 'testing', 'install', 'node_modules');

async function main() {
  const status = await installTools();
  if (status !== 0) return status;
  const runtimes = {
    node: path.join(await homeOf(VERSIONS.at(-1)), 'node'),
    bun: path.join(tools, '@oven/bun-linux-x64/bin/bun'),
    deno: path.join(tools, '@deno/linux-x64-glibc/deno'),
  };
  return run('vitest', ['run', ...process.argv.slice(2)], {
    cwd: path.join(root, 'testing', 'ffi'),
    env: { ...environment(), FFI_RUNTIMES: JSON.stringify(runtimes) },
  });
}

if (isHere) {
  await setup();
  process.exitCode = await main();
} else {
  console.log(
    'Not run: Bun, Deno and the newest Node are for Linux x64, and this is another machine.',
  );
  if (process.env.ARRAY_INTERFACE_ALLOW_MISSING !== '1') process.exitCode = 1;
}
