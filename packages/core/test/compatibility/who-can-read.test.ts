import { describe, expect, it } from 'vitest';
import { CONSUMERS } from '../../src/compatibility/consumers.js';
import { RULES, type Rule } from '../../src/compatibility/rules.js';
import { whoCanRead } from '../../src/compatibility/who-can-read.js';
import {
  type ArrayDescriptor,
  type DescriptorInit,
  type DTypeText,
  fromArrayInterface,
  fromCudaArrayInterface,
  makeDescriptor,
} from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';

const make = (changes: Partial<DescriptorInit> = {}) =>
  makeDescriptor({
    pointer: 4096n,
    shape: [2, 3],
    dtype: 'float32',
    syclobj: 'opencl:cpu:0',
    ...changes,
  });
const all = (...dtypes: DTypeText[]) => dtypes.map((dtype) => make({ dtype }));
const record = (descr: unknown, itemsize: number) =>
  fromArrayInterface({
    version: 3,
    shape: [2],
    typestr: `|V${itemsize}`,
    descr,
    data: [4096n, false],
  });

/** For each rule, arrays that keep it and arrays that break it. */
const examples = (): Record<Rule, { keep: ArrayDescriptor[]; break: ArrayDescriptor[] }> => ({
  noMask: { keep: [make()], break: [make({ mask: make({ dtype: 'bool' }) })] },
  noStream: { keep: [make()], break: [make({ stream: 7n })] },
  noDefaultStream: {
    keep: [make(), make({ stream: 3n })],
    break: [make({ stream: 1n }), make({ stream: 2n })],
  },
  writable: { keep: [make()], break: [make({ readOnly: true })] },
  version2: { keep: [make()], break: [] },
  version3: { keep: [make()], break: [] },
  nativeByteOrder: {
    keep: [make(), make({ dtype: '|u1' }), record([['a', '>f4']], 4)],
    break: [make({ dtype: '>f4' })],
  },
  nativeFields: {
    keep: [make({ dtype: '>f4' }), record([['a', '<f4']], 4), record([['a', '|u1']], 1)],
    break: [record([['a', '>f4']], 4), record([['p', [['a', '>f4']]]], 4)],
  },
  noFields: { keep: [make({ dtype: '|V4' })], break: [record([['a', '<f4']], 4)] },
  paddingNames: {
    keep: [
      make(),
      record(
        [
          ['f0', '<f4'],
          ['', '|V4'],
        ],
        8,
      ),
      record(
        [
          ['f1', '<f4'],
          ['b', '|V4'],
        ],
        8,
      ),
    ],
    break: [
      record(
        [
          ['f1', '<f4'],
          ['', '|V4'],
        ],
        8,
      ),
      record(
        [
          [['f1', 'a'], '<f4'],
          ['', '|V4'],
        ],
        8,
      ),
      record(
        [
          [
            'p',
            [
              ['f1', '<f4'],
              ['', '|V4'],
            ],
          ],
        ],
        8,
      ),
    ],
  },
  someBytes: { keep: [make()], break: [make({ dtype: '|V0' })] },
  noUnit: { keep: [make({ dtype: '<M8' })], break: [make({ dtype: '<M8[ns]' })] },
  noText: { keep: [make({ dtype: '|S4' })], break: [make({ dtype: '<U2' })] },
  textInCOrder: {
    keep: [make({ dtype: '<U2' }), make({ byteStrides: [4, 8] })],
    break: [make({ dtype: '<U2', byteStrides: [8, 16] })],
  },
  numbers: {
    keep: all('|b1', '|i1', '<u8', '<f2', '>f8', '<c16'),
    break: all('<f16', '<c32', '<M8[s]', '|S1', '|V2', '<U1'),
  },
  realNumbers: {
    keep: all('|b1', '|i1', '<u8', '<f2', '>f8'),
    break: all('<f16', '<c8', '<M8[s]', '|V2'),
  },
  columnOfNumbers: {
    keep: all('|b1', '<i8', '<f4', '<f8', '<M8[ns]', '<m8[s]'),
    break: all('<f2', '<f16', '<c8', '<M8', '<M8[D]', '<M8[25s]', '|V2'),
  },
  numbersDatesOrRecords: {
    keep: all('<f4', '<c16', '<M8[D]', '<m8', '|V3'),
    break: all('<f16', '|S3', '<U1'),
  },
  wholeElements: {
    keep: [make({ byteStrides: [-24, 8] }), make({ shape: [1, 3], byteStrides: [13, 4] })],
    break: [make({ byteStrides: [13, 4] })],
  },
  forward: {
    keep: [
      make({ byteStrides: [0, 4] }),
      make({ shape: [1, 3], byteStrides: [-12, 8] }),
      make({ shape: [0, 3], byteStrides: [-12, 4] }),
    ],
    break: [make({ byteStrides: [-12, 4] })],
  },
  cOrder: {
    keep: [make(), make({ shape: [0, 3] })],
    break: [make({ byteStrides: [4, 8] }), make({ byteStrides: [24, 4] })],
  },
  cOrFortranOrder: {
    keep: [make(), make({ byteStrides: [4, 8] })],
    break: [make({ byteStrides: [24, 4] }), make({ shape: [2, 2, 2], byteStrides: [8, 16, 4] })],
  },
  permuted: {
    keep: [
      make({ byteStrides: [4, 8] }),
      make({ shape: [2, 2, 2], byteStrides: [8, 16, 4] }),
      make({ shape: [2, 1, 3], byteStrides: [12, 5, 4] }),
      make({ shape: [2, 0], byteStrides: [5, 7] }),
    ],
    break: [
      make({ byteStrides: [24, 4] }),
      make({ byteStrides: [-12, 4] }),
      make({ byteStrides: [0, 4] }),
    ],
  },
  dense: {
    keep: [make({ byteStrides: [-12, 4] }), make({ byteStrides: [4, 8] })],
    break: [make({ byteStrides: [24, 4] }), make({ byteStrides: [0, 4] })],
  },
  someAxis: { keep: [make()], break: [make({ shape: [] })] },
  oneAxis: { keep: [make({ shape: [3] })], break: [make(), make({ shape: [] })] },
  countable: {
    keep: [make({ shape: [0, 2 ** 30, 2 ** 30] })],
    break: [make({ shape: [0, 2 ** 31, 2 ** 30] })],
  },
  aligned64: {
    keep: [make(), make({ pointer: 64n }), make({ pointer: 4100n, shape: [0] })],
    break: [4n, 16n, 32n, 63n].map((more) => make({ pointer: 4096n + more })),
  },
  within32Bits: {
    keep: all('|b1', '<u4', '<f2', '<c8', 'bfloat16'),
    break: all('<i8', '<u8', '<f8', '<c16'),
  },
  numbersOrSmallFloats: {
    keep: all('|b1', '<u8', '<c16', 'bfloat16', 'float8_e4m3', 'float8_e8m0fnu'),
    break: all('complex32', 'float6_e2m3fn', 'float4_e2m1fn', 'float4_e2m1fn_x2', '|V2'),
  },
  numbersOfPyTorch: {
    keep: all('|b1', '<u8', '<c16', 'complex32', 'bfloat16', 'float8_e5m2', 'float4_e2m1fn_x2'),
    break: all('float8_e4m3', 'float8_e3m4', 'float6_e3m2fn', 'float4_e2m1fn', '|V2'),
  },
  numbersButComplex32: {
    keep: all('|b1', '<f16', '<c32', 'bfloat16', 'float4_e2m1fn_x2'),
    break: all('complex32', '|V4', '|S3', '<U1', '<M8[s]'),
  },
});

