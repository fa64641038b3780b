import { type ArrayDescriptor, isArrayDescriptor, replace } from '../descriptor/descriptor.js';
import { makeDescriptor } from '../descriptor/make-descriptor.js';
import { type MemoryPart, memoryOf } from '../descriptor/memory-part.js';
import { dtype } from '../dtype/read-dtype.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { withSubject } from '../errors/with-subject.js';
import { badArgument, checkOptions, readOption } from '../input/argument.js';
import { asked, guarded } from '../input/dict.js';
import { type Advice, CORE_ADVICE, notAnArray } from '../input/instead-of-array.js';
import { readCuda } from './cuda.js';
import { readHost } from './host.js';
import { outermost } from './mask.js';
import { ATTRIBUTES, type InterfaceDict, type OwnProtocol, type Protocol } from './protocol.js';
import { fromSyclUsmArrayInterface } from './sycl.js';

const PROTOCOLS = Object.keys(ATTRIBUTES) as Protocol[];
const NOTHING = {
  got: 'an object without such an attribute',
  cure: 'check which protocol its library exports',
};

/**
 * Describes an object that exposes one of the interfaces, or JavaScript memory. Copies nothing and
 * does not block.
 *
 * Finds the attribute, reads it and each of its keys once, and keeps the producer as owner.
 * Describes typed arrays, DataViews and buffers as host memory, and returns a descriptor unchanged.
 * Shapes count elements, strides count bytes, and pointers into JavaScript memory count from the
 * start of its buffer.
 *
 * `protocol` names the interface to read if there are several, or is one that core does not know.
 * `readOnly` overrides the flag; false
 * does so only for SUAI. Throws ERR_NO_INTERFACE (none, or several and none named), ERR_ARGUMENT
 * (options) and all that the readers throw. Implements the attribute of CAI v3, SUAI v1 and NumPy's
 * array interface.
 *
 * @example
 * ```ts
 * import { fromProducer } from '@array-interface/core';
 *
 * const row = fromProducer(new Float32Array([1, 2, 3]));
 * console.log(row.shape, row.dtype.typestr); // [ 3 ] <f4
 * ```
 */
export function fromProducer(
  producer: unknown,
  options: { readonly protocol?: Protocol | OwnProtocol; readonly readOnly?: boolean } = {},
): ArrayDescriptor {
  return readProducer(producer, options);
}

/** `fromProducer` for the argument at `path` of a function whose errors give other advice. */
export function readProducer(
  producer: unknown,
  options: NonNullable<Parameters<typeof fromProducer>[1]>,
  path: string | null = null,
  advice?: Advice,
): ArrayDescriptor {
  checkOptions(options, ['protocol', 'readOnly']);
  const protocol = readProtocol(readOption(options, 'protocol'));
  const readOnly = readOption(options, 'readOnly');
  if ((typeof producer !== 'object' && typeof producer !== 'function') || producer === null) {
    const expected = 'an object that exposes an array interface';
    throw notAnArray('ERR_TYPE', path, expected, producer, advice);
  }
  if (isArrayDescriptor(producer)) return withFlag(producer, readOnly);
  if (typeof protocol === 'object') {
    const array = readOwn(producer, protocol);
    if (array === null) throw noInterface(producer, protocol, path, advice);
    return withFlag(array, readOnly);
  }
  const wanted = protocol === undefined ? PROTOCOLS : [protocol];
  const exposed = wanted.filter((one) => exposes(producer, one)); // reads none of them
  const memory = exposed.length === 0 ? memoryOf(producer) : null;
  if (memory !== null && (protocol ?? 'host') === 'host') {
    return withFlag(describeMemory(memory, producer), readOnly);
  }
  if (exposed.length > 1) throw severalInterfaces(exposed, path);
  const found = exposed[0];
  if (found === undefined) throw noInterface(producer, protocol, path, advice);
  const dict = attributeOf(producer, found);
  if (dict === undefined) {
    const expected = `an object with ${ATTRIBUTES[found]}`;
    throw mismatch('ERR_NO_INTERFACE', path, expected, NOTHING.got, NOTHING.cure);
  }
  if (found === 'sycl') {
    return fromSyclUsmArrayInterface(dict as InterfaceDict, {
      owner: producer,
      ...(readOnly === undefined ? {} : { readOnly }),
    });
  }
  const read = found === 'cuda' ? readCuda : readHost;
  const context = outermost(ATTRIBUTES[found], true);
  const array = withSubject(dict, () => read(dict, producer, context));
  return withFlag(array, readOnly);
}

