import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DecodedDLPack,
  DLPACK_DEVICES,
  type DLPackEncodeOptions,
  type DLPackFields,
  type DLPackStruct,
  decodeDLPack,
  decodeDLPackDeleter,
  encodeDLPack,
  fromDLPack,
  toDLPack,
} from '../../src/dlpack/index.js';
import { isArrayInterfaceError, makeDescriptor } from '../../src/index.js';
import { expectRefusal, refusal } from '../support/refusal.js';
import { ForeignMemory, hex } from './foreign-memory.js';

// As a C compiler lays out dlpack.h: in testing/peers and testing/ffi, others read and write them.
const TENSOR = `
  0800000001000000 // data
  0200000003000000 // device: CUDA, the fourth
  02000000         // ndim
  02 20 0100       // dtype: one float of 32 bits
  5010000000000000 // shape
  6010000000000000 // strides
  1800000000000000 // byte_offset`;
const LISTS = `
  0200000000000000 0300000000000000
  fdffffffffffffff 0100000000000000`;
const MANAGER = `
  0000000000000080 // manager_ctx
  efcdab8967452301 // deleter`;
const STRUCTS: Readonly<Record<DLPackStruct, string>> = {
  DLTensor: TENSOR.replace('5010', '3010').replace('6010', '4010'),
  DLManagedTensor: TENSOR.replace('5010', '4010').replace('6010', '5010') + MANAGER,
  DLManagedTensorVersioned: `
    01000000 03000000 // version${MANAGER}
    0700000000000000  // flags${TENSOR}`,
};
const FIELDS: DLPackFields = {
  version: { major: 1, minor: 3 },
  readOnly: true,
  copied: true,
  subBytePadded: true,
  data: 0x100000008n,
  byteOffset: 24n,
  device: { type: 2, id: 3 },
  dtype: { code: 2, bits: 32, lanes: 1 },
  shape: [2, 3],
  elementStrides: [-3, 1],
};
const NO_FLAGS = { version: null, readOnly: false, copied: false, subBytePadded: false };
const MANAGED = { managerCtx: 1n << 63n, deleter: 0x0123456789abcdefn };
const CASES: readonly (readonly [DLPackStruct, DecodedDLPack])[] = [
  ['DLTensor', { ...FIELDS, ...NO_FLAGS, managerCtx: 0n, deleter: 0n }],
  ['DLManagedTensor', { ...FIELDS, ...NO_FLAGS, ...MANAGED }],
  ['DLManagedTensorVersioned', { ...FIELDS, ...MANAGED }],
];
const START = 0x1000n;

