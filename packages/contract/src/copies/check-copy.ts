import type { ArrayDescriptor, Backend } from '@array-interface/core';
import { Block, placeOf, reach } from '../support/block.js';
import { referenceCopy } from '../support/reference.js';
import { convertNumber } from './convert-number.js';
import type { CopyCase } from './copy-cases.js';

/** Copies a case, and compares each byte of both blocks with the reference. */
export async function checkCopy(
  { to, from }: CopyCase,
  [toBackend, fromBackend]: readonly [Backend, Backend],
  copy: (target: ArrayDescriptor, source: ArrayDescriptor) => Promise<void>,
): Promise<void> {
  using target = await Block.make(toBackend, Math.max(1, reach(to)), 1);
  using source = await Block.make(fromBackend, Math.max(1, reach(from)), 2);
  await copy(target.at(to), source.at(from));
  const convert = convertNumber(from.dtype, to.dtype);
  referenceCopy(target.expected, placeOf(to), source.expected, placeOf(from), convert);
  await target.verify();
  await source.verify();
}
