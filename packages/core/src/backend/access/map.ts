import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import { sameDType } from '../../dtype/dtype.js';
import { readDType } from '../../dtype/read-dtype.js';
import type { ArrayInterfaceError } from '../../errors/error.js';
import { mismatch } from '../../errors/mismatch.js';
import { showList } from '../../errors/show.js';
import { abortable, throwIfAborted } from '../../input/abort.js';
import { type Checks, checkSignal, readOptions, unchecked } from '../../input/options.js';
import { type TypedArray, typedArray } from '../../numbers/typed-array.js';
import { checkMask } from '../../plan/check-copy.js';
import type { BackendArray } from '../interface/array.js';
import type { Driver } from '../interface/driver.js';
import { letBytesGoBack, mappedRange } from '../interface/mapped-buffers.js';
import type { Memory } from '../interface/memory.js';
import type { MapOptions } from '../interface/options.js';
import { queueFor } from './queue-for.js';
import { settle } from './settle.js';

const MAP_OPTIONS: Checks<MapOptions> = { signal: checkSignal, dtype: unchecked };

/** Implements `BackendArray.asTypedArray`. */
export async function mapBuffer(
  driver: Driver,
  array: BackendArray,
  options: MapOptions,
): Promise<TypedArray> {
  const { signal, dtype } = readOptions(options, MAP_OPTIONS);
  throwIfAborted(signal);
  const { descriptor, memory } = array;
  if (dtype !== undefined) checkDType(descriptor, dtype);
  const empty = checkedEmpty(descriptor);
  if (descriptor.nbytes === 0) return empty;
  checkLayout(descriptor, memory, empty.BYTES_PER_ELEMENT);
  memory.retain();
  try {
    const turned = letBytesGoBack();
    if (turned !== undefined) await turned;
    await abortable(settle(driver, queueFor(driver, memory, undefined), memory), signal);
    memory.assertLive('array');
    memory.assertHolds(descriptor, 'array');
    return elementsIn(driver, memory, descriptor);
  } finally {
    memory.release();
  }
}

/** Throws ERR_ARGUMENT unless the elements have the dtype: nothing is converted. */
function checkDType(array: ArrayDescriptor, wanted: NonNullable<MapOptions['dtype']>): void {
  const dtype = readDType(wanted, 'dtype');
  if (sameDType(array.dtype, dtype)) return;
  const name = dtype.name ?? dtype.typestr;
  throw mismatch(
    'ERR_ARGUMENT',
    'dtype',
    `an array of ${name}`,
    `one of ${array.dtype.name ?? array.dtype.typestr}`,
    `copy it into such an array, or convert with toTypedArray(array, { dtype: '${name}' })`,
  );
}

/**
 * Returns the typed array of no elements of the dtype. Throws ERR_READ_ONLY, ERR_MASK,
 * ERR_BYTE_ORDER, ERR_DTYPE_UNSUPPORTED.
 */
function checkedEmpty(array: ArrayDescriptor): TypedArray {
  if (array.readOnly) {
    throw mismatch(
      'ERR_READ_ONLY',
      'array',
      'a writable array',
      'a read-only one, while typed arrays are always writable',
      COPY,
    );
  }
  checkMask(array, 'array');
  return typedArray(new ArrayBuffer(0), array.dtype);
}

const COPY = 'copy the elements with toTypedArray()';

/** Throws ERR_NOT_ACCESSIBLE for an order other than C and for misaligned elements. */
function checkLayout(array: ArrayDescriptor, memory: Memory, alignment: number): void {
  const { shape, byteStrides, contiguous, pointer } = array;
  const shift = memory.buffer === null ? memory.hostOffset : 0n;
  if (shift === null) {
    const { memoryKind, backend } = memory;
    throw inaccessible(
      'memory that this process can access',
      `${memoryKind} memory of the ${backend.name} backend`,
    );
  }
  if (!contiguous.c) {
    throw inaccessible(
      'elements in C order without gaps',
      `shape ${showList(shape)} with byte strides ${showList(byteStrides)}`,
    );
  }
  const beyond = (offset: bigint) => offset % BigInt(alignment);
  const offset = pointer - (memory.allocation?.pointer ?? pointer);
  if (beyond(pointer + shift) === 0n && beyond(offset) === 0n) return;
  throw inaccessible(
    `elements aligned to ${alignment} bytes`,
    `elements ${beyond(pointer + shift)} bytes past a multiple of that, at byte ${offset} of their memory`,
  );
}

function elementsIn(driver: Driver, memory: Memory, array: ArrayDescriptor): TypedArray {
  const { pointer, nbytes, dtype } = array;
  if (memory.buffer !== null) {
    return typedArray(memory.buffer, dtype, Number(pointer - memory.pointer), nbytes);
  }
  // Memory that was trusted has no range except the array's own.
  const range = memory.allocation ?? { pointer, byteLength: nbytes };
  const buffer = mappedRange(memory, range.pointer, range.byteLength, () => {
    const address = range.pointer + (memory.hostOffset as bigint);
    const made = driver.mapBuffer(memory, address, range.byteLength);
    if (made !== null) return made;
    throw inaccessible(
      'an ArrayBuffer over the memory',
      `none: this Node cannot make one over ${range.byteLength} bytes of external memory`,
    );
  });
  return typedArray(buffer, dtype, Number(pointer - range.pointer), nbytes);
}

function inaccessible(expected: string, got: string): ArrayInterfaceError {
  return mismatch('ERR_NOT_ACCESSIBLE', 'array', expected, got, COPY);
}
