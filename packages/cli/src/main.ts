import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { printable } from '@array-interface/core';
import { CommanderError } from 'commander';
import { command } from './command.js';
import { endWithReader } from './output/write-line.js';

/** Exit status if the command was not understood, or its input could not be read. */
const NOT_UNDERSTOOD = 2;

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

const docs = fileURLToPath(new URL('../README.md', import.meta.url));

endWithReader();
const program = command(version, docs, (fine) => {
  process.exitCode = fine ? 0 : 1;
});
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = NOT_UNDERSTOOD;
  if (!(error instanceof CommanderError)) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`error: ${printable(message)}\n`);
  } else if (error.exitCode === 0) {
    process.exitCode = 0;
  }
}