describe.each(CASES)('a %s', (struct, held) => {
  const bytes = hex(STRUCTS[struct] + LISTS);

  it('is read', () => {
    const memory = new ForeignMemory([START, bytes]);
    expect(decodeDLPack(START, { struct, read: memory.read })).toEqual(held);
    expect(memory.asked).toBe(bytes.length);
  });

  it('is written', () => {
    const { managerCtx, deleter, ...fields } = held;
    const options = { struct, address: START, managerCtx, deleter };
    expect(encodeDLPack(fields, options)).toEqual(bytes);
  });

  it('comes back as it was written, whatever its layout', () => {
    const axis = fc.tuple(fc.nat({ max: 5 }), fc.integer({ min: -9, max: 9 }));
    const large = { max: 2n ** 64n - 1n };
    const property = fc.property(
      fc.array(axis, { maxLength: 64 }),
      fc.record({
        managerCtx: fc.bigInt({ min: 0n, ...large }),
        deleter: fc.bigInt({ min: 0n, ...large }),
      }),
      fc.bigInt({ min: 1n, max: 2n ** 60n }).map((words) => words * 8n),
      (axes, given, address) => {
        const manager = struct === 'DLTensor' ? { managerCtx: 0n, deleter: 0n } : given;
        const fields: DLPackFields = {
          ...held,
          ...{
            shape: axes.map(([length]) => length),
            elementStrides: axes.map(([, step]) => step),
          },
        };
        const written = encodeDLPack(fields, { struct, address, ...manager });
        const { read } = new ForeignMemory([address, written]);
        const back = axes.length === 0 ? { ...fields, elementStrides: null } : fields;
        expect(decodeDLPack(address, { struct, read })).toEqual({ ...back, ...manager });
      },
    );
    fc.assert(property, random(200));
  });

  it.each(Array.from(bytes, (_, length) => length))(
    'is refused if only %i of its bytes exist',
    (length) => {
      const { read } = new ForeignMemory([START, bytes.subarray(0, length)]);
      const error = refusal(() => decodeDLPack(START, { struct, read }));
      expect(error.code).toBe('ERR_OUT_OF_BOUNDS');
      expect(error.reason).toMatch(/^expected read to return \d+ bytes, got \d+$/);
    },
  );

  it('with any bytes, says which field is wrong, and is read nowhere else', () => {
    const change = fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 0, max: 255 }));
    const paths = /^(version\.major|dl_tensor\.(ndim|(shape|strides)(\[\d+\])?)|dl_tensor)$/;
    let refused = 0;
    const property = fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const wrong = bytes.slice();
      for (const [place, byte] of changes) wrong[place] = byte;
      const memory = new ForeignMemory([START, wrong]);
      const decoded = orRefusal(() => decodeDLPack(START, { struct, read: memory.read }));
      expect(memory.asked).toBeLessThanOrEqual(80 + 2 * 8 * 64);
      if (isArrayInterfaceError(decoded)) {
        expect(decoded.path).toMatch(paths);
        refused++;
      } else {
        orRefusal(() => fromDLPack(decoded));
        orRefusal(() => encodeDLPack(decoded as DLPackFields, { struct, address: START }));
      }
    });
    fc.assert(property, random(2000));
    expect(refused).toBeGreaterThan(0);
  });
});

/** What it returns, or the ArrayInterfaceError that it throws. */
function orRefusal(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (isArrayInterfaceError(error)) return error;
    throw error;
  }
}

/** The versioned struct with some of its bytes changed: hexadecimal digits by their offsets. */
function changed(changes: Readonly<Record<number, string>>): ForeignMemory {
  const bytes = hex(STRUCTS.DLManagedTensorVersioned + LISTS);
  for (const [offset, digits] of Object.entries(changes)) bytes.set(hex(digits), Number(offset));
  return new ForeignMemory([START, bytes]);
}
const decoded = (changes: Readonly<Record<number, string>>) =>
  decodeDLPack(START, { read: changed(changes).read });

const NULL = '0000000000000000';

