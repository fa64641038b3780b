import type { BackendArray, OwnedArray } from '../backend/interface/array.js';
import type { AxisOption } from '../backend/interface/function-options.js';
import { type Memory, memoryOf } from '../backend/interface/memory.js';
import type { EmptyOptions } from '../backend/interface/options.js';
import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import { relativeLayout } from '../descriptor/relative-layout.js';
import { dtype } from '../dtype/read-dtype.js';
import { sizeOf } from '../input/shape.js';
import { bytesOf, newBuffer } from '../plan/copy-buffers.js';
import { describeIndices } from './indices.js';
import * as kernels from './kernels.js';
import { describe, type Operand, readOnlyAxis } from './operand.js';
import * as javascript from './rows.js';
import { inOrder, type Maker, type Work } from './work.js';

/** Returns the elements at indices along an axis, as a new array. */
export async function take<A extends BackendArray>(
  maker: Maker<A>,
  given: Operand,
  at: Operand,
  { axis: along, ...options }: AxisOption & EmptyOptions,
): Promise<OwnedArray<A>> {
  const array = describe(maker, given, 'array');
  const axis = readOnlyAxis(along, array.ndim);
  const indices = describeIndices(maker, at, array.shape[axis] as number);
  const shape = array.shape.toSpliced(axis, 1, ...indices.shape);
  return inOrder(maker, {}, (work) => {
    const source = work.hold(array, 'array');
    const held = work.hold(indices, 'indices');
    const made = work.make(shape, array.dtype, options, source);
    if (made.nbytes > 0) fillRows(work, made.descriptor, source, held, axis);
    return made;
  });
}

function fillRows<A extends BackendArray>(
  work: Work<A>,
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  indices: ArrayDescriptor,
  axis: number,
): void {
  const { dtype: type } = from;
  const counts = countsOf(from, indices, axis);
  if (!hasCode(work.maker)) {
    const [source, rows] = downloaded(work, from, indices);
    work.afterwards(async () => {
      const target = relativeLayout(to.shape, type, null, newBuffer(to.nbytes));
      const numbers = javascript.rowsAt(
        new Int32Array(rows.buffer as ArrayBufferLike),
        counts.length,
      );
      javascript.takeRows(bytesOf(target, 'array'), bytesOf(source, 'array'), numbers, counts);
      await work.maker.backend.copy(to, target);
    });
    return;
  }
  const queue = work.queueOf(memoryOf(to.owner) as Memory);
  const source = work.dense(queue, from, { shape: from.shape, dtype: type, path: 'array' });
  const target = to.contiguous.c ? to : work.temporary(queue, to.shape, type);
  const numbers = work.dense(queue, indices, {
    shape: indices.shape,
    dtype: dtype('int64'),
    path: 'indices',
  });
  const { length, count, outer, rowBytes } = counts;
  const unit = unitOf(rowBytes, source, target);
  const inner = rowBytes / unit;
  const values = { source: asBytes(source), indices: flat(numbers), target: asBytes(target) };
  work.launch(kernels.takeRows, outer * count * inner, { ...values, length, count, inner, unit });
  if (target !== to) work.copy(to, target);
}

/** Requests both in JavaScript memory: the elements, and the indices as int64. */
export function downloaded<A extends BackendArray>(
  work: Work<A>,
  array: ArrayDescriptor,
  indices: ArrayDescriptor,
): [array: ArrayDescriptor, indices: ArrayDescriptor] {
  return [
    work.download(array, array.shape, array.dtype),
    work.download(indices, indices.shape, dtype('int64')),
  ];
}

/** Whether the backend runs the kernels of this folder. All others compute in JavaScript. */
export function hasCode({ backend }: Maker): boolean {
  return Object.hasOwn(kernels.putRows.code, backend.name);
}

/** How an array is rows along an axis. */
export function countsOf(
  { shape, itemsize }: ArrayDescriptor,
  indices: ArrayDescriptor,
  axis: number,
): javascript.Rows {
  return {
    length: shape[axis] as number,
    count: indices.size,
    outer: sizeOf(shape.slice(0, axis)),
    rowBytes: sizeOf(shape.slice(axis + 1)) * itemsize,
  };
}

/** The most bytes that a kernel moves at a time: they divide a row and all addresses. */
export function unitOf(rowBytes: number, ...arrays: readonly ArrayDescriptor[]): number {
  const low = arrays.reduce((all, array) => {
    const { pointer } = (memoryOf(array.owner) as Memory).onDevice(array);
    return all | Number(BigInt.asUintN(4, pointer));
  }, rowBytes % 16);
  return [16, 8, 4, 2].find((unit) => low % unit === 0) ?? 1;
}

/** A dense array as its bytes. */
export function asBytes(array: ArrayDescriptor): ArrayDescriptor {
  return replace(array, {
    shape: [array.nbytes],
    byteStrides: [1] as never,
    dtype: dtype('uint8'),
    readOnly: false,
  });
}

/** A dense array with one axis. */
export function flat(array: ArrayDescriptor): ArrayDescriptor {
  return replace(array, { shape: [array.size], byteStrides: [array.itemsize] as never });
}
