import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { checkMask, maskOfMask } from '../descriptor/mask.js';
import { memoryBehind } from '../descriptor/memory-brand.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { type Dict, guarded } from '../input/dict.js';

/** Whether a dict is the outermost one or that of a mask inside it. */
export interface ReadContext {
  /** What the paths of the dict's keys begin with: `mask.`. */
  readonly prefix: string;
  /** The path of the dict itself, for error messages. */
  readonly path: string;
  readonly isMask: boolean;
  /** Whether a mask's producer becomes the mask's owner, as `fromProducer` requires. */
  readonly keepMasks: boolean;
}

/** Reads one dict of a protocol. */
export type Reader = (dict: unknown, owner: unknown, context: ReadContext) => ArrayDescriptor;

/** Returns the context of the outermost dict. */
export function outermost(attribute: string, keepMasks: boolean): ReadContext {
  return { prefix: '', path: attribute, isMask: false, keepMasks };
}

/**
 * Reads the key `mask`: null, or an object that exposes the same interface, broadcasts to `shape`
 * and has no mask itself. Any non-zero element marks a valid one. Implements CAI v3 and NumPy,
 * "mask". Throws ERR_MASK, and what reading the mask's own dict throws.
 */
export function readMask(
  dict: Dict,
  attribute: string,
  shape: readonly number[],
  owner: unknown,
  context: ReadContext,
  read: Reader,
): ArrayDescriptor | null {
  const producer = dict.optional('mask');
  if (producer === null || producer === undefined) return null;
  const path = dict.path('mask');
  if (context.isMask) throw maskOfMask(path);
  const inner = guarded('ERR_TYPE', path, () => (producer as Record<string, unknown>)[attribute]);
  if (inner === undefined || inner === null) {
    throw mismatch('ERR_MASK', path, `null or an object with ${attribute}`, show(producer));
  }
  const inside = { ...context, prefix: `${path}.`, path, isMask: true };
  return checkMask(read(inner, context.keepMasks ? producer : owner, inside), shape, path);
}

/**
 * Returns the owner of a mask's memory: the mask's own, else the array's, which then keeps the
 * mask's memory as well.
 */
export function ownerOfMask({ mask, owner }: ArrayDescriptor): unknown {
  return memoryBehind(mask?.owner) === null ? owner : mask?.owner;
}
