import { expect, it, describe as suite } from 'vitest';
import { decodeDLPack, encodeDLPack, fromDLPack, toDLPack } from '../../src/dlpack/index.js';
import {
  type ArrayDescriptor,
  broadcastShapes,
  dtype,
  dtypesEqual,
  flip,
  fromArrayInterface,
  fromCudaArrayInterface,
  fromProducer,
  fromSyclUsmArrayInterface,
  makeDescriptor,
  permuteDims,
  toArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '../../src/index.js';
import { canCast, resultType } from '../../src/numbers/index.js';
import { deserialize, serialize } from '../../src/serialize/index.js';
import { relayout } from '../../src/views/relayout.js';
import { refusal } from '../support/refusal.js';

// Each refusal word for word: what was expected, what was got, what to do.

const dict = { shape: [2, 3], typestr: '<f4', data: [4096, false] };
const host = (changes: object) => fromArrayInterface({ ...dict, version: 3, ...changes });
const cuda = (changes: object) => fromCudaArrayInterface({ ...dict, version: 3, ...changes });
const sycl = (changes: object) =>
  fromSyclUsmArrayInterface({ ...dict, version: 1, syclobj: 'cpu', ...changes });
const array = (changes: object) =>
  makeDescriptor({ pointer: 4096n, shape: [2, 3], dtype: 'float32', ...changes });
const exposes = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`__${name}__`, { ...dict, version: 3 }]));
const throwing = (...keys: string[]) =>
  new Proxy(
    {},
    {
      has: (_, key) => {
        if (keys.includes(String(key))) throw new Error('mine');
        return false;
      },
      get: (_, key) => {
        if (keys.includes(String(key))) throw new Error('mine');
        return undefined;
      },
    },
  );

const inBuffer = () => array({ pointer: 0n, buffer: new ArrayBuffer(24) });
const bits = () => {
  const typestr = '|t1';
  const given = { __cuda_array_interface__: { ...dict, typestr, version: 3 } };
  return cuda({ mask: given }).mask as ArrayDescriptor;
};
const both = () => ({ byteStrides: [12, 4], elementStrides: [3, 1] }) as never;
const plain = () => serialize(array({}));
const misnamed = () => ({ ...serialize(array({ dtype: 'bfloat16' })), name: 'complex32' }) as never;
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

const CUDA = { device: { type: 2, id: 0 } };
const FOUR_LANES = { code: 2, bits: 32, lanes: 4 };
const FIELDS = {
  version: { major: 1, minor: 1 },
  ...{
    readOnly: false,
    copied: false,
    subBytePadded: false,
    data: 4096n,
    byteOffset: 0n,
    ...CUDA,
    shape: [2],
  },
  dtype: { code: 2, bits: 32, lanes: 1 },
};

/** A struct of DLPack of another major version, with more axes than any array, or cut off. */
const struct = (major: number, byteLength = 80) => {
  const words = new Uint32Array(20).fill(99).fill(major, 0, 1);
  return () => decodeDLPack(4096n, { read: () => words.buffer.slice(0, byteLength) });
};
const writeTensor = (changes: object) => {
  const fields = { ...toDLPack(array({}), CUDA), ...changes };
  return () => encodeDLPack(fields, { struct: 'DLTensor', address: 4096n });
};

