import { isArrayInterfaceError } from '@array-interface/core';
import { readArguments } from './arguments.js';
import { runJob } from './job.js';
import { Refusal } from './refusal.js';

/**
 * Runs the main job with the command line's arguments. Returns the exit status: 0 if everything
 * agrees, 1 if something differs, cannot be read or fails. An error that the user can fix is one line.
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return (await runJob(readArguments(args))) ? 0 : 1;
  } catch (error) {
    if (error instanceof Refusal) console.error(error.message);
    else if (isArrayInterfaceError(error)) console.error(error.message);
    else throw error;
    return 1;
  }
}
