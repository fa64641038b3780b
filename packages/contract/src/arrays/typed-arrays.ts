import { fromArrayInterface } from '@array-interface/core';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

const Float16 = (globalThis as { Float16Array?: { from(values: number[]): unknown } }).Float16Array;

/** Three big-endian floats, as in files and network messages. */
function bigEndian() {
  const view = new DataView(new ArrayBuffer(12));
  for (const [index, value] of [1.5, -2, 1e10].entries()) view.setFloat32(index * 4, value);
  return fromArrayInterface({ version: 3, shape: [3], typestr: '>f4', data: view.buffer });
}

/** Reading elements as JavaScript typed arrays. */
export function typedArrays({ backend }: Subject): void {
  describe('typed arrays', () => {
    test('swap big-endian bytes', async () => {
      expect(await backend.toTypedArray(bigEndian())).toEqual(Float32Array.of(1.5, -2, 1e10));
      using array = await backend.array(bigEndian());
      expect(array.dtype.typestr).toBe('>f4');
      expect(await backend.toTypedArray(array)).toEqual(Float32Array.of(1.5, -2, 1e10));
    });

    test('are of type Float16Array for float16 if JavaScript has it, otherwise Float32Array', async () => {
      using halves = await backend.array([1.5, -2], { dtype: 'float16' });
      const expected = Float16 === undefined ? Float32Array.of(1.5, -2) : Float16.from([1.5, -2]);
      expect(await backend.toTypedArray(halves)).toEqual(expected);
      using brains = await backend.array([1.5, -2], { dtype: 'bfloat16' });
      expect(await backend.toTypedArray(brains)).toEqual(Float32Array.of(1.5, -2));
      const bytes = await backend.toTypedArray(brains.view('|V2'));
      expect(bytes).toEqual(Uint8Array.of(0xc0, 0x3f, 0, 0xc0));
    });

    test('have the requested dtype, and its TypeScript type', async () => {
      using array = await backend.array([[1, 2]], { dtype: 'uint8' });
      const floats = await backend.toTypedArray(array, { dtype: 'float64' });
      expectTypeOf(floats).toEqualTypeOf<Float64Array>();
      expect(floats).toEqual(Float64Array.of(1, 2));
      expectTypeOf(
        await backend.toTypedArray(array, { dtype: 'int64' }),
      ).toEqualTypeOf<BigInt64Array>();
      const shorts = await backend.toTypedArray(array, { dtype: '>i2' });
      expect(shorts).toEqual(Int16Array.of(1, 2));
      await refused(() => backend.toTypedArray(floats, { dtype: 'int8' }), 'ERR_CASTING');
      const cut = { dtype: 'int8', casting: 'unsafe' } as const;
      expect(await backend.toTypedArray(Float64Array.of(-1.5, 300), cut)).toEqual(
        Int8Array.of(-1, 127),
      );
    });

    test('can be read from shared buffers, too', async () => {
      const shared = new Int16Array(new SharedArrayBuffer(4));
      shared.set([3, 4]);
      expect(await backend.toTypedArray(shared)).toEqual(Int16Array.of(3, 4));
      using bytes = await backend.array(shared.buffer);
      expect(await backend.toTypedArray(bytes)).toEqual(Uint8Array.of(3, 0, 4, 0));
    });

    test.each([
      [[300.7, -1, NaN], Float64Array.of(300.7, -1, NaN), 'uint8'],
      [[2n ** 40n + 3n, -1n], BigInt64Array.of(2n ** 40n + 3n, -1n), 'uint16'],
      [[1, 0], Float64Array.of(1, 0), 'bool'],
      [[-Infinity, 1e300, -0.5], Float64Array.of(-Infinity, 1e300, -0.5), 'int64'],
      [[-1e300, 2 ** 64, 2 ** 63], Float64Array.of(-1e300, 2 ** 64, 2 ** 63), 'uint64'],
      [[2.5], Float64Array.of(2.5), '>i4'],
    ] as const)('casting `unsafe` means the same for %o and %o', async (list, array, dtype) => {
      const options = { dtype, casting: 'unsafe' } as const;
      using ofList = await backend.array(list, options);
      using ofArray = await backend.array(array, options);
      expect(await backend.toTypedArray(ofList)).toEqual(await backend.toTypedArray(ofArray));
      using filled = backend.empty([2], dtype);
      await backend.fill(filled, list[0], { casting: 'unsafe' });
      using made = await backend.array(array.slice(0, 1), options);
      const [first] = await backend.toTypedArray(made);
      expect([...(await backend.toTypedArray(filled))]).toEqual([first, first]);
    });

    test('a number that fits stays exact under `unsafe`, whatever else is in the list', async () => {
      const options = { casting: 'unsafe' } as const;
      const mixed = [1, 2n ** 53n + 1n, 2.5];
      using ints = await backend.array(mixed, { ...options, dtype: 'int64' });
      expect(await backend.toTypedArray(ints)).toEqual(BigInt64Array.of(1n, 2n ** 53n + 1n, 2n));
      using upper = await backend.array([-1n, 2n ** 63n], { ...options, dtype: 'uint64' });
      expect(await backend.toTypedArray(upper)).toEqual(
        BigUint64Array.of(2n ** 64n - 1n, 2n ** 63n),
      );
    });

    test.each(['float16', 'bfloat16'] as const)(
      'numbers become %s under any rule',
      async (dtype) => {
        for (const casting of ['no', 'safe'] as const) {
          using array = await backend.array([1, 2], { dtype, casting });
          await backend.fill(array, 3, { casting });
          expect([...(await backend.toTypedArray(array, { dtype: 'float32' }))]).toEqual([3, 3]);
        }
      },
    );

    test('in lists are the rows of one array', async () => {
      const [first, second] = [Float32Array.of(1, 2, 3), Float32Array.of(4, 5, 6)];
      using rows = await backend.array([first, second]);
      expect(rows).toMatchObject({ shape: [2, 3], dtype: { typestr: '<f4' } });
      expect(await backend.toTypedArray(rows)).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
      using nested = await backend.array([[first], [second]], { dtype: 'float64' });
      expect(nested.shape).toEqual([2, 1, 3]);
      using flat = await backend.array([first, second], { shape: [3, -1] });
      expect(flat.shape).toEqual([3, 2]);
      await refused(() => backend.array([first, second], { dtype: 'int32' }), 'ERR_CASTING');
      const ragged = await refused(
        () => backend.array([first, second.subarray(1)]),
        'ERR_SHAPE_MISMATCH',
      );
      expect(ragged.path).toBe('source[1]');
      const mixed = [first, Float64Array.of(4, 5, 6)];
      expect((await refused(() => backend.array(mixed), 'ERR_TYPE')).path).toBe('source[1]');
    });

    test('lists that cannot be read, or that contain themselves, are refused', async () => {
      const revoked = Proxy.revocable([], {});
      revoked.revoke();
      await refused(() => backend.array(revoked.proxy), 'ERR_TYPE');
      await refused(() => backend.array([1, revoked.proxy]), 'ERR_TYPE', 'ERR_SHAPE_MISMATCH');
      const endless: never[] = [];
      endless.push(endless as never);
      await refused(() => backend.array(endless), 'ERR_RANK_MISMATCH');
    });

    test('options may be inherited', async () => {
      const shared = Object.assign(Object.create({ casting: 'unsafe' }), { dtype: 'int8' });
      using array = await backend.array(Float32Array.of(1.5), shared);
      expect(await backend.toTypedArray(array)).toEqual(Int8Array.of(1));
    });
  });
}
