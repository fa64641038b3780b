import { checkUsed } from '../backend/access/check-used.js';
import { unreached } from '../backend/access/queue-for.js';
import { RetainedMemory } from '../backend/access/retained-memory.js';
import type { PutOptions } from '../backend/interface/function-options.js';
import { BackendAdvice } from '../backend/interface/instead-of-own-array.js';
import { type Memory, memoryOf } from '../backend/interface/memory.js';
import type { BackendQueue } from '../backend/interface/queue.js';
import { type DeferredWork, deferIfBlocked, enqueued } from '../backend/order/deferred-work.js';
import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import { dtype } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { notAnArray } from '../input/instead-of-array.js';
import { broadcasts } from '../input/shape.js';
import { isPlainData, plainArray } from '../numbers/plain-array.js';
import { overlapsItself } from '../overlap/overlaps-itself.js';
import { checkCasts } from '../plan/check-copy.js';
import { bytesOf } from '../plan/copy-buffers.js';
import { one } from './full.js';
import { describeIndices } from './indices.js';
import * as kernels from './kernels.js';
import { describe, type Operand, readOnlyAxis } from './operand.js';
import * as javascript from './rows.js';
import { asBytes, countsOf, downloaded, flat, hasCode, unitOf } from './take.js';
import { inOrder, type Maker, type Work } from './work.js';

/** The last index that names a row has a position of 32 bits. */
const MOST_INDICES = 2 ** 31 - 1;

/** What is put where. */
interface Put {
  readonly target: ArrayDescriptor;
  readonly indices: ArrayDescriptor;
  readonly values: ArrayDescriptor;
  readonly axis: number;
  /** The shape that the values broadcast to. */
  readonly shape: readonly number[];
}

/** Writes values at indices along an axis. Checks everything before it writes anything. */
export async function put(
  maker: Maker,
  given: Operand,
  at: Operand,
  value: Operand,
  { axis: along, casting = 'same_kind', ...options }: PutOptions,
): Promise<void> {
  if (isPlainData(given)) {
    const expected = 'an array that can be written';
    throw notAnArray(
      'ERR_ARGUMENT',
      'array',
      expected,
      given,
      new BackendAdvice(maker.backend.name),
    );
  }
  const array = maker.resolve(describe(maker, given, 'array'));
  const axis = readOnlyAxis(along, array.ndim);
  checkWritable(array);
  const indices = describeIndices(maker, at, array.shape[axis] as number);
  const values = isPlainData(value)
    ? plainArray(value, array.dtype, { casting })
    : describe(maker, value, 'values');
  if (!isPlainData(value)) checkCasts(array.dtype, values.dtype, casting, 'values');
  const shape = array.shape.toSpliced(axis, 1, ...indices.shape);
  checkShape(values.shape, shape);
  if (indices.size > MOST_INDICES) {
    throw mismatch('ERR_OVERFLOW', 'indices', `at most ${MOST_INDICES} indices`, indices.size);
  }
  await inOrder(maker, options, (work) => {
    const target = work.hold(array, 'array');
    const held = {
      target,
      axis,
      shape,
      indices: work.hold(indices, 'indices'),
      values: work.hold(values, 'values'),
    };
    if (target.nbytes > 0 && indices.size > 0) putRows(work, held, options.queue);
  });
}

function checkWritable(array: ArrayDescriptor): void {
  checkUsed(array, 'array', true);
  if (array.buffer !== null) {
    const got = 'JavaScript memory';
    const cure = 'put into an array of the backend';
    throw mismatch('ERR_NOT_ACCESSIBLE', 'array', 'memory of the backend', got, cure);
  }
  if (!overlapsItself(array)) return;
  const { shape, byteStrides } = array;
  throw mismatch(
    'ERR_SELF_OVERLAP',
    'array',
    'elements that share no memory',
    `shape ${showList(shape)} with byte strides ${showList(byteStrides)}, where some do`,
    'put into a copy, made with array()',
  );
}

function checkShape(values: readonly number[], shape: readonly number[]): void {
  if (broadcasts(values, shape)) return;
  const expected = `a shape that broadcasts to ${showList(shape)}`;
  throw mismatch('ERR_SHAPE_MISMATCH', 'values', expected, showList(values));
}

function putRows(work: Work, put: Put, named: BackendQueue | undefined): void {
  const { target } = put;
  const memory = memoryOf(target.owner) as Memory;
  const queue = work.queueOf(memory);
  if (work.maker.driver.reach(queue, memory) !== 'kernels') throw unreached();
  if (hasCode(work.maker)) launchRows(work, put, queue);
  else putLater(work, put, queue, named !== undefined);
}

function launchRows(work: Work, put: Put, queue: BackendQueue): void {
  const { target, axis, shape } = put;
  const { dtype: type } = target;
  const [int64, int32] = [dtype('int64'), dtype('int32')];
  const isDense = target.contiguous.c;
  // Everything that may fail comes before the target is written.
  const into = isDense ? target : work.temporary(queue, target.shape, type);
  const { length, count, outer, rowBytes } = countsOf(target, put.indices, axis);
  const isInTurn = work.maker.driver.isSynchronous;
  const last = work.temporary(queue, [isInTurn ? 0 : length], int32);
  const values = work.dense(queue, put.values, {
    shape,
    dtype: type,
    path: 'values',
    apart: target,
  });
  const wanted = { shape: put.indices.shape, dtype: int64, path: 'indices', apart: target };
  const indices = flat(work.dense(queue, put.indices, wanted));
  if (!isDense) work.copy(into, target);
  if (!isInTurn) {
    work.copy(last, one(int32, -1));
    work.launch(kernels.lastOfRows, count, { indices, last, length });
  }
  const unit = unitOf(rowBytes, values, into);
  const inner = rowBytes / unit;
  const arrays = { values: asBytes(values), indices, last, target: asBytes(into) };
  work.launch(kernels.putRows, outer * count * inner, { ...arrays, length, count, inner, unit });
  if (!isDense) work.copy(target, into);
}

/**
 * Computes in JavaScript, for a backend without kernels. What is requested later on the target is
 * ordered after it, although the values are only known later.
 */
function putLater(work: Work, put: Put, queue: BackendQueue, isNamed: boolean): void {
  const { target, axis, shape } = put;
  const { backend, driver } = work.maker;
  const memory = memoryOf(target.owner) as Memory;
  const [result, indices] = downloaded(work, target, put.indices);
  const values = work.download(put.values, shape, target.dtype);
  const counts = countsOf(target, put.indices, axis);
  const computed = work.enqueued().then(() => {
    const numbers = javascript.rowsAt(
      new Int32Array(indices.buffer as ArrayBufferLike),
      counts.length,
    );
    javascript.putRows(bytesOf(result, 'array'), bytesOf(values, 'values'), numbers, counts);
  });
  // The caller may dispose of the array meanwhile.
  const kept = replace(target, { owner: new RetainedMemory(memory) });
  const task = {
    queues: [queue],
    isInQueueOrder: isNamed || queue !== driver.defaultQueue(memory),
    uses: [{ memory, writes: true }],
    built: computed,
    run: () => backend.copy(kept, result, isNamed ? { queue } : {}),
  };
  work.request(enqueued([deferIfBlocked(task) as DeferredWork]));
}