describe('the rules', () => {
  it.each(Object.keys(RULES) as Rule[])('%s is kept and broken', (name) => {
    const { keeps, expected, cure } = RULES[name];
    const { keep, break: broken } = examples()[name];
    for (const array of keep) expect(keeps(array, 3), String(array)).toBe(true);
    for (const array of broken) expect(keeps(array, 3), String(array)).toBe(false);
    expect(expected).toMatch(/^[^;.]{5,}$/);
    expect(cure).toMatch(/^[^;.]{5,}$/);
  });

  it.each([
    ['version2', [false, false, true, true]],
    ['version3', [false, false, false, true]],
  ] as const)('%s looks at the version that is written', (name, kept) => {
    expect([0, 1, 2, 3].map((version) => RULES[name].keeps(make(), version))).toEqual(kept);
  });

  it('say what is lost if a consumer ignores them', () => {
    const overlooked = new Set(CONSUMERS.flatMap(({ overlooks }) => overlooks));
    const named = (Object.keys(RULES) as Rule[]).filter((name) => RULES[name].lost !== undefined);
    expect(named.sort()).toEqual([...overlooked].sort());
  });

  it('each belongs to a consumer', () => {
    const named = new Set(CONSUMERS.flatMap(({ needs, overlooks }) => [...needs, ...overlooks]));
    expect([...named].sort()).toEqual(Object.keys(RULES).sort());
  });
});

