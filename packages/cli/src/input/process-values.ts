import {
  type ArrayInterfaceError,
  isArrayInterfaceError,
  type Protocol,
} from '@array-interface/core';
import { type Output, writeLine } from '../output/write-line.js';
import { type Described, describeValue } from '../values/describe-value.js';
import type { Location } from '../values/location.js';
import { readInput } from './read-input.js';
import { readValues } from './read-values.js';

/** The functions that write the text for each value. */
export interface Handlers {
  /** May throw ArrayInterfaceError. */
  readonly accepted: (described: Described, location: Location) => string;
  readonly refused: (error: ArrayInterfaceError, location: Location) => string;
  /** The protocol of dicts that have no attribute around them. */
  readonly protocol?: Protocol | undefined;
  /** The stream for refusals. */
  readonly refusals: Output;
}

/**
 * Prints a line for each value of some files, as the values arrive. `-`, or no file, means standard
 * input. Returns whether all values were accepted. Throws if a file cannot be read.
 */
export async function processValues(
  files: readonly string[],
  handlers: Handlers,
): Promise<boolean> {
  let allFine = true;
  for (const file of files.length === 0 ? ['-'] : files) {
    let index = 0;
    for await (const { parsed, ...place } of readValues(readInput(file), file)) {
      const location = { file, ...place, index: index++ };
      try {
        await writeLine(handlers.accepted(describeValue(parsed, handlers.protocol), location));
      } catch (error) {
        if (!isArrayInterfaceError(error)) throw error;
        allFine = false;
        await writeLine(handlers.refused(error, location), handlers.refusals);
      }
    }
  }
  return allFine;
}
