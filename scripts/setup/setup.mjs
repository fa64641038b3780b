import { build } from '../package/build.mjs';
import { isProgram } from '../run.mjs';
import { hasNative, neededBy } from '../workspace.mjs';
import { install } from './install.mjs';
import { linkCommands } from './link-commands.mjs';
import { message, missing } from './prerequisites.mjs';

/**
 * Checks the machine, and installs and builds all packages, or the one in a folder. Ends the
 * process with a message if a step fails. Does nothing if ARRAY_INTERFACE_SET_UP says that it was
 * done: stages of .ci/run run side by side, and none may change another's builds.
 */
export async function setup(folder) {
  if (process.env.ARRAY_INTERFACE_SET_UP === '1') return;
  const list = missing(folder === undefined || neededBy(folder).some(hasNative));
  if (list.length > 0) {
    console.error(message(list));
    process.exit(1);
  }
  for (const [step, what] of [
    [install, 'installing the packages that pnpm-lock.yaml names'],
    [() => build(folder), 'building'],
  ]) {
    const status = await step();
    if (status !== 0) {
      console.error(`Not set up: ${what} failed with status ${status}; the reason is above.`);
      process.exit(1);
    }
  }
  linkCommands();
}

if (isProgram(import.meta)) await setup();