describe('decodeDLPack', () => {
  it('returns what fromDLPack reads', () => {
    expect(fromDLPack(decoded({ 24: '00' }))).toMatchObject({
      pointer: 0x100000020n,
      shape: [2, 3],
      byteStrides: [-12, 4],
      readOnly: false,
    });
    const array = makeDescriptor({ pointer: 4096n, shape: [4], dtype: 'float6_e2m3fn' });
    const fields = toDLPack(array, { device: { type: DLPACK_DEVICES.cpu, id: 0 } });
    const { read } = new ForeignMemory([START, encodeDLPack(fields, { address: START })]);
    expect(fromDLPack(decodeDLPack(START, { read }))).toEqual(array);
  });

  it.each([
    ['00', { readOnly: false, copied: false, subBytePadded: false }],
    ['01', { readOnly: true, copied: false, subBytePadded: false }],
    ['02', { readOnly: false, copied: true, subBytePadded: false }],
    ['04', { readOnly: false, copied: false, subBytePadded: true }],
    ['f8ffffffffffffff', { readOnly: false, copied: false, subBytePadded: false }],
  ])('reads the flags %s', (digits, flags) => {
    expect(decoded({ 24: digits })).toMatchObject(flags);
  });

  it('reads a later minor version, and touches nothing of another major one', () => {
    expect(decoded({ 4: 'ffffffff' }).version).toEqual({ major: 1, minor: 2 ** 32 - 1 });
    for (const major of ['00', '02']) {
      const memory = changed({ 0: major });
      const act = () => decodeDLPack(START, { read: memory.read });
      expectRefusal(act, 'ERR_VERSION', 'version.major');
      expect(refusal(act).message).toContain('decodeDLPackDeleter');
      memory.asked = 0;
      refusal(act);
      expect(memory.asked).toBe(8);
      expect(decodeDLPackDeleter(START, { read: memory.read })).toBe(MANAGED.deleter);
    }
  });

  it('takes NULL strides as C order only before 1.2', () => {
    const without = { 64: NULL };
    for (const minor of ['00', '01']) {
      const { elementStrides, version } = decoded({ ...without, 4: minor });
      expect({ elementStrides, version }).toEqual({
        elementStrides: null,
        version: { major: 1, minor: Number(minor) },
      });
    }
    for (const minor of ['02', '03', 'ff']) {
      const act = () => decoded({ ...without, 4: minor });
      expectRefusal(act, 'ERR_NULL_POINTER', 'dl_tensor.strides');
    }
    const older = hex(STRUCTS.DLManagedTensor + LISTS);
    older.set(hex(NULL), 32);
    const { read } = new ForeignMemory([START, older]);
    expect(decodeDLPack(START, { struct: 'DLManagedTensor', read }).elementStrides).toBeNull();
  });

  it('needs neither shape nor strides without axes', () => {
    const none = decoded({ 48: '00000000', 56: NULL, 64: NULL });
    expect(none).toMatchObject({ shape: [], elementStrides: null });
    const wild = decoded({ 48: '00000000', 56: 'ffffffffffffffff', 64: 'ffffffffffffffff' });
    expect(wild).toMatchObject({ shape: [], elementStrides: [] });
  });

  it.each([
    [{ 48: 'ffffffff' }, 'ERR_RANK_MISMATCH', 'dl_tensor.ndim'],
    [{ 48: '41000000' }, 'ERR_RANK_MISMATCH', 'dl_tensor.ndim'],
    [{ 48: 'ffffff7f' }, 'ERR_RANK_MISMATCH', 'dl_tensor.ndim'],
    [{ 56: NULL }, 'ERR_NULL_POINTER', 'dl_tensor.shape'],
    [{ 80: 'ffffffffffffffff' }, 'ERR_NEGATIVE_DIMENSION', 'dl_tensor.shape[0]'],
    [{ 56: 'f8ffffffffffffff' }, 'ERR_OVERFLOW', 'dl_tensor.shape'],
    [{ 56: '0000000000000100' }, 'ERR_OUT_OF_BOUNDS', 'dl_tensor.shape'],
    [{ 88: 'ffffffffffffffff' }, 'ERR_NEGATIVE_DIMENSION', 'dl_tensor.shape[1]'],
    [{ 88: '0000000000002000' }, 'ERR_OVERFLOW', 'dl_tensor.shape[1]'],
    [{ 96: '0000000000000080' }, 'ERR_OVERFLOW', 'dl_tensor.strides[0]'],
    [{ 64: 'f8ffffffffffffff' }, 'ERR_OVERFLOW', 'dl_tensor.strides'],
  ] as const)('refuses %o', (changes, code, path) => {
    expectRefusal(() => decoded(changes), code, path);
  });

  it('leaves the meaning of the fields to fromDLPack', () => {
    const read = (changes: Readonly<Record<number, string>>) => () =>
      fromDLPack(decoded({ 24: '00', ...changes }));
    expectRefusal(read({ 54: '0000' }), 'ERR_DTYPE_UNSUPPORTED', 'dtype');
    expectRefusal(read({ 40: '11000000' }), 'ERR_POINTER_UNKNOWN', 'device.type');
    expectRefusal(read({ 44: 'ffffffff' }), 'ERR_OVERFLOW', 'device.id');
    expectRefusal(read({ 32: NULL, 72: NULL }), 'ERR_NULL_POINTER', 'data');
    expectRefusal(read({ 72: 'ff'.repeat(8) }), 'ERR_OVERFLOW', 'data');
    expectRefusal(read({ 80: 'ffffffffff', 88: 'ffffffffff' }), 'ERR_OVERFLOW', 'shape');
    expectRefusal(read({ 96: 'ffffffffffff0f00' }), 'ERR_OVERFLOW', 'elementStrides[0]');
  });

  it.each([
    ['an address that is none', [0n], 'ERR_NULL_POINTER', 'address'],
    ['an address that is no number', ['here'], 'ERR_TYPE', 'address'],
    ['an address past all', [2n ** 64n], 'ERR_POINTER_RANGE', 'address'],
    ['an address at the end of all', [2n ** 64n - 8n], 'ERR_OVERFLOW', 'version'],
    ['no options', [START, undefined], 'ERR_ARGUMENT', 'read'],
    ['no way to read', [START, {}], 'ERR_ARGUMENT', 'read'],
    ['another option', [START, { reed: 1 }], 'ERR_ARGUMENT', 'reed'],
    ['a struct that is none', [START, { read: 1, struct: 'x' }], 'ERR_ARGUMENT', 'read'],
    ['a struct of another name', [START, { read() {}, struct: 'x' }], 'ERR_ARGUMENT', 'struct'],
    [
      'a struct that is inherited',
      [START, { read() {}, struct: 'toString' }],
      'ERR_ARGUMENT',
      'struct',
    ],
    ['a reader that gives nothing', [START, { read() {} }], 'ERR_ARGUMENT', 'read'],
  ] as const)('refuses %s', (_name, [address, ...rest], code, path) => {
    const decode = decodeDLPack as (...values: unknown[]) => unknown;
    const options = rest.length === 0 ? [{ read: changed({}).read }] : rest;
    expectRefusal(() => decode(address, ...options), code, path);
  });

  it('reports what the reader threw', () => {
    const fault = new RangeError('not mapped');
    const read = (): never => {
      throw fault;
    };
    const error = refusal(() => decodeDLPack(START, { read }));
    expect(error).toMatchObject({ code: 'ERR_ARGUMENT', path: 'read', cause: fault });
  });

  it('takes memory in any form, and more of it than it asked for', () => {
    const bytes = hex(STRUCTS.DLManagedTensorVersioned + LISTS);
    const whole = new Uint8Array(2000);
    whole.set(bytes, 100);
    const at = (address: bigint) => 100 + Number(address - START);
    const forms = [
      (address: bigint) => whole.buffer.slice(at(address)),
      (address: bigint) => new DataView(whole.buffer, at(address)),
      (address: bigint) => whole.subarray(at(address)),
    ];
    for (const read of forms)
      expect(decodeDLPack(START, { read })).toEqual({ ...FIELDS, ...MANAGED });
  });
});

