import { createReadStream } from 'node:fs';
import { type ArrayInterfaceError, isArrayInterfaceError } from '@array-interface/core';
import { type Described, describeValue } from './describe-value.js';
import { readValues } from './read-values.js';
import { writeLine } from './write-line.js';

/** What becomes of each value, as the text to print for it. */
export interface Handlers {
  /** May throw ArrayInterfaceError. */
  readonly accepted: (described: Described) => string;
  readonly refused: (error: ArrayInterfaceError) => string;
}

/**
 * Prints a line for each value of a file, or of standard input when it is `-`, as they come. Returns
 * whether none was refused. Throws when the input cannot be read.
 */
export async function processValues(file: string, handlers: Handlers): Promise<boolean> {
  let allFine = true;
  const input = file === '-' ? process.stdin : createReadStream(file);
  for await (const parsed of readValues(input)) {
    try {
      await writeLine(handlers.accepted(describeValue(parsed)));
    } catch (error) {
      if (!isArrayInterfaceError(error)) throw error;
      allFine = false;
      await writeLine(handlers.refused(error));
    }
  }
  return allFine;
}
