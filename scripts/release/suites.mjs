import { cpSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inNewFolder } from '../new-folder.mjs';
import { environment, root, run } from '../run.mjs';
import { setup } from '../setup/setup.mjs';
import { binariesOf, targets } from './targets.mjs';

// node scripts/release/suites.mjs [ARGUMENTS OF VITEST]: runs the suites of the backends on the
// addons that were built for this machine's glibc target, and those of CUDA on that simulator. Run
// node scripts/release/build.mjs first.

const target = `linux-${os.arch()}-gnu`;

/**
 * Collects what a suite needs besides the addon, from the checkout's build, and the released addon.
 */
function collect(name, folder) {
  cpSync(path.join(root, 'packages', name, 'build/Release'), folder, { recursive: true });
  cpSync(path.join(binariesOf(target), `${name}.node`), path.join(folder, `${name}.node`));
}

/** Runs the suite of a backend. Returns vitest's exit status. */
function runSuite(name, args) {
  console.log(`${name}, on the binaries for ${target}`);
  return inNewFolder((folder) => {
    collect(name, folder);
    const env = {
      ...environment(),
      ARRAY_INTERFACE_ADDON_DIR: folder,
      ARRAY_INTERFACE_LIBCUDA: path.join(binariesOf(target), 'libcuda.so.1'),
    };
    return run('vitest', ['run', ...args], { cwd: path.join(root, 'packages', name), env });
  });
}

await setup();
for (const name of targets[target].addons) {
  if ((await runSuite(name, process.argv.slice(2))) !== 0) process.exitCode = 1;
}
