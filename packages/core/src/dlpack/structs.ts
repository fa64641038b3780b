import { badArgument } from '../input/argument.js';

/** A struct of dlpack.h. Since DLPack 1.0 arrays are exchanged as `DLManagedTensorVersioned`. */
export type DLPackStruct = 'DLTensor' | 'DLManagedTensor' | 'DLManagedTensorVersioned';

/** Offsets of the parts of a struct, in bytes. Null for a part that it lacks. */
interface Layout {
  readonly byteLength: number;
  /** Offset of its `DLPackVersion`. */
  readonly version: number | null;
  /** Offset of `manager_ctx`, which `deleter` follows. */
  readonly manager: number | null;
  /** Offset of its flags. */
  readonly flags: number | null;
  /** Offset of its `DLTensor`. */
  readonly tensor: number;
}

/** As a C compiler lays them out for 64 bits, little-endian. */
export const LAYOUTS: Readonly<Record<DLPackStruct, Layout>> = {
  DLTensor: { byteLength: 48, version: null, manager: null, flags: null, tensor: 0 },
  DLManagedTensor: { byteLength: 64, version: null, manager: 48, flags: null, tensor: 0 },
  DLManagedTensorVersioned: { byteLength: 80, version: 0, manager: 8, flags: 24, tensor: 32 },
};

/** Offsets of the fields of a `DLTensor`. */
export const TENSOR = {
  data: 0,
  deviceType: 8,
  deviceId: 12,
  ndim: 16,
  code: 20,
  bits: 21,
  lanes: 22,
  shape: 24,
  strides: 32,
  byteOffset: 40,
} as const;

/** Bits of `flags`. */
export const FLAGS = { readOnly: 1n, copied: 2n, subBytePadded: 4n } as const;

/** Reads the option `struct`. Throws ERR_ARGUMENT. */
export function readStruct(value: unknown): DLPackStruct {
  if (value === undefined) return 'DLManagedTensorVersioned';
  const names = Object.keys(LAYOUTS);
  if (typeof value === 'string' && names.includes(value)) return value as DLPackStruct;
  throw badArgument('struct', names.join(' or '), value);
}
