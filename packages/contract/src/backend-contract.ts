import { describe } from 'vitest';
import { alignment } from './arrays/alignment.js';
import { arrays } from './arrays/arrays.js';
import { creation } from './arrays/creation.js';
import { described } from './arrays/described.js';
import { devices } from './arrays/devices.js';
import { indexing } from './arrays/indexing.js';
import { joining } from './arrays/joining.js';
import { options } from './arrays/options.js';
import { printing } from './arrays/printing.js';
import { readingBack } from './arrays/reading-back.js';
import { typedArrays } from './arrays/typed-arrays.js';
import { conversions } from './copies/conversions.js';
import { copies } from './copies/copies.js';
import { overlaps } from './copies/overlaps.js';
import { roundings } from './copies/roundings.js';
import { interfaces } from './imports/interfaces.js';
import { layouts } from './imports/layouts.js';
import { notArrays } from './imports/not-arrays.js';
import { refusals } from './imports/refusals.js';
import { staleDicts } from './imports/stale-dicts.js';
import { argumentsOfLaunches } from './launches/arguments.js';
import { coldLaunches } from './launches/cold-launches.js';
import { launches } from './launches/launches.js';
import { wrongLaunches } from './launches/wrong-launches.js';
import { disposal } from './memory/disposal.js';
import { inPlace } from './memory/in-place.js';
import { javaScriptMemory } from './memory/javascript-memory.js';
import { ownership } from './memory/ownership.js';
import { threadPool } from './memory/thread-pool.js';
import { orders } from './queues/orders.js';
import { signals } from './queues/signals.js';
import { uses } from './queues/uses.js';
import { waits } from './queues/waits.js';
import { type BackendSubject, requireAvailable } from './support/subject.js';

const SECTIONS = [
  devices,
  arrays,
  alignment,
  creation,
  joining,
  indexing,
  copies,
  conversions,
  roundings,
  overlaps,
  javaScriptMemory,
  typedArrays,
  inPlace,
  threadPool,
  options,
  printing,
  described,
  readingBack,
  orders,
  launches,
  argumentsOfLaunches,
  coldLaunches,
  wrongLaunches,
  uses,
  interfaces,
  layouts,
  notArrays,
  refusals,
  signals,
  waits,
  ownership,
  staleDicts,
  disposal,
];

/**
 * Registers the tests that every backend must pass. Call it at the top level of a test file. Before
 * its tests run, it reads nothing of the backend but its name. Throws if the contract has no kernel
 * code for a backend of that name, and the subject has no `kernels`.
 *
 * @example
 * ```ts
 * import { backendContract } from '@array-interface/contract';
 * import { host, liveAllocations } from '@array-interface/host';
 *
 * backendContract('host', { backend: host, liveAllocations, inPlace: ['pageable'] });
 * ```
 */
export function backendContract(name: string, subject: BackendSubject): void {
  describe(`${name}: backend contract`, () => {
    requireAvailable(subject);
    for (const section of SECTIONS) section(subject);
  });
}
