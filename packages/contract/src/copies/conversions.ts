import { readFileSync } from 'node:fs';
import {
  type ArrayDescriptor,
  type Backend,
  type BackendArray,
  type DType,
  dtype,
  fromArrayInterface,
} from '@array-interface/core';
import { replace } from '@array-interface/core/backend';
import { describe, expect, test } from 'vitest';
import { refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

/** Type from, type to, bytes of some numbers, their bytes as NumPy converts them. */
type Conversion = readonly [from: string, to: string, source: string, expected: string];

/** testing/peers/python/make_conversions.py makes the file. */
const CONVERSIONS: readonly Conversion[] = JSON.parse(
  readFileSync(new URL('../src/copies/numpy-conversions.json', import.meta.url), 'utf8'),
);

/**
 * A device builds a kernel for each pair of types, so a usual run takes a quarter of the pairs, and
 * a long run all.
 */
const STEP = Number(process.env.ARRAY_INTERFACE_RUNS ?? 1) > 1 ? 1 : 4;

const ANY = { casting: 'unsafe' } as const;

/** Conversions to other types and byte orders have NumPy's results. */
export function conversions(subject: Subject): void {
  const { backend } = subject;
  describe('conversions', () => {
    test('the fixture has every pair of types', () => expect(CONVERSIONS.length).toBe(14 * 14));

    test('to and from JavaScript memory', async () => {
      for (const one of CONVERSIONS) {
        const { from, to, source, expected } = sides(one);
        using up = backend.empty([expected.length / to.itemsize], to);
        await backend.copy(up, bufferArray(source, from), ANY);
        expect(await bytesOf(backend, up, to), `${one[0]} up to ${one[1]}`).toEqual(expected);
        using down = await backend.array(bufferArray(source, from));
        expect(await bytesOf(backend, down, to), `${one[0]} down to ${one[1]}`).toEqual(expected);
      }
    });

    test("in the backend's own memory, forwards and backwards", async () => {
      for (const one of CONVERSIONS.filter((_, index) => index % STEP === 0)) {
        const { from, to, source, expected } = sides(one);
        using given = await backend.array(bufferArray(source, from));
        using target = backend.empty(given.shape, to);
        await backend.copy(target, given, ANY);
        expect(await bytesOf(backend, target, to), `${one[0]} to ${one[1]}`).toEqual(expected);
        await backend.copy(target.flip(), given.flip(), ANY);
        expect(await bytesOf(backend, target, to), `${one[0]} back to ${one[1]}`).toEqual(expected);
      }
    });

    test('a number that an integer type cannot represent becomes the nearest one, and NaN 0', async () => {
      using numbers = await backend.array(Float64Array.of(300, -1, NaN, Infinity, -Infinity, 2.9));
      using bytes = backend.empty([6], 'uint8');
      await backend.copy(bytes, numbers, ANY);
      expect(await backend.toTypedArray(bytes)).toEqual(Uint8Array.of(255, 0, 0, 255, 0, 2));
      using words = backend.empty([6], 'int64');
      await backend.copy(words, numbers, ANY);
      const [most, least] = [2n ** 63n - 1n, -(2n ** 63n)];
      const expected = BigInt64Array.of(300n, -1n, 0n, most, least, 2n);
      expect(await backend.toTypedArray(words)).toEqual(expected);
    });

    test('bfloat16 is the upper half of a float, rounded', async () => {
      using floats = await backend.array(Float32Array.of(1, -2.7, 3.4e38, NaN));
      using short = backend.empty([4], 'bfloat16');
      await backend.copy(short, floats);
      using again = backend.empty([4], 'float32');
      await backend.copy(again, short);
      const expected = Float32Array.of(1, -2.703125, Infinity, NaN);
      expect(await backend.toTypedArray(again)).toEqual(expected);
    });

    test('numbers at odd addresses', async () => {
      using bytes = await backend.array(Uint8Array.of(7, 0, 0, 192, 63, 0, 0, 0, 192, 9));
      const odd = replace(bytes.descriptor, {
        pointer: bytes.pointer + 1n,
        shape: [2],
        byteStrides: bufferArray(new Uint8Array(8), dtype('float32')).byteStrides,
        dtype: dtype('float32'),
        owner: bytes.memory,
      });
      using target = backend.empty([2], 'float64');
      await backend.copy(target, odd);
      expect(await backend.toTypedArray(target)).toEqual(Float64Array.of(1.5, -2));
      await backend.copy(odd, target.flip());
      const swapped = Uint8Array.of(7, 0, 0, 0, 192, 0, 0, 192, 63, 9);
      expect(await backend.toTypedArray(bytes)).toEqual(swapped);
    });

    test('within JavaScript memory', async () => {
      const target = new Float64Array(3);
      await backend.copy(target, Int32Array.of(1, -2, 3));
      expect(target).toEqual(Float64Array.of(1, -2, 3));
    });

    test('a copy that the casting rule does not allow is refused before anything is written', async () => {
      using target = await backend.array(Int32Array.of(5));
      using source = await backend.array(Float32Array.of(1.5));
      await refused(() => backend.copy(target, source), 'ERR_CASTING');
      await refused(() => backend.copy(source, target, { casting: 'safe' }), 'ERR_CASTING');
      await refused(() => backend.array(source, { dtype: 'int32' }), 'ERR_CASTING');
      await refused(() => backend.copy(target, backend.empty([1], '<M8[s]'), ANY), 'ERR_CASTING');
      expect(await backend.toTypedArray(target)).toEqual(Int32Array.of(5));
      using made = await backend.array(source, { dtype: 'int32', ...ANY });
      expect(await backend.toTypedArray(made)).toEqual(Int32Array.of(1));
    });
  });
}

function sides([from, to, source, expected]: Conversion) {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
  return { from: dtype(from), to: dtype(to), source: bytes(source), expected: bytes(expected) };
}

/** The bytes of an array's elements as `to`, converted by a copy if their dtype differs. */
async function bytesOf(backend: Backend, array: BackendArray, to: DType): Promise<Uint8Array> {
  const bytes = new Uint8Array(array.descriptor.size * to.itemsize);
  await backend.copy(bufferArray(bytes, to), array, ANY);
  return bytes;
}

/** The bytes of a whole buffer, as a one-dimensional array of any dtype. */
function bufferArray(bytes: Uint8Array, dtype: DType): ArrayDescriptor {
  const shape = [bytes.length / dtype.itemsize];
  return fromArrayInterface({ version: 3, shape, typestr: dtype.typestr, data: bytes });
}
