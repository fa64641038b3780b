import type { ArrayInterfaceError } from '@array-interface/core';
import type { Described } from '../values/describe-value.js';
import type { Location } from '../values/location.js';

/** What `inspect --json` prints for a value that was accepted, in that order. */
export function report({ protocol, version, array }: Described, location: Location): object {
  const { base, dtype, mask, stream } = array;
  return {
    ok: true,
    ...location,
    protocol,
    version,
    pointer: String(array.pointer),
    shape: array.shape,
    byteStrides: array.byteStrides,
    elementStrides: array.elementStrides,
    itemsize: array.itemsize,
    kind: dtype.kind,
    byteOrder: dtype.byteOrder,
    typestr: dtype.typestr,
    size: array.size,
    nbytes: array.nbytes,
    readOnly: array.readOnly,
    stream: stream === null ? null : String(stream),
    contiguous: array.contiguous,
    extent: array.extent,
    base: base && { pointer: String(base.pointer), elementOffset: base.elementOffset },
    fields: dtype.fields?.map(({ name, offset, itemsize }) => ({ name, offset, itemsize })) ?? null,
    mask: mask && { kind: mask.dtype.kind, shape: mask.shape },
  };
}

/** What `--json` prints for a value, or a copy, that was refused. */
export function reportError(
  { code, path, reason }: ArrayInterfaceError,
  location?: Location,
): object {
  return { ok: false, ...location, error: { code, path, message: reason } };
}
