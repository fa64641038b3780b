import { describe } from 'vitest';
import { alignment } from './arrays/alignment.js';
import { arrays } from './arrays/arrays.js';
import { devices } from './arrays/devices.js';
import { options } from './arrays/options.js';
import { printing } from './arrays/printing.js';
import { typedArrays } from './arrays/typed-arrays.js';
import { conversions } from './copies/conversions.js';
import { copies } from './copies/copies.js';
import { overlaps } from './copies/overlaps.js';
import { interfaces } from './imports/interfaces.js';
import { notArrays } from './imports/not-arrays.js';
import { refusals } from './imports/refusals.js';
import { staleDicts } from './imports/stale-dicts.js';
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
  copies,
  conversions,
  overlaps,
  javaScriptMemory,
  typedArrays,
  inPlace,
  threadPool,
  options,
  printing,
  orders,
  launches,
  coldLaunches,
  wrongLaunches,
  uses,
  interfaces,
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
