import type { ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import type { Described } from '../values/describe-value.js';
import type { Location } from '../values/location.js';

/** What `inspect --json` prints for a value that was accepted, in that order. */
export function report({ protocol, version, array }: Described, location: Location): object {
  return {
    ok: true,
    ...placed(location),
    protocol,
    version,
    pointer: String(array.pointer),
    shape: array.shape,
    byteStrides: array.byteStrides,
    elementStrides: array.elementStrides,
    itemsize: array.itemsize,
    kind: array.dtype.kind,
    byteOrder: array.dtype.byteOrder,
    typestr: array.dtype.typestr,
    size: array.size,
    nbytes: array.nbytes,
    readOnly: array.readOnly,
    stream: array.stream === null ? null : String(array.stream),
    contiguous: array.contiguous,
    extent: array.extent,
    base: reportBase(array),
    fields: reportFields(array),
    mask: array.mask === null ? null : { kind: array.mask.dtype.kind, shape: array.mask.shape },
  };
}

/** What `--json` prints for a value, or a copy, that was refused. */
export function reportError(
  { code, path, message }: ArrayInterfaceError,
  location?: Location,
): object {
  return { ok: false, ...(location && placed(location)), error: { code, path, message } };
}

function placed({ file, line, index }: Location): object {
  return { file, line, index };
}

function reportBase({ base }: ArrayDescriptor): object | null {
  return base === null
    ? null
    : { pointer: String(base.pointer), elementOffset: base.elementOffset };
}

function reportFields({ dtype }: ArrayDescriptor): object[] | null {
  if (dtype.fields === null) return null;
  return dtype.fields.map(({ name, offset, itemsize }) => ({ name, offset, itemsize }));
}