/** The part of a protocol that reads: its properties are read once. */
type Reader = Pick<OwnProtocol, 'attribute' | 'read'>;

function readProtocol(value: unknown): Protocol | Reader | undefined {
  if (value === undefined || PROTOCOLS.includes(value as Protocol)) return value as Protocol;
  const own = guarded('ERR_ARGUMENT', 'protocol', () => readerOf(value));
  if (own !== null) return own;
  throw badArgument('protocol', "'cuda', 'sycl', 'host' or a protocol of your own", value);
}

function readerOf(value: unknown): Reader | null {
  if (typeof value !== 'object' || value === null) return null;
  const { attribute, read } = value as Partial<OwnProtocol>;
  if (typeof attribute !== 'string' || typeof read !== 'function') return null;
  return { attribute, read: (dict, options) => Reflect.apply(read, value, [dict, options]) };
}

/** Returns null if the producer lacks the attribute. */
function readOwn(producer: object, { attribute, read }: Reader): ArrayDescriptor | null {
  const dict = attributeOf(producer, { attribute, read });
  if (dict === undefined) return null;
  const array = withSubject(dict, () =>
    asked('ERR_NO_INTERFACE', attribute, () => read(dict, { owner: producer })),
  );
  if (isArrayDescriptor(array)) return array;
  throw mismatch(
    'ERR_TYPE',
    'protocol',
    'a protocol whose read() returns a descriptor',
    show(array),
  );
}

function attributeName(protocol: Protocol | Reader): string {
  return typeof protocol === 'string' ? ATTRIBUTES[protocol] : protocol.attribute;
}

/**
 * Returns whether an object has the attribute of an interface, without reading it. Throws
 * ERR_NO_INTERFACE.
 */
export function exposes(producer: object, protocol: Protocol | Reader): boolean {
  const name = attributeName(protocol);
  return guarded('ERR_NO_INTERFACE', name, () => name in producer);
}

/** Returns the value of the attribute, or undefined. */
function attributeOf(producer: object, protocol: Protocol | Reader): unknown {
  const name = attributeName(protocol);
  return asked('ERR_NO_INTERFACE', name, () => (producer as Record<string, unknown>)[name]);
}

function describeMemory(memory: MemoryPart, owner: object): ArrayDescriptor {
  const element = dtype(memory.dtype);
  return makeDescriptor({
    pointer: memory.byteOffset,
    shape: [memory.byteLength / element.itemsize],
    dtype: element,
    buffer: memory.buffer,
    owner,
  });
}

/**
 * Returns the same array with the flag that a caller requested. Throws ERR_ARGUMENT for false if
 * the flag is set.
 */
export function withFlag(array: ArrayDescriptor, readOnly: boolean | undefined): ArrayDescriptor {
  if (readOnly === undefined || readOnly === array.readOnly) return array;
  if (readOnly === true) return replace(array, { readOnly });
  throw mismatch(
    'ERR_ARGUMENT',
    'readOnly',
    'true or undefined',
    `${show(readOnly)} for a read-only array`,
    "only a SYCL producer's flag can be overridden",
  );
}

function severalInterfaces(exposed: readonly Protocol[], path: string | null): ArrayInterfaceError {
  const got = exposed.map((one) => ATTRIBUTES[one]).join(' and ');
  const cure = 'name one with the option protocol';
  return mismatch('ERR_NO_INTERFACE', path, 'one interface', got, cure);
}

function noInterface(
  producer: object,
  wanted: Protocol | Reader | undefined,
  path: string | null,
  advice: Advice | undefined,
): ArrayInterfaceError {
  const names =
    wanted === undefined ? Object.values(ATTRIBUTES).join(' or ') : attributeName(wanted);
  const expected = `an object with ${names}`;
  const calls = advice ?? { ...CORE_ADVICE, memory: 'omit the option protocol' };
  return notAnArray('ERR_NO_INTERFACE', path, expected, producer, calls, NOTHING);
}