describe('decodeDLPackDeleter', () => {
  it('finds it in every struct that has one', () => {
    for (const [struct] of CASES) {
      const { read } = new ForeignMemory([START, hex(STRUCTS[struct] + LISTS)]);
      const act = () => decodeDLPackDeleter(START, { struct, read });
      if (struct === 'DLTensor') expectRefusal(act, 'ERR_ARGUMENT', 'struct');
      else expect(act()).toBe(MANAGED.deleter);
    }
    expect(decodeDLPackDeleter(START, { read: changed({ 16: NULL }).read })).toBe(0n);
    const none = () => decodeDLPackDeleter(0, { read: changed({}).read });
    expectRefusal(none, 'ERR_NULL_POINTER', 'address');
  });
});

describe('encodeDLPack', () => {
  const encoded = (options: object, fields: object = {}) =>
    encodeDLPack({ ...FIELDS, ...fields }, options as DLPackEncodeOptions);

  it('asks where its bytes are, and writes them there', () => {
    let asked: Uint8Array | null = null;
    const address = (bytes: Uint8Array): number => {
      asked = bytes;
      return Number(START);
    };
    const bytes = encoded({ address, ...MANAGED });
    expect(bytes).toBe(asked);
    expect(bytes).toEqual(hex(STRUCTS.DLManagedTensorVersioned + LISTS));
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });

  it('writes strides if the fields have none, and NULL without axes', () => {
    const { read } = new ForeignMemory([
      START,
      encoded({ address: START }, { elementStrides: null }),
    ]);
    expect(decodeDLPack(START, { read }).elementStrides).toEqual([3, 1]);
    const scalar = encoded(
      { address: START, struct: 'DLTensor' },
      {
        ...NO_FLAGS,
        ...{ shape: [], elementStrides: [] },
      },
    );
    expect(scalar.length).toBe(48);
    expect(scalar.subarray(24, 40)).toEqual(new Uint8Array(16));
  });

  it('writes the version of the fields, and 1.3 if they have none', () => {
    const first = (version: unknown) => encoded({ address: START }, { version }).subarray(0, 8);
    expect(first({ major: 1, minor: 0 })).toEqual(hex('01000000 00000000'));
    expect(first(null)).toEqual(hex('01000000 03000000'));
  });

  it.each([
    [{ address: undefined }, {}, 'ERR_TYPE', 'address'],
    [{ address: 'here' }, {}, 'ERR_TYPE', 'address'],
    [{ address: (): string => 'here' }, {}, 'ERR_TYPE', 'address'],
    [{ address: 0n }, {}, 'ERR_NULL_POINTER', 'address'],
    [{ address: (): number => 0 }, {}, 'ERR_NULL_POINTER', 'address'],
    [{ address: 4100n }, {}, 'ERR_ARGUMENT', 'address'],
    [{ address: 2n ** 64n }, {}, 'ERR_POINTER_RANGE', 'address'],
    [{ address: 2n ** 64n - 8n }, {}, 'ERR_OVERFLOW', 'address'],
    [{ struct: 'DLpack' }, {}, 'ERR_ARGUMENT', 'struct'],
    [{ deleter: -1n }, {}, 'ERR_POINTER_RANGE', 'deleter'],
    [{ managerCtx: 0.5 }, {}, 'ERR_TYPE', 'managerCtx'],
    [{ struct: 'DLTensor', deleter: 8n }, NO_FLAGS, 'ERR_ARGUMENT', 'deleter'],
    [{ struct: 'DLTensor', managerCtx: 8n }, NO_FLAGS, 'ERR_ARGUMENT', 'managerCtx'],
    [{ struct: 'DLTensor' }, { subBytePadded: false }, 'ERR_READ_ONLY', 'readOnly'],
    [{ struct: 'DLManagedTensor' }, {}, 'ERR_READ_ONLY', 'readOnly'],
    [{ struct: 'DLTensor' }, { readOnly: false }, 'ERR_DTYPE_UNSUPPORTED', 'subBytePadded'],
    [{ adress: 8n }, {}, 'ERR_ARGUMENT', 'adress'],
    [{}, { device: { type: 16, id: 0 } }, 'ERR_POINTER_UNKNOWN', 'device.type'],
    [{}, { shape: [2, -3] }, 'ERR_NEGATIVE_DIMENSION', 'shape[1]'],
    [{}, { shape: new Array(65).fill(1), elementStrides: null }, 'ERR_RANK_MISMATCH', 'shape'],
    [{}, { shape: new Array(3).fill(2 ** 53 - 1), elementStrides: null }, 'ERR_OVERFLOW', 'shape'],
    [{}, { elementStrides: [1] }, 'ERR_RANK_MISMATCH', 'elementStrides'],
    [{}, { dtype: { code: 2, bits: 300, lanes: 1 } }, 'ERR_OVERFLOW', 'dtype.bits'],
    [{}, { data: -1n }, 'ERR_POINTER_RANGE', 'data'],
  ] as const)('refuses %o for %o', (options, fields, code, path) => {
    expectRefusal(() => encoded({ address: START, ...options }, fields), code, path);
  });

  it('requires that its bytes stay where they are', () => {
    const address = ({ buffer }: Uint8Array): bigint => {
      structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
      return START;
    };
    expectRefusal(() => encoded({ address }), 'ERR_ARGUMENT', 'address');
  });

  it('reports what the caller’s function threw, and requires options and fields', () => {
    const fault = new Error('mine');
    const address = (): never => {
      throw fault;
    };
    expect(refusal(() => encoded({ address }))).toMatchObject({
      ...{ code: 'ERR_ARGUMENT', path: 'address', cause: fault },
    });
    expectRefusal(() => encodeDLPack(FIELDS, undefined as never), 'ERR_TYPE', 'address');
    const nothing = () => encodeDLPack(null as never, { address: START });
    expectRefusal(nothing, 'ERR_TYPE', 'fields');
  });
});
