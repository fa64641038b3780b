import { isArrayInterfaceError, makeDescriptor } from '@array-interface/core';
import { DLPACK_DEVICES, encodeDLPack, fromDLPack, toDLPack } from '@array-interface/core/dlpack';
import { afterAll, expect, test } from 'vitest';
import { Python, pythonOf } from './support/python.js';
import { decodePieces, type Exported } from './support/struct-pieces.js';

const python = new Python('dlpack_others', [pythonOf('cuda')], { JAX_PLATFORMS: 'cpu' });
afterAll(() => python[Symbol.asyncDispose]());

// The dtypes of ml_dtypes that arrays of JAX can have.
const NAMES = [
  ...['bfloat16', 'float8_e3m4', 'float8_e4m3', 'float8_e4m3b11fnuz', 'float8_e4m3fn'],
  ...['float8_e4m3fnuz', 'float8_e5m2', 'float8_e5m2fnuz', 'float8_e8m0fnu'],
] as const;

test('the small floats that JAX exports have their names', async () => {
  const exports = await python.call<readonly Exported[]>('of_jax', NAMES);
  const arrays = exports.map((exported) => fromDLPack(decodePieces(exported)));
  expect(arrays.map(({ dtype }) => dtype.name)).toEqual(NAMES);
  for (const { shape, byteStrides, itemsize } of arrays) {
    expect([shape, byteStrides]).toEqual([
      [2, 4],
      [4 * itemsize, itemsize],
    ]);
  }
});

test('four bits are refused in the older struct, which does not say where they are', async () => {
  const [exported] = await python.call<readonly [Exported]>('of_jax', ['float4_e2m1fn']);
  const given = decodePieces(exported);
  expect(given.dtype).toEqual({ code: 17, bits: 4, lanes: 1 });
  const isRefused = expect.toSatisfy((error) =>
    isArrayInterfaceError(error, 'ERR_DTYPE_UNSUPPORTED'),
  );
  expect(() => fromDLPack(given)).toThrow(isRefused);
});

// cuda.core was compiled with dlpack.h 1.3.
test.each([
  ['float32', [2, 3], [-12, 4], false],
  ['int16', [5], [2], true],
  ['complex128', [1, 2, 3, 4], [0, 64, 16, 160], false],
  ['uint8', [], [], true],
] as const)(
  'cuda.core reads the struct of %s of shape %o',
  async (dtype, shape, byteStrides, readOnly) => {
    const array = makeDescriptor({ pointer: 2n ** 40n, shape, dtype, byteStrides, readOnly });
    const [address, deleter] = await python.call<readonly [string, string]>('room');
    const fields = toDLPack(array, { device: { type: DLPACK_DEVICES.cpu, id: 0 } });
    expect(fields.version).toEqual({ major: 1, minor: 3 });
    const bytes = encodeDLPack(fields, { address: BigInt(address), deleter: BigInt(deleter) });
    expect(await python.call('by_cuda_core', Buffer.from(bytes).toString('hex'))).toEqual({
      ...{ pointer: 2 ** 40, shape, dtype, readOnly, deviceAccessible: false, deleted: 1 },
      strides: shape.length === 0 ? null : array.elementStrides,
    });
  },
);