describe('the rules of libraries that cannot be run here', () => {
  const column = (changes: Partial<DescriptorInit> = {}) => make({ shape: [3], ...changes });
  const broken = {
    noMask: column({ mask: column({ dtype: 'bool' }) }),
    noStream: column({ stream: 7n }),
    writable: column({ readOnly: true }),
    nativeByteOrder: column({ dtype: '>f4' }),
    nativeFields: record([['a', '>f4']], 4),
    numbers: column({ dtype: '<f16' }),
    realNumbers: column({ dtype: '<c8' }),
    columnOfNumbers: column({ dtype: '<f2' }),
    numbersDatesOrRecords: column({ dtype: '|S3' }),
    wholeElements: column({ byteStrides: [6] }),
    forward: column({ byteStrides: [-4] }),
    cOrder: column({ byteStrides: [8] }),
    someAxis: make({ shape: [] }),
    oneAxis: make(),
    numbersOfPyTorch: column({ dtype: 'float6_e2m3fn' }),
  };
  /** Written down apart from the table, from their sources, or as they were tried. */
  const READ = {
    CuPy: {
      refuses: ['noMask', 'nativeByteOrder', 'numbersDatesOrRecords'],
      ignores: ['writable', 'nativeFields'],
    },
    PyTorch: {
      refuses: ['numbers', 'wholeElements', 'writable'],
      ignores: ['noMask', 'noStream', 'nativeByteOrder', 'forward'],
    },
    DALI: { refuses: ['noMask', 'cOrder', 'realNumbers'], ignores: ['writable'] },
    cuDF: {
      refuses: ['nativeByteOrder', 'someAxis', 'columnOfNumbers'],
      ignores: ['noStream', 'writable'],
    },
    RMM: { refuses: ['oneAxis', 'cOrder'], ignores: ['noMask', 'noStream'] },
    'PyTorch on the CPU': { refuses: ['numbersOfPyTorch', 'forward'], ignores: ['writable'] },
  } as const;

  it('are all written down here', () => {
    const known = CONSUMERS.filter((one) => one.known === 'source').map(({ name }) => name);
    expect(known.sort()).toEqual(Object.keys(READ).sort());
  });

  // The first rule that an array breaks is the one that is reported.
  it.each(Object.entries(READ))('%s has no others, in the order of its source', (name, read) => {
    const one = CONSUMERS.find((consumer) => consumer.name === name);
    expect([one?.needs, one?.overlooks]).toEqual([read.refuses, read.ignores]);
  });

  it.each(Object.entries(READ))('%s has them', (name, { refuses, ignores }) => {
    const verdict = (rule: keyof typeof broken) =>
      whoCanRead(broken[rule]).find((one) => one.name === name);
    for (const rule of refuses) expect(verdict(rule), rule).toMatchObject({ breaks: rule });
    for (const rule of ignores) {
      expect(verdict(rule), rule).toMatchObject({ takes: true, ignores: [rule] });
    }
  });
});

