import { describe } from 'vitest';
import { chosenAddon } from './chosen-addon.js';
import { collection } from './collection.js';
import { endings } from './endings.js';
import { inPlace } from './in-place.js';
import { lentDicts } from './lent-dicts.js';
import { operations } from './operations.js';
import { rounds } from './rounds.js';
import { TIMEOUT_MS } from './run-program.js';
import type { Subject } from './subject.js';
import { threads } from './threads.js';
import { toldToV8 } from './told-to-v8.js';
import { workers } from './workers.js';

/**
 * Registers the lifetime tests that every backend must pass: threads, garbage collection, process
 * ends. Call it at the top level of a test file in the package's `test` folder.
 */
export function lifetimes(subject: Subject): void {
  describe(`${subject.name}: lifetimes`, { timeout: TIMEOUT_MS }, () => {
    const sections = [
      ...[chosenAddon, workers, threads, lentDicts, collection],
      ...[inPlace, endings, toldToV8, rounds, operations],
    ];
    for (const section of sections) section(subject);
  });
}
