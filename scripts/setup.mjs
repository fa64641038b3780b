import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { linkCommands } from './link-commands.mjs';
import { message, missing } from './prerequisites.mjs';

/** Checks the machine, installs and builds. Ends the process with a message if one of them fails. */
export async function setup() {
  const list = missing();
  if (list.length > 0) {
    console.error(message(list));
    process.exit(1);
  }
  for (const [step, what] of [
    [install, 'installing the packages that pnpm-lock.yaml names'],
    [build, 'building'],
  ]) {
    const status = await step();
    if (status !== 0) {
      console.error(`Not set up: ${what} failed with status ${status}; the reason is above.`);
      process.exit(1);
    }
  }
  linkCommands();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await setup();
