import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DType, dtype, makeDescriptor } from '../../src/index.js';
import { type Operand, resultType } from '../../src/numbers/index.js';
import type { Scalar } from '../../src/numbers/operand.js';
import { expectRefusal } from '../support/refusal.js';
import promotion from '../support/vectors/numpy-promotion.json' with { type: 'json' };

/** For each pair of types, and each type with a scalar, the name of NumPy's result. */
const PROMOTION: Readonly<Record<string, string>> = promotion;
const SCALARS: Readonly<Record<string, number | bigint | boolean>> = {
  boolean: true,
  bigint: 300n,
  number: -1,
};
const TYPES = [...new Set(Object.keys(PROMOTION).map((pair) => pair.split(' ')[0] as string))];

const nameOf = (...operands: readonly Operand[]) => resultType(...operands).name;

describe('resultType', () => {
  test('all pairs, and all types with a scalar, are promoted as NumPy promotes them', () => {
    expect(Object.keys(PROMOTION).length).toBe(14 * 17);
    for (const [pair, name] of Object.entries(PROMOTION)) {
      const [one = '', other = ''] = pair.split(' ');
      const second = SCALARS[other] ?? dtype(other);
      expect(nameOf(dtype(one), second), pair).toBe(name);
      expect(nameOf(second, dtype(one)), pair).toBe(name);
    }
  });

  test('the order of operands does not matter, and dtypes and arrays are the same to it', () => {
    const operand = fc.oneof(
      fc
        .constantFrom(...TYPES, 'bfloat16', '>f4', '>i2')
        .map((text): DType | Scalar => dtype(text)),
      fc.constantFrom<DType | Scalar>(...Object.values(SCALARS)),
    );
    const operands = fc.array(operand, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        operands.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          const result = resultType(...all);
          expect(result.byteOrder).not.toBe('big');
          expect(resultType(...shuffled)).toEqual(result);
          const arrays = all.map((one) =>
            typeof one === 'object' ? makeDescriptor({ pointer: 64, shape: [], dtype: one }) : one,
          );
          expect(resultType(...arrays)).toEqual(result);
          expect(resultType(result, ...all)).toEqual(result);
        },
      ),
      random(1000),
    );
  });

  test('two integers are not widened before a float', () => {
    expect(nameOf('int8', 'uint16', 'float32')).toBe('float32');
    expect(nameOf('uint8', 'int8', 'float16')).toBe('float16');
    expect(nameOf('int8', 'uint16')).toBe('int32');
  });

  test('scalars alone have the dtypes that array() gives them', () => {
    expect(nameOf(true)).toBe('bool');
    expect(nameOf(true, 1n)).toBe('int64');
    expect(nameOf(1n, 1)).toBe('float64');
    expect(nameOf('bool', 1n, 0.5)).toBe('float64');
  });

  test('longer floats, and bfloat16 as a float of two bytes', () => {
    expect(nameOf('float128', 'int64')).toBe('float128');
    expect(nameOf('float128', 'complex64')).toBe('complex256');
    expect(nameOf('bfloat16', 'bool', 'uint8', 1n, 0.5)).toBe('bfloat16');
    expect(nameOf('bfloat16', 'float16')).toBe('float32');
    expect(nameOf('bfloat16', 'int16')).toBe('float32');
    expect(nameOf('bfloat16', 'uint32')).toBe('float64');
    expect(nameOf('bfloat16', 'float64')).toBe('float64');
    expect(nameOf('bfloat16', 'complex64')).toBe('complex64');
  });

  test('anything else has a dtype in common only with itself', () => {
    const same: readonly DType[] = ['<M8[ns]', '|S4', '<U2', '|V3', 'float8_e5m2'].map((text) =>
      dtype(text),
    );
    for (const type of [...same, dtype([['x', 'f4']])])
      expect(resultType(type, type)).toEqual(type);
    expect(resultType('>M8[ns]', '<M8[ns]')).toEqual(dtype('<M8[ns]'));
    const apart = [
      ['<M8[ns]', '<M8[us]'],
      ['|S4', '|S5'],
      ['<f4', '|V4'],
      ['|V4', '<f4'],
      ['<m8[s]', 1n],
      ['|S1', true],
    ] as const;
    for (const pair of apart) {
      expectRefusal(() => resultType(...pair), 'ERR_DTYPE_UNSUPPORTED');
    }
    expectRefusal(() => resultType('int8', 'int8', '<U1'), 'ERR_DTYPE_UNSUPPORTED', 'operands[2]');
    expectRefusal(() => resultType('<U1', 1n), 'ERR_DTYPE_UNSUPPORTED', 'operands[1]');
  });

  test('refuses what has no dtype', () => {
    expectRefusal(() => resultType(), 'ERR_ARGUMENT', 'operands');
    expectRefusal(() => resultType('int8', null as never), 'ERR_TYPE', 'operands[1]');
    expectRefusal(() => resultType('flaot32' as never), 'ERR_TYPESTR', 'operands[0]');
    const others = [
      [Promise.resolve(1), 'got a promise; await it'],
      [new Float32Array(1), 'got JavaScript memory; describe it with fromProducer(data)'],
      [Float32Array, 'expected a dtype, such as'],
    ] as const;
    for (const [value, says] of others) {
      expectRefusal(() => resultType('int8', value as never), 'ERR_TYPE', 'operands[1]');
      expect(() => resultType('int8', value as never)).toThrow(says);
    }
    // @ts-expect-error misspelt
    expect(() => resultType('flaot32')).toThrow();
  });
});