describe('whoCanRead', () => {
  const takers = (array: ArrayDescriptor, options = {}) =>
    whoCanRead(array, options)
      .filter(({ takes }) => takes)
      .map(({ name }) => name);

  it('knows these consumers', () => {
    const others = 'CuPy DALI NumPy Numba PyCUDA RMM cuDF cuda.core dpctl dpnp'.split(' ');
    const both = ['JAX', 'PyArrow', 'PyTorch', 'mpi4py'].flatMap((name) => [
      name,
      `${name} on the CPU`,
    ]);
    const known = CONSUMERS.map(({ name }) => name);
    expect(known.sort()).toEqual([...others, ...both].sort());
  });

  it('says that all of them take a plain column', () => {
    expect(takers(make({ shape: [3] }))).toEqual(CONSUMERS.map(({ name }) => name));
  });

  it('says which rule is broken, what to do, and what is ignored', () => {
    const report = whoCanRead(make({ readOnly: true, byteStrides: [-12, 4] }));
    const of = (name: string) => report.find((it) => it.name === name);
    expect(of('PyTorch')).toMatchObject({
      version: '2.15',
      protocol: 'cuda',
      takes: false,
      breaks: 'writable',
      why: 'expects a writable array; copy it first',
      ignores: [],
    });
    expect(of('Numba')).toMatchObject({
      takes: true,
      breaks: null,
      why: null,
      ignores: ['writable'],
    });
    expect(of('dpnp')).toMatchObject({ takes: false, breaks: 'forward' });
  });

  it('says what JAX copies in the process, and what it refuses', () => {
    const jax = (changes: Partial<DescriptorInit>) =>
      whoCanRead(make(changes)).find(({ name }) => name === 'JAX on the CPU');
    expect(jax({})).toMatchObject({ protocol: 'dlpack', takes: true, ignores: [] });
    expect(jax({ pointer: 4112n })).toMatchObject({
      takes: true,
      ignores: ['aligned64'],
      loses: ['later changes (it copies what is not aligned to 64 bytes)'],
    });
    expect(jax({ dtype: 'float64' })).toMatchObject({ takes: true, ignores: ['within32Bits'] });
    expect(jax({ readOnly: true })).toMatchObject({ takes: false, breaks: 'writable' });
    expect(jax({ byteStrides: [24, 4] })).toMatchObject({ takes: false, breaks: 'permuted' });
    expect(jax({ dtype: '<M8[s]' })).toMatchObject({ takes: false, breaks: 'protocol' });
    expect(jax({ buffer: new ArrayBuffer(24), pointer: 0n })).toMatchObject({ breaks: 'protocol' });
  });

  it('knows what a Python buffer cannot hold', () => {
    const arrow = (changes: Partial<DescriptorInit>) =>
      whoCanRead(make(changes)).find(({ name }) => name === 'PyArrow on the CPU');
    expect(arrow({ dtype: '>M8[s]', readOnly: true })).toMatchObject({ takes: true, ignores: [] });
    for (const changes of [
      { mask: make({ dtype: 'bool' }) },
      { stream: 1n },
      { buffer: new ArrayBuffer(24), pointer: 0n },
    ]) {
      expect(arrow(changes)).toMatchObject({ takes: false, breaks: 'protocol' });
    }
  });

  it('names the protocol if no dict can hold the array', () => {
    const report = whoCanRead(make({ stream: 5n, syclobj: null }));
    const broken = report.filter(({ breaks }) => breaks === 'protocol');
    expect(broken.map(({ name }) => name)).toEqual([
      ...['NumPy', 'dpctl', 'dpnp', 'JAX on the CPU', 'PyTorch on the CPU'],
      ...['PyArrow on the CPU', 'mpi4py on the CPU'],
    ]);
    for (const { takes, why } of broken) {
      expect(takes).toBe(false);
      expect(why).toMatch(/^expected no pending work, .* got stream 5/);
    }
  });

  it('judges what would be written with the options', () => {
    const array = make({ syclobj: null });
    expect(takers(array)).not.toContain('dpctl');
    expect(takers(array, { syclobj: 'cpu' })).toContain('dpctl');
    expect(takers(array, { version: 2 })).not.toContain('cuda.core');
    expect(takers(array, { version: 1 })).not.toContain('JAX');
    expect(takers(array, { version: 1 })).toContain('Numba');
  });

  it.each([
    ['host', ['dlpack', 'buffer', 'host']],
    ['cuda', ['cuda']],
    ['sycl', ['sycl']],
  ] as const)('lets only consumers of %s memory take what is there', (memory, own) => {
    const isOwn = (protocol: string) => (own as readonly string[]).includes(protocol);
    const all = whoCanRead(make({ shape: [3] }));
    for (const [index, one] of whoCanRead(make({ shape: [3] }), { memory }).entries()) {
      if (isOwn(one.protocol)) expect(one).toEqual(all[index]);
      else expect(one).toMatchObject({ name: all[index]?.name, takes: false, breaks: 'memory' });
    }
    const broken = whoCanRead(make({ readOnly: true, byteStrides: [-12, 4] }), { memory });
    for (const { protocol, breaks } of broken) expect(breaks === 'memory').toBe(!isOwn(protocol));
  });

  it('names the memory that a consumer reads, and the one that the array is in', () => {
    const why = (memory: 'host' | 'cuda' | 'sycl', name: string) =>
      whoCanRead(make(), { memory }).find((one) => one.name === name)?.why;
    expect(why('host', 'CuPy')).toBe('expects CUDA memory, got host memory; copy it there first');
    expect(why('cuda', 'dpctl')).toMatch(/^expects memory of SYCL, got CUDA memory; /);
    expect(why('sycl', 'NumPy')).toMatch(/^expects host memory, got memory of SYCL; /);
  });

  it.each([null, 'gpu', 'toString', {}, 1])('knows no memory called %j', (memory) => {
    expectRefusal(() => whoCanRead(make(), { memory: memory as never }), 'ERR_ARGUMENT', 'memory');
  });

  it('requires a descriptor and an existing version', () => {
    expectRefusal(() => whoCanRead({} as never), 'ERR_TYPE', 'array');
    expectRefusal(() => whoCanRead(make(), { version: 4 as never }), 'ERR_VERSION', 'version');
  });

  it('works for what comes from a producer', () => {
    const array = fromCudaArrayInterface({
      version: 3,
      shape: [2, 3],
      typestr: '>f4',
      data: [4096, false],
    });
    const torch = whoCanRead(array).find(({ name }) => name === 'PyTorch');
    expect(torch).toMatchObject({ takes: true, ignores: ['nativeByteOrder'] });
  });
});
