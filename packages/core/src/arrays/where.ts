import type { BackendArray, OwnedArray } from '../backend/interface/array.js';
import { type Memory, memoryOf } from '../backend/interface/memory.js';
import type { EmptyOptions } from '../backend/interface/options.js';
import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import { relativeLayout } from '../descriptor/relative-layout.js';
import type { DType } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { isPlainData } from '../numbers/plain-array.js';
import { resultType } from '../numbers/result-type.js';
import { checkCasts } from '../plan/check-copy.js';
import { bytesOf } from '../plan/copy-buffers.js';
import { broadcastNamed } from '../views/broadcast.js';
import { one } from './full.js';
import * as kernels from './kernels.js';
import { describe, type Operand } from './operand.js';
import * as javascript from './rows.js';
import { asBytes, hasCode, unitOf } from './take.js';
import { inOrder, type Maker, type Work } from './work.js';

/** Returns the elements of `a` where the mask is true, and those of `b` elsewhere. */
export async function where<A extends BackendArray>(
  maker: Maker<A>,
  condition: Operand,
  whereTrue: Operand,
  whereFalse: Operand,
  options: EmptyOptions,
): Promise<OwnedArray<A>> {
  const mask = describeMask(maker, condition);
  const { a, b, types } = describeBoth(maker, whereTrue, whereFalse);
  const type = resultType(...types);
  checkCasts(type, a.dtype, 'same_kind', 'a');
  checkCasts(type, b.dtype, 'same_kind', 'b');
  const bareAll = [mask, a, b].map(bare);
  const [{ shape }] = broadcastNamed(bareAll, ['mask', 'a', 'b']) as [ArrayDescriptor];
  return inOrder(maker, {}, (work) => {
    const held = { mask: work.hold(mask, 'mask'), a: work.hold(a, 'a'), b: work.hold(b, 'b') };
    const near = [held.a, held.b, held.mask].find(({ buffer }) => buffer === null) ?? null;
    const made = work.make(shape, type, options, near);
    if (made.nbytes > 0) choose(work, made.descriptor, held);
    return made;
  });
}

/** The three arrays of a choice. */
interface Choice {
  readonly mask: ArrayDescriptor;
  readonly a: ArrayDescriptor;
  readonly b: ArrayDescriptor;
}

function choose<A extends BackendArray>(work: Work<A>, to: ArrayDescriptor, given: Choice): void {
  const { shape, dtype: type } = to;
  const { dtype: bool } = given.mask;
  if (!hasCode(work.maker)) {
    const [a, b] = [work.download(given.a, shape, type), work.download(given.b, shape, type)];
    const mask = bytesOf(work.download(given.mask, shape, bool), 'mask');
    work.afterwards(async () => {
      javascript.putWhere(bytesOf(b, 'b'), bytesOf(a, 'a'), mask, type.itemsize);
      await work.maker.backend.copy(to, b);
    });
    return;
  }
  const queue = work.queueOf(memoryOf(to.owner) as Memory);
  const a = work.dense(queue, given.a, { shape, dtype: type, path: 'a' });
  const mask = work.dense(queue, given.mask, { shape, dtype: bool, path: 'mask' });
  const target = to.contiguous.c ? to : work.temporary(queue, shape, type);
  work.reachable(queue, given.b, 'b');
  work.copy(target, given.b);
  const unit = unitOf(type.itemsize, a, target);
  const inner = type.itemsize / unit;
  const values = { mask: asBytes(mask), values: asBytes(a), target: asBytes(target) };
  work.launch(kernels.putWhere, to.size * inner, { ...values, inner, unit });
  if (target !== to) work.copy(to, target);
}

/** bool, or uint8 as JavaScript has it. */
function describeMask(maker: Maker, condition: Operand): ArrayDescriptor {
  const isPlain = isPlainData(condition);
  const mask = describe(maker, condition, 'mask', isPlain ? dtype('bool') : undefined);
  const { kind, itemsize, typestr } = mask.dtype;
  if (itemsize === 1 && (kind === 'b' || kind === 'u')) return mask;
  throw mismatch('ERR_TYPE', 'mask', 'an array of bool or uint8', typestr);
}

/**
 * Describes both, and the dtypes that decide the result's. A number beside an array takes the
 * array's dtype, as far as that holds its kind.
 */
function describeBoth(
  maker: Maker,
  a: Operand,
  b: Operand,
): { a: ArrayDescriptor; b: ArrayDescriptor; types: DType[] } {
  const [isA, isB] = [isNumber(a), isNumber(b)];
  if (isA === isB) {
    const both = { a: describe(maker, a, 'a'), b: describe(maker, b, 'b') };
    return { ...both, types: [both.a.dtype, both.b.dtype] };
  }
  const array = isA ? describe(maker, b, 'b') : describe(maker, a, 'a');
  const number = (isA ? a : b) as number | bigint | boolean;
  const type = typeBeside(number, array.dtype);
  const single = one(type, number); // a double for a half, which the copy converts
  const types = [type, array.dtype];
  return isA ? { a: single, b: array, types } : { a: array, b: single, types };
}

function isNumber(value: Operand): boolean {
  return isPlainData(value) && !Array.isArray(value);
}

/** NumPy 2's rule for Python's numbers, by the value's kind: bool, integer, float. */
function typeBeside(value: number | bigint | boolean, type: DType): DType {
  const { kind } = type;
  if (typeof value === 'boolean') return 'biufc'.includes(kind) ? dtype('bool') : type;
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  if (kind === 'b') return dtype(isInteger ? 'int64' : 'float64');
  return (kind === 'i' || kind === 'u') && !isInteger ? dtype('float64') : type;
}

/** Without elements, for shapes alone: masks were refused before. */
function bare(array: ArrayDescriptor): ArrayDescriptor {
  return replace(relativeLayout([], dtype('bool')), {
    shape: array.shape,
    byteStrides: array.byteStrides,
  });
}
