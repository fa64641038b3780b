import { describe } from 'vitest';
import { arrays } from './arrays.js';
import { conversions } from './conversions.js';
import { copies } from './copies.js';
import { devices } from './devices.js';
import { disposal } from './disposal.js';
import { interfaces } from './interfaces.js';
import { javaScriptMemory } from './javascript-memory.js';
import { options } from './options.js';
import { orders } from './orders.js';
import { overlaps } from './overlaps.js';
import { ownership } from './ownership.js';
import { printing } from './printing.js';
import { refusals } from './refusals.js';
import { requireAvailable, type Subject } from './subject.js';
import { typedArrays } from './typed-arrays.js';
import { waits } from './waits.js';

const SECTIONS = [
  devices,
  arrays,
  copies,
  conversions,
  overlaps,
  javaScriptMemory,
  typedArrays,
  options,
  printing,
  orders,
  interfaces,
  refusals,
  waits,
  ownership,
  disposal,
];

/**
 * Registers the tests that every backend passes. Call it at the top level of a test file; nothing of
 * the backend is touched before its tests run.
 */
export function backendContract(name: string, subject: Subject): void {
  describe(`${name}: backend contract`, () => {
    requireAvailable(subject);
    for (const section of SECTIONS) section(subject);
  });
}
