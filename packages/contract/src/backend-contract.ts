import { describe } from 'vitest';
import { alignment } from './alignment.js';
import { arrays } from './arrays.js';
import { coldLaunches } from './cold-launches.js';
import { conversions } from './conversions.js';
import { copies } from './copies.js';
import { devices } from './devices.js';
import { disposal } from './disposal.js';
import { inPlace } from './in-place.js';
import { interfaces } from './interfaces.js';
import { javaScriptMemory } from './javascript-memory.js';
import { launches } from './launches.js';
import { options } from './options.js';
import { orders } from './orders.js';
import { overlaps } from './overlaps.js';
import { ownership } from './ownership.js';
import { printing } from './printing.js';
import { refusals } from './refusals.js';
import { signals } from './signals.js';
import { staleDicts } from './stale-dicts.js';
import { type BackendSubject, requireAvailable } from './subject.js';
import { threadPool } from './thread-pool.js';
import { typedArrays } from './typed-arrays.js';
import { uses } from './uses.js';
import { waits } from './waits.js';
import { wrongLaunches } from './wrong-launches.js';

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
  refusals,
  signals,
  waits,
  ownership,
  staleDicts,
  disposal,
];

/**
 * Registers the tests that every backend passes. Call it at the top level of a test file; nothing
 * of the backend is touched before its tests run but its name. Throws where the contract has no code
 * of its kernels for a backend of that name, and the subject says nothing of `kernels`.
 */
export function backendContract(name: string, subject: BackendSubject): void {
  describe(`${name}: backend contract`, () => {
    requireAvailable(subject);
    for (const section of SECTIONS) section(subject);
  });
}