const cases: readonly (readonly [string, () => unknown])[] = [
  ['nothing to describe', () => fromProducer({})],
  ['nothing of the wanted protocol', () => fromProducer({}, { protocol: 'sycl' })],
  ['memory, where CUDA is wanted', () => fromProducer(new Uint8Array(1), { protocol: 'cuda' })],
  ['memory, where SYCL is wanted', () => fromProducer(new Uint8Array(1), { protocol: 'sycl' })],
  ['an attribute that is undefined', () => fromProducer({ __array_interface__: undefined })],
  ['two interfaces', () => fromProducer(exposes('array_interface', 'cuda_array_interface'))],
  ['a flag taken away', () => fromProducer(array({ readOnly: true }), { readOnly: false })],
  ['a producer that throws', () => fromProducer(throwing('__cuda_array_interface__'))],
  ['a dict that is a list', () => fromCudaArrayInterface([] as never)],
  ['a dict that is none', () => fromArrayInterface(5 as never)],
  ['a version of CUDA', () => cuda({ version: 9 })],
  ['a version of NumPy', () => host({ version: 2 })],
  ['a key that is missing', () => host({ shape: undefined })],
  ['a shape that is none', () => sycl({ shape: 6 })],
  ['a shape of SUAI with a bad entry', () => sycl({ shape: [2, -3] })],
  ['a shape of NumPy with a bad entry', () => host({ shape: [2, 1.5] })],
  ['too many axes', () => cuda({ shape: Array(65).fill(1) })],
  ['strides that are none', () => host({ strides: 4 })],
  ['too few strides', () => host({ strides: [4] })],
  ['a stride that is rounded', () => host({ strides: [2 ** 53, 4] })],
  ['a stride that is a string', () => sycl({ strides: ['1', 1] })],
  ['too many elements of NumPy', () => host({ shape: [2 ** 30, 2 ** 30] })],
  ['too many elements of SUAI', () => sycl({ shape: [2 ** 30, 2 ** 30] })],
  ['strides of NumPy too far', () => host({ strides: [2 ** 52, 2 ** 52], shape: [3, 3] })],
  ['strides of SUAI too far', () => sycl({ strides: [2 ** 50, 2 ** 50], shape: [3, 3] })],
  ['SUAI below the first address', () => sycl({ data: [8, false], strides: [-3, 1] })],
  ['SUAI below it, by an offset', () => sycl({ data: [8, false], offset: 0, strides: [-3, 1] })],
  ['a pair that is none', () => cuda({ data: 4096 })],
  ['a pair of three', () => cuda({ data: [4096, false, 0] })],
  ['a null pointer of SUAI', () => sycl({ data: [null, false] })],
  ['a null pointer of NumPy', () => host({ data: [null, false] })],
  ['a pointer too far', () => cuda({ data: [2n ** 64n, false] })],
  ['a flag that is a number', () => cuda({ data: [4096, 0] })],
  ['the stream 0', () => cuda({ stream: 0 })],
  ['a buffer that is too short', () => host({ data: new ArrayBuffer(8) })],
  ['a syclobj that is null', () => sycl({ syclobj: null })],
  ['a syclobj that is a number', () => sycl({ syclobj: 0 })],
  ['a selector of another form', () => sycl({ syclobj: 'fpga' })],
  ['a capsule that was used', () => sycl({ syclobj: { name: 'used_SyclQueueRef', pointer: 1n } })],
  ['a capsule without a pointer', () => sycl({ syclobj: { name: 'SyclQueueRef' } })],
  ['a capsule without a name', () => sycl({ syclobj: { pointer: 1n } })],
  ['a capsule named by a number', () => sycl({ syclobj: { name: 1, pointer: 1n } })],
  ['a capsule with a number', () => sycl({ syclobj: { name: 'SyclQueueRef', pointer: 1 } })],
  ['a capsule that throws', () => sycl({ syclobj: throwing('name') })],
  ['a queue that throws', () => sycl({ syclobj: throwing('_get_capsule') })],
  ['a dtype that SUAI has not', () => sycl({ typestr: '<U4' })],
  ['a byte order that SUAI has not', () => sycl({ typestr: '>f4' })],
  ['Python objects', () => cuda({ typestr: '|O' })],
  ['bits outside masks', () => cuda({ typestr: '|t1' })],
  [
    'two bits for each element',
    () => cuda({ mask: { __cuda_array_interface__: { ...dict, typestr: '|t2', version: 3 } } }),
  ],
  ['a typestr of another form', () => cuda({ typestr: 'f4' })],
  ['a mask that is none', () => host({ mask: 1 })],
  ['a mask that throws', () => host({ mask: throwing('__array_interface__') })],
  ['a mask of another shape', () => array({ mask: array({ shape: [2, 2], dtype: 'bool' }) })],
  [
    'a mask of a mask',
    () => array({ mask: array({ dtype: 'bool', mask: array({ dtype: 'bool' }) }) }),
  ],
  [
    'bits that do not follow one another',
    () =>
      cuda({
        mask: {
          __cuda_array_interface__: { ...dict, typestr: '|t1', strides: [3, 2], version: 3 },
        },
      }),
  ],
  ['a descr that is empty', () => host({ typestr: '|V4', descr: [] })],
  [
    'a descr of a plain dtype',
    () =>
      host({
        descr: [
          ['x', '<f4'],
          ['y', '<f4'],
        ],
      }),
  ],
  ['a descr of another size', () => host({ typestr: '|V4', descr: [['x', '<f8']] })],
  ['a field without a name', () => host({ typestr: '|V4', descr: [[1, '<f4']] })],
  ['a title without a name', () => host({ typestr: '|V4', descr: [[['title', 1], '<f4']] })],
  ['a buffer that is none', () => array({ buffer: new Uint8Array(64) })],
  ['a buffer that is nothing', () => array({ buffer: 5 })],
  ['a base with a bad pointer', () => array({ base: { pointer: -1n, elementOffset: 0 } })],
  ['a base with a bad offset', () => array({ base: { pointer: 4096n, elementOffset: 0.5 } })],
  ['a base elsewhere', () => array({ base: { pointer: 0n, elementOffset: 1 } })],
  ['bits to write, which stand in masks only', () => toCudaArrayInterface(bits())],
  ['JavaScript memory to write for CUDA', () => toCudaArrayInterface(inBuffer())],
  ['an option that is not known', () => toCudaArrayInterface(array({}), { verison: 2 } as never)],
  ['options that are none', () => toCudaArrayInterface(array({}), 5 as never)],
  ['options that are null', () => toCudaArrayInterface(array({}), null as never)],
  ['options that throw', () => toCudaArrayInterface(array({}), revoked() as never)],
  ['a first dtype that is none', () => dtypesEqual(5 as never, 'f4')],
  ['a second dtype that is none', () => dtypesEqual('f4', 5 as never)],
  ['a stream that is a thread’s own', () => serialize(array({ stream: 2n }))],
  ['plain data without its buffer', () => deserialize(serialize(inBuffer()))],
  ['plain data with a pointer of words', () => deserialize({ ...plain(), pointer: 'here' })],
  ['plain data with another name', () => deserialize({ ...plain(), name: 'float9' } as never)],
  ['plain data with a name of another size', () => deserialize(misnamed())],
  ['a promise for an array', () => flip(Promise.resolve(array({})) as never)],
  ['nothing for an array', () => flip(undefined as never)],
  ['a number for an array', () => flip(5 as never)],
  ['a list for an array', () => flip([1, 2] as never)],
  ['memory for an array', () => flip(new Float32Array(2) as never)],
  ['data and shape for an array', () => flip({ data: new Uint8Array(2), shape: [2] } as never)],
  [
    'data, shape and strides for an array',
    () => flip({ data: new Uint8Array(2), shape: [2], stride: [1] } as never),
  ],
  ['a producer for an array', () => flip(exposes('cuda_array_interface') as never)],
  ['a dict for an array', () => flip(dict as never)],
  ['a dict of CUDA for an array', () => flip({ ...dict, stream: null } as never)],
  ['a dict of SYCL for an array', () => flip({ ...dict, syclobj: 'cpu' } as never)],
  [
    "another language's object for an array",
    () => flip({ [Symbol.for('array-interface.producer')]: () => null } as never),
  ],
  ['shapes that do not broadcast', () => broadcastShapes([2, 3], [4])],
  ['axes that do not fit', () => flip(array({}), 2)],
  ['axes that are missing', () => permuteDims(array({}), [0])],
  ['operands without a common dtype', () => resultType('float32', 'M8[s]')],
  ['no operands', () => resultType()],
  ['a casting rule that is none', () => canCast('i4', 'f4', 'close' as never)],
  ['another layout outside its source', () => relayout(array({}), { shape: [2, 4] })],
  ['another layout without a shape', () => relayout(array({}), { byteOffset: 4 })],
  ['both strides of another layout', () => relayout(array({}), both())],
  [
    'a dtype that leaves a rest',
    () => relayout(array({ shape: [3] }), { dtype: 'f8', byteOffset: 0 }),
  ],
  ['no array to write', () => toArrayInterface({} as ArrayDescriptor)],
  ['no array to write for SYCL', () => toSyclUsmArrayInterface({} as ArrayDescriptor)],
  [
    'a buffer that is read-only',
    () => toArrayInterface(array({ pointer: 0n, buffer: new ArrayBuffer(24), readOnly: true })),
  ],
  ['no syclobj to write', () => toSyclUsmArrayInterface(array({}))],
  [
    'no syclobj, said so',
    () => toSyclUsmArrayInterface(array({}), { syclobj: undefined } as object),
  ],
  ['a dtype that is none', () => dtype('float3' as 'float32')],
  ['a stream for SUAI', () => toSyclUsmArrayInterface(array({ stream: 3n, syclobj: 'cpu' }))],
  ['a mask for DLPack', () => toDLPack(array({ mask: array({ dtype: 'bool' }) }), CUDA)],
  ['bytes that DLPack has no type for', () => toDLPack(array({ dtype: '|V2' }), CUDA)],
  [
    'a name for bytes of another size',
    () => toDLPack(array({ dtype: '|V2' }), { ...CUDA, dtype: 'float8_e5m2' }),
  ],
  ['fields of DLPack that are none', () => fromDLPack(5)],
  ['a device of DLPack with handles', () => toDLPack(array({}), { device: { type: 4, id: 0 } })],
  ['a dtype of DLPack with lanes', () => fromDLPack({ ...FIELDS, dtype: FOUR_LANES })],
  ['a struct of DLPack of another version', struct(2)],
  ['a struct of DLPack that is cut off', struct(1, 40)],
  ['a struct of DLPack with too many axes', struct(1)],
  ['a read-only array for a DLTensor', writeTensor({ readOnly: true })],
  ['padded elements for a DLTensor', writeTensor({ subBytePadded: true })],
  ['a DLTensor at an odd address', () => encodeDLPack(FIELDS as never, { address: 4095n })],
];

suite('refusals', () => {
  // After a change on purpose: npx vitest run messages -u, and read what git diff says.
  it('are those in test/integration/messages.txt', async () => {
    const said = cases.map(([name, act]) => {
      const { code, path, reason } = refusal(act);
      return `${name}: ${code} at ${path}\n  ${reason}\n`;
    });
    await expect(said.join('')).toMatchFileSnapshot('messages.txt');
  });
});
