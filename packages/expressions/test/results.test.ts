import { type ArrayDescriptor, fromProducer, makeDescriptor } from '@array-interface/core';
import { elementwise, evaluateSync, explainExpression } from '@array-interface/expressions';
import { describe, expect, test } from 'vitest';
import { FUNCTIONS } from '../src/meaning/functions.js';
import { elementsOf, of } from './support/elements.js';

// The table of docs/internals/adr/0035-expressions.md. testing/peers compares with NumPy at random.

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];

describe('integers', () => {
  test.each([
    ['x + y', 'int8', [127, -128], [1, -1], [-128, 127]],
    ['x * y', 'uint16', [65535, 256], [65535, 256], [1, 0]],
    ['x * y', 'int64', [LEAST, MOST], [-1n, 2n], [LEAST, -2n]],
    [
      'x // y',
      'int32',
      [7, -7, 7, -7, 5, -(2 ** 31)],
      [2, 2, -2, -2, 0, -1],
      [3, -4, -4, 3, 0, -(2 ** 31)],
    ],
    ['x % y', 'int32', [7, -7, 7, -7, 5, -(2 ** 31)], [2, 2, -2, -2, 0, -1], [1, 1, -1, -1, 0, 0]],
    ['x // y', 'uint8', [255, 7, 0], [2, 0, 0], [127, 0, 0]],
    ['x % y', 'int64', [LEAST, LEAST], [-1n, 0n], [0n, 0n]],
    [
      'x ** y',
      'int8',
      [2, -2, 3, 1, -1, -1, 0, 5],
      [7, 7, 0, -3, -3, -4, -1, -1],
      [-128, -128, 1, 1, -1, 1, 0, 0],
    ],
    ['x ** y', 'uint64', [3n], [40n], [12157665459056928801n]],
    ['x << y', 'int8', [1, 1, 1, -1], [7, 8, -1, 100], [-128, 0, 0, 0]],
    ['x >> y', 'int16', [-8, -8, -8, 8], [1, 16, -1, 16], [-4, -1, -1, 0]],
    ['x >> y', 'uint32', [2 ** 32 - 1, 1], [31, 32], [1, 0]],
    ['abs(x) + y', 'int8', [-128, -5], [0, 0], [-128, 5]],
    ['-x + y', 'uint8', [1, 0], [0, 0], [255, 0]],
    ['sign(x) + y', 'int8', [-5, 0, 9], [0, 0, 0], [-1, 0, 1]],
  ] as const)('%s of %s', (text, type, x, y, expected) => {
    const result = evaluateSync(text, { x: of(type, ...x), y: of(type, ...y) });
    expect(result.dtype.name).toBe(type);
    expect(elementsOf(result)).toEqual(expected);
  });

  test('of 64 bits with and without a sign are compared exactly', () => {
    const x = of('int64', -1n, MOST, MOST);
    const y = of('uint64', 2n ** 64n - 1n, 2n ** 63n - 1n, 2n ** 63n);
    expect(elementsOf(evaluateSync('x == y', { x, y }))).toEqual([0, 1, 0]);
    expect(elementsOf(evaluateSync('x < y', { x, y }))).toEqual([1, 0, 1]);
    expect(elementsOf(evaluateSync('y <= x', { x, y }))).toEqual([0, 1, 0]);
  });

  test('of the text are exact, and may be too large only in comparisons', () => {
    const x = of('uint8', 0, 255);
    const answers = (text: string) => elementsOf(evaluateSync(text, { x }));
    expect(answers('x < 256')).toEqual([1, 1]);
    expect(answers('-1 < x')).toEqual([1, 1]);
    expect(answers(`x == ${10n ** 40n}`)).toEqual([0, 0]);
    expect(answers('x != 1000')).toEqual([1, 1]);
    expect(answers('x + (10 ** 30 - 10 ** 30 + 1)')).toEqual([1, 0]);
    expect(() => answers('x + 256')).toThrow('expected an integer that uint8 can hold, got 256');
  });

  test('as arguments must fit the arrays beside them', () => {
    const x = of('uint8', 1);
    expect(elementsOf(evaluateSync('x + a', { x, a: 254n }))).toEqual([255]);
    expect(() => evaluateSync('x + a', { x, a: 256n })).toThrow('[ERR_OVERFLOW] values: ');
    expect(() => evaluateSync('x + a', { x, a: 2n ** 70n })).toThrow('[ERR_OVERFLOW] a: ');
  });
});

describe('floats', () => {
  test.each([
    ['x // y', [7, -7, 1, 0, -1], [2, 2, 0, 0, Infinity], [3, -4, Infinity, NaN, -1]],
    ['x % y', [7, -7, 7, 1, -1, -0], [2, 2, -2, 0, Infinity, 5], [1, 1, -1, NaN, Infinity, 0]],
    ['x % y', [1e30, 5e-324, -1e308], [7, 3, 1e-3], [5, 5e-324, 0.0007514524138823846]],
    ['minimum(x, y)', [0, -0, NaN, 1], [-0, 0, 1, NaN], [-0, -0, NaN, NaN]],
    ['maximum(x, y)', [0, -0, NaN, 1], [-0, -0, 1, NaN], [0, -0, NaN, NaN]],
    ['copysign(x, y)', [1, -2, 3, 4], [-0, 5, NaN, -Infinity], [-1, 2, 3, -4]],
    ['sign(x) * y', [-0, NaN, -3, Infinity], [1, 1, 1, 1], [0, NaN, -1, 1]],
    ['round(x) + y', [0.5, 1.5, -2.5, -0.2], [0, 0, 0, -0], [0, 2, -2, -0]],
    [
      'nextafter(x, y)',
      [0, 0, 1, NaN, 3],
      [1, -1, Infinity, 1, 3],
      [5e-324, -5e-324, 1 + 2 ** -52, NaN, 3],
    ],
    ['x ** 2 + y', [-3, 1e200], [0, 0], [9, Infinity]],
    ['x ** -1 + y', [4, -0], [0, 0], [0.25, -Infinity]],
    ['x ** 0.5 + y', [4, -1], [0, 0], [2, NaN]],
  ] as const)('%s', (text, x, y, expected) => {
    const result = evaluateSync(text, { x: of('float64', ...x), y: of('float64', ...y) });
    expect(elementsOf(result)).toEqual(expected);
  });

  // Which of two zeros: by the sign that IEEE 754 gives, and the second of two equal ones for nextafter.
  test.each(['float16', 'float32', 'float64'] as const)('of %s keep the signs of zeros', (type) => {
    const negative = type === 'float16' ? 0x8000 : -0;
    const x = of(type, 0, 0, negative, negative);
    const y = of(type, 0, negative, 0, negative);
    for (const [text, signs] of [
      ['x + y', '+++-'],
      ['x - y', '++-+'],
      ['x * y', '+--+'],
      ['x / (y * 0 + 1)', '++--'],
      ['x // (y + 1)', '++--'],
      ['(x - 0) % (y + 1)', '++++'],
      ['(x - 0) % (y - 1)', '----'],
      ['-x', '--++'],
      ['abs(x)', '++++'],
      ['minimum(x, y)', '+---'],
      ['maximum(x, y)', '+++-'],
      ['clip(x, y, y)', '+-+-'],
      ['copysign(x, y)', '+-+-'],
      ['nextafter(x, y)', '+-+-'],
      ['hypot(x, y)', '++++'],
      ['atan2(x, y + 1)', '++--'],
      ['where(x == y, y, x)', '+-+-'],
      ['sqrt(x)', '++--'],
      ['floor(x)', '++--'],
      ['ceil(x - 0.5 * (y == 0))', '----'],
      ['round(x)', '++--'],
      ['trunc(x)', '++--'],
      ['square(x)', '++++'],
      ['x ** 1', '++--'],
      ['x ** 3', '++--'],
      ['float64(float16(x))', '++--'],
    ] as const) {
      const result = evaluateSync(
        `copysign(float64(1), float64(${text}))`,
        /\by\b/.test(text) ? { x, y } : { x },
      );
      const got = elementsOf(result)
        .map((sign) => (sign === 1 ? '+' : '-'))
        .join('');
      expect([text, got]).toEqual([text, signs]);
    }
  });

  test('become integers as in a copy', () => {
    const x = of('float64', 2.9, -2.9, 1e10, -1e10, Number.NaN, Infinity);
    expect(elementsOf(evaluateSync('int32(x)', { x }))).toEqual([
      2,
      -2,
      2 ** 31 - 1,
      -(2 ** 31),
      0,
      2 ** 31 - 1,
    ]);
    expect(elementsOf(evaluateSync('uint8(x)', { x }))).toEqual([2, 0, 255, 0, 0, 255]);
    expect(elementsOf(evaluateSync('int64(x)', { x }))).toEqual([
      2n,
      -2n,
      10n ** 10n,
      -(10n ** 10n),
      0n,
      MOST,
    ]);
  });

  test('that are NaN have no sign and no payload', () => {
    const bits = (array: ArrayDescriptor) => [...new Uint32Array(array.buffer as ArrayBuffer)];
    const x = fromProducer(new Float32Array(Uint32Array.of(0xffc0_1234, 0x7f80_0001).buffer));
    expect(bits(evaluateSync('-x', { x }))).toEqual([0x7fc0_0000, 0x7fc0_0000]);
    expect(bits(evaluateSync('where(true, x, x)', { x }))).toEqual([0x7fc0_0000, 0x7fc0_0000]);
    expect(elementsOf(evaluateSync('signbit(x)', { x }))).toEqual([0, 0]);
    // What processors make of 0 / 0 has a sign, also where it is computed before the launch.
    const y = of('complex64', 0, 0, 1, 0);
    expect(bits(evaluateSync('y / 0', { y }))).toEqual([
      0x7fc0_0000, 0x7fc0_0000, 0x7f80_0000, 0x7fc0_0000,
    ]);
  });

  test('of 16 bits are computed in 32 and rounded once', () => {
    const x = of('float16', 0x7bff, 0x3c01, 0x0001); // 65504, 1 + 2^-10, 2^-24
    expect(elementsOf(evaluateSync('x + x - x', { x }))).toEqual([0x7bff, 0x3c01, 0x0001]);
    expect(elementsOf(evaluateSync('float16(x + x) - x', { x }))).toEqual([0x7c00, 0x3c01, 0x0001]);
    expect(elementsOf(evaluateSync('x * x - 1', { x: of('float16', 0x3c03) }))).toEqual([0x1e02]);
    // Through float32, the second number would round up.
    const y = of(
      'float64',
      2048,
      1 + 2 ** -11 + 2 ** -30,
      65519.999,
      65520,
      2 ** -25,
      2 ** -25 + 2 ** -60,
    );
    expect(elementsOf(evaluateSync('float16(y)', { y }))).toEqual([
      0x6800, 0x3c01, 0x7bff, 0x7c00, 0, 1,
    ]);
  });
});

// testing/peers measures their errors.
describe('functions have the special values of C', () => {
  const [infinity, none] = [Number.POSITIVE_INFINITY, Number.NaN];

  test.each([
    [
      'exp(x)',
      [0, -0, infinity, -infinity, none, 710, -746, -745.1],
      [1, 1, infinity, 0, none, infinity, 0, 5e-324],
    ],
    ['exp2(x)', [10, -1074, -1076, 1024], [1024, 5e-324, 0, infinity]],
    ['expm1(x)', [0, -0, -infinity, infinity, 1e-300, -60], [0, -0, -1, infinity, 1e-300, -1]],
    [
      'log(x)',
      [1, 0, -0, -1, infinity, none, 5e-324],
      [0, -infinity, -infinity, none, infinity, none, -744.4400719213812],
    ],
    ['log2(x)', [1, 8, 5e-324, 0.125, 0], [0, 3, -1074, -3, -infinity]],
    ['log10(x)', [1, 1000, 1e22, 0, -1], [0, 3, 22, -infinity, none]],
    ['log1p(x)', [0, -0, -1, -2, infinity, 1e-300], [0, -0, -infinity, none, infinity, 1e-300]],
    [
      'sin(x)',
      [0, -0, infinity, none, 1e-300, 1e22],
      [0, -0, none, none, 1e-300, -0.8522008497671888],
    ],
    ['cos(x)', [0, -0, -infinity, 1e-300], [1, 1, none, 1]],
    ['tan(x)', [0, -0, infinity, Math.PI / 2], [0, -0, none, 16331239353195370]],
    ['sinh(x)', [0, -0, infinity, -infinity, 711], [0, -0, infinity, -infinity, infinity]],
    ['cosh(x)', [0, -0, -infinity, none, -711], [1, 1, infinity, none, infinity]],
    ['tanh(x)', [0, -0, infinity, -infinity, 1e-300, none], [0, -0, 1, -1, 1e-300, none]],
    [
      'asin(x)',
      [0, -0, 1, -1, 2, -infinity, none],
      [0, -0, Math.PI / 2, -Math.PI / 2, none, none, none],
    ],
    ['acos(x)', [1, -1, 0, -0, 1.1, none], [0, Math.PI, Math.PI / 2, Math.PI / 2, none, none]],
    [
      'atan(x)',
      [0, -0, 1, infinity, -infinity, 5e-324, none],
      [0, -0, Math.PI / 4, Math.PI / 2, -Math.PI / 2, 5e-324, none],
    ],
    [
      'asinh(x)',
      [0, -0, infinity, -infinity, 1e308, none],
      [0, -0, infinity, -infinity, 709.889355822726, none],
    ],
    [
      'acosh(x)',
      [1, 0.9, -1, infinity, 1e308, none],
      [0, none, none, infinity, 709.889355822726, none],
    ],
    ['atanh(x)', [0, -0, 1, -1, 2, 1e-300, none], [0, -0, infinity, -infinity, none, 1e-300, none]],
    ['erf(x)', [0, -0, infinity, -infinity, 6.5, none], [0, -0, 1, -1, 1, none]],
    [
      'lgamma(x)',
      [1, 2, 3, 0, -0, -3, 1e308, infinity, -infinity, 5e-324, -5e-324, none],
      [
        0,
        0,
        Math.LN2,
        infinity,
        infinity,
        infinity,
        infinity,
        infinity,
        infinity,
        744.4400719213812,
        744.4400719213812,
        none,
      ],
    ],
    ['pow(x, 3.0 + x * 0)', [-2, -0, 0, 1], [-8, -0, 0, 1]],
  ] as const)('%s', (text, x, expected) => {
    expect(elementsOf(evaluateSync(text, { x: of('float64', ...x) }))).toEqual(expected);
  });

  test('and powers, too', () => {
    const cases = [
      [none, 0, 1], [1, none, 1], [1, infinity, 1], [-1, infinity, 1], [-1, -infinity, 1], [-8, 1 / 3, none],
      [0, -1, infinity], [-0, -1, -infinity], [-0, -2, infinity], [-0, 5, -0], [-0, 4, 0], [0, infinity, 0],
      [0, -infinity, infinity], [0.5, infinity, 0], [0.5, -infinity, infinity], [2, infinity, infinity],
      [-2, -infinity, 0], [infinity, 2.5, infinity], [infinity, -1, 0], [-infinity, 3, -infinity],
      [-infinity, 2, infinity], [-infinity, -3, -0], [-infinity, 0.5, infinity], [-2, 3, -8], [-2, 2 ** 60, infinity],
      [2, 1023, 2 ** 1023], [2, -1074, 5e-324], [2, -1076, 0], [none, 2, none], [3, none, none], [10, 22, 1e22],
    ]; // biome-ignore format: in rows
    const [x, y] = [cases.map(([base]) => base as number), cases.map(([, by]) => by as number)];
    const got = elementsOf(
      evaluateSync('x ** y', { x: of('float64', ...x), y: of('float64', ...y) }),
    );
    expect(got).toEqual(cases.map(([, , power]) => power));
  });

  test('and angles and lengths, too', () => {
    const cases = [
      [0, 1, 0, 1], [-0, 1, -0, 1], [0, -1, Math.PI, 1], [-0, -0, -Math.PI, 0], [0, -0, Math.PI, 0], [0, 0, 0, 0],
      [1, 0, Math.PI / 2, 1], [-1, -0, -Math.PI / 2, 1], [infinity, infinity, Math.PI / 4, infinity],
      [-infinity, -infinity, (-3 * Math.PI) / 4, infinity], [3, -infinity, Math.PI, infinity], [-3, infinity, -0, infinity],
      [infinity, 4, Math.PI / 2, infinity], [none, infinity, none, infinity], [1, none, none, none],
      [5e-324, 1, 5e-324, 1], [5e-324, 5e-324, Math.PI / 4, 5e-324], [1e308, 1e308, Math.PI / 4, 1.4142135623730951e308],
      [3, 4, 0.6435011087932844, 5],
    ]; // biome-ignore format: in rows
    const column = (index: number) => cases.map((one) => one[index] as number);
    const operands = { y: of('float64', ...column(0)), x: of('float64', ...column(1)) };
    expect(elementsOf(evaluateSync('atan2(y, x)', operands))).toEqual(column(2));
    expect(elementsOf(evaluateSync('hypot(y, x)', operands))).toEqual(column(3));
  });

  test('and sums of exponentials, too', () => {
    const cases = [
      [0, 0, Math.LN2], [1000, 1000, 1000 + Math.LN2], [-1000, -1000, Math.LN2 - 1000], [5, -800, 5], [-800, 5, 5],
      [infinity, infinity, infinity], [-infinity, -infinity, -infinity], [infinity, -infinity, infinity],
      [-infinity, 3, 3], [infinity, 3, infinity], [none, infinity, none], [1, none, none], [-infinity, none, none],
      [1e308, 1e308, 1e308], [-0, -infinity, 0], [1, 3, 3.1269280110429727],
    ]; // biome-ignore format: in rows
    const column = (index: number) => cases.map((one) => one[index] as number);
    const operands = { x: of('float64', ...column(0)), y: of('float64', ...column(1)) };
    expect(elementsOf(evaluateSync('logaddexp(x, y)', operands))).toEqual(column(2));
  });

  test('narrow ones are rounded from float64', () => {
    const x = of('float32', 1, 0.1, 88);
    expect(elementsOf(evaluateSync('exp(x)', { x }))).toEqual(
      [Math.E, Math.exp(Math.fround(0.1)), 1.6516362549940018e38].map(Math.fround),
    );
    expect(evaluateSync('log(n)', { n: of('int8', 1) }).dtype.name).toBe('float16');
    expect(elementsOf(evaluateSync('exp(x)', { x: of('float16', 0x3c00) }))).toEqual([0x4170]);
  });
});

test('complex numbers', () => {
  const x = of('complex128', 1, 2, 3, -4);
  const y = of('complex64', 2, 0, 0, 1);
  expect(elementsOf(evaluateSync('x * y', { x, y }))).toEqual([2, 4, 4, 3]);
  expect(elementsOf(evaluateSync('x / y', { x, y }))).toEqual([0.5, 1, -4, -3]);
  expect(elementsOf(evaluateSync('x == conj(conj(x))', { x }))).toEqual([1, 1]);
  expect(elementsOf(evaluateSync('real(y) - imag(y)', { y }))).toEqual([2, -1]);
  expect(elementsOf(evaluateSync('x && !y', { x, y }))).toEqual([0, 0]);
  expect(() => evaluateSync('x < y', { x, y })).toThrow(
    "got complex128, which has no order; take 'real', 'imag' or 'abs' of them",
  );
  for (const text of ['erf(x)', 'lgamma(x)', 'hypot(x, 1)', 'atan2(1, x)', 'logaddexp(x, x)']) {
    expect(() => evaluateSync(text, { x })).toThrow(
      'expected real numbers (bools, integers, float16, float32, float64), got complex128; take',
    );
  }
});

// testing/peers measures their errors.
describe('functions of complex numbers have the special values of C', () => {
  const [infinity, none, half] = [Number.POSITIVE_INFINITY, Number.NaN, Math.PI / 2];

  // The operand's two parts, and the result's.
  test.each([
    [
      'exp',
      [0, -0, 1, -0],
      [infinity, 0, infinity, 0],
      [-infinity, 1, 0, 0],
      [-infinity, infinity, 0, 0],
      [infinity, none, infinity, none],
      [none, 0, none, 0],
      [800, 5e-324, infinity, 1.3470080137759474e24],
    ],
    [
      'exp2',
      [0, -0, 1, -0],
      [infinity, 0, infinity, 0],
      [infinity, 1, infinity, infinity],
      [infinity, 3, -infinity, infinity],
      [-infinity, infinity, 0, 0],
      [infinity, none, infinity, none],
      [none, 0, none, 0],
      [3, -0, 8, -0],
      [1000, 5e-324, 2 ** 1000, 3.6694906201918696e-23],
      [0.5, 1e300, 1.2153954487525864, -0.7230587134883993],
    ],
    [
      'expm1',
      [-0, 0, -0, 0],
      [0, 1e-200, -0, 1e-200],
      [infinity, 0, infinity, 0],
      [-infinity, 1, -1, 0],
    ],
    [
      'log',
      [-0, 0, -infinity, Math.PI],
      [0, -0, -infinity, -0],
      [-1, -0, 0, -Math.PI],
      [1, infinity, infinity, half],
      [none, infinity, infinity, none],
      [1e300, 1e300, 691.1221014884936, half / 2],
      [-3, -4, 1.6094379124341003, -2.214297435588181],
    ],
    ['log1p', [1e-300, 0, 1e-300, 0], [-1, 0, -infinity, 0], [-infinity, -1, infinity, -Math.PI]],
    [
      'sqrt',
      [-0, -0, 0, -0],
      [-4, -0, 0, -2],
      [4, -0, 2, -0],
      [none, infinity, infinity, infinity],
      [-infinity, 1, 0, infinity],
      [infinity, -1, infinity, -0],
      [1e308, 0, 1e154, 0],
      [5e-324, 0, 2.2227587494850775e-162, 0],
    ],
    [
      'sin',
      [-0, 0, -0, 0],
      [0, infinity, 0, infinity],
      [1, 1, 1.2984575814159773, 0.6349639147847361],
    ],
    ['cos', [0, 0, 1, -0], [0, infinity, infinity, -0]],
    ['tan', [-0, 0, -0, 0], [1, infinity, 0, 1], [1, -infinity, 0, -1]],
    [
      'sinh',
      [-0, 0, -0, 0],
      [infinity, 0, infinity, 0],
      [infinity, 2, -infinity, infinity],
      [0, none, 0, none],
    ],
    ['cosh', [0, 0, 1, 0], [-infinity, 0, infinity, -0], [infinity, infinity, infinity, none]],
    [
      'tanh',
      [-0, 0, -0, 0],
      [infinity, 1, 1, 0],
      [-infinity, 1, -1, 0],
      [0, infinity, 0, none],
      [30, 1, 1, 1.5924545408982667e-26],
    ],
    [
      'asin',
      [-0, 0, -0, 0],
      [2, 0, half, 1.3169578969248166],
      [2, -0, half, -1.3169578969248166],
      [infinity, 1, half, infinity],
    ],
    [
      'acos',
      [0, 0, half, -0],
      [1, 0, 0, -0],
      [infinity, infinity, half / 2, -infinity],
      [none, 1, none, none],
    ],
    [
      'atan',
      [-0, 0, -0, 0],
      [infinity, 1, half, 0],
      [0, 1, 0, infinity],
      [0, 2, half, 0.5493061443340549],
    ],
    ['asinh', [-0, 0, -0, 0], [infinity, -1, infinity, -0], [1, infinity, infinity, half]],
    ['acosh', [0, 0, 0, half], [1, -0, 0, -0], [-infinity, 1, infinity, Math.PI]],
    [
      'atanh',
      [-0, 0, -0, 0],
      [1, 0, infinity, 0],
      [none, infinity, 0, half],
      [5e-324, 1e308, 0, half],
    ],
    [
      'sign',
      [0, -0, 0, 0],
      [3, 4, 0.6, 0.8],
      [-infinity, 3, -1, 0],
      [5e-324, 0, 1, 0],
      [1e308, 1e308, Math.SQRT1_2, Math.SQRT1_2],
    ],
  ] as const)('%s', (name, ...cases) => {
    const column = (from: number) => cases.flatMap((one) => one.slice(from, from + 2) as number[]);
    const z = of('complex128', ...column(0));
    expect(elementsOf(evaluateSync(`${name}(z)`, { z }))).toEqual(column(2));
  });

  test('abs is a length, of the type of the parts', () => {
    const z = of('complex64', 3, -4, none, infinity, 6, 8);
    const size = evaluateSync('abs(z)', { z });
    expect(size.dtype.name).toBe('float32');
    expect(elementsOf(size)).toEqual([5, infinity, 10]);
  });

  test('powers are products for whole exponents of the text, and e^(w * log(z)) for others', () => {
    const z = of('complex128', 1, 2, 0, 0, -1, 0);
    expect(elementsOf(evaluateSync('z ** 3', { z }))).toEqual([-11, -2, 0, 0, -1, 0]);
    expect(elementsOf(evaluateSync('z ** -2', { z: of('complex128', 1, 2) }))).toEqual([
      -0.12, -0.16,
    ]);
    const w = of('complex128', 0, 0, 1, 1, 0, 1);
    const powers = elementsOf(evaluateSync('z ** w', { z, w })) as number[];
    expect(powers.slice(0, 4)).toEqual([1, 0, 0, 0]);
    expect(powers[4]).toBeCloseTo(Math.exp(-Math.PI), 15);
    expect(
      elementsOf(evaluateSync('z ** w', { z: of('complex128', 0, 0), w: of('complex128', -1, 0) })),
    ).toEqual([none, none]);
  });

  test('parts of float32 are rounded from float64', () => {
    const z = of('complex64', 0.5, 0.25);
    const wide = of('complex128', 0.5, 0.25);
    for (const name of ['exp', 'log', 'sqrt', 'tan', 'acosh']) {
      const expected = elementsOf(evaluateSync(`${name}(z)`, { z: wide })).map(
        Math.fround as never,
      );
      expect([name, ...elementsOf(evaluateSync(`${name}(z)`, { z }))]).toEqual([name, ...expected]);
    }
  });
});

describe('types', () => {
  test.each([
    ['x + 1', { x: 'uint8' }, 'uint8'],
    ['x + 1.0', { x: 'uint8' }, 'float64'],
    ['x * (1 / 3)', { x: 'float32' }, 'float32'],
    ['x + y', { x: 'int8', y: 'uint8' }, 'int16'],
    ['x / y', { x: 'int8', y: 'bool' }, 'float64'],
    ['x / y', { x: 'int8', y: 'float16' }, 'float16'],
    ['sqrt(x)', { x: 'int16' }, 'float32'],
    ['x == y', { x: 'int64', y: 'complex64' }, 'bool'],
    ['x ? 1 : 2', { x: 'float32' }, 'int64'],
    ['x ? y : 2', { x: 'float32', y: 'int8' }, 'int8'],
    ['x + x', { x: 'bool' }, 'bool'],
    ['x // x', { x: 'bool' }, 'int8'],
    ['x + i0', { x: 'int8' }, 'int64'],
    ['complex64(x)', { x: 'float64' }, 'complex64'],
    ['real(x)', { x: 'complex64' }, 'float32'],
  ] as const)('%s of %o is %s', (text, types, expected) => {
    expect(explainExpression(text, types).type).toBe(expected);
  });

  test('numbers as arguments are weak, and floats unless they are bigints', () => {
    const x = of('int8', 1);
    expect(evaluateSync('x + a', { x, a: 2n }).dtype.name).toBe('int8');
    expect(evaluateSync('x + a', { x, a: 2 }).dtype.name).toBe('float64');
    expect(evaluateSync('x * (a + 1)', { x: of('float16', 0x3c00), a: 2 }).dtype.name).toBe(
      'float16',
    );
    expect(evaluateSync('a + 1', { a: 2n }).dtype.name).toBe('int64');
  });
});

test('elements are broadcast, in any layout, with their indices', () => {
  const buffer = Float32Array.from({ length: 12 }, (_, index) => index).buffer;
  const x = makeDescriptor({
    pointer: 44,
    shape: [2, 3],
    byteStrides: [-4, -16] as never,
    dtype: 'float32',
    buffer,
  });
  const y = fromProducer(Int8Array.of(0, 10, 20));
  expect(elementsOf(evaluateSync('x + y', { x, y }))).toEqual([11, 17, 23, 10, 16, 22]);
  expect(elementsOf(evaluateSync('x * 0 + i0 * 10 + i1', { x }))).toEqual([0, 1, 2, 10, 11, 12]);
  expect(() => evaluateSync('x + i2', { x })).toThrow(
    "expected an index of the 2 axes of the result, got 'i2'",
  );
  const wrong = { x, y: fromProducer(new Int8Array(2)) };
  expect(() => evaluateSync('x + y', wrong)).toThrow(
    '[ERR_SHAPE_MISMATCH] y: expected a shape that broadcasts with [2,3], got [2]',
  );
  expect(evaluateSync('x + y', { x: new Float32Array(0), y: 1 }).shape).toEqual([0]);
  expect(evaluateSync('x + 1', { x: 1 }).shape).toEqual([]);
});

describe('the output', () => {
  test('may be an input, and share no bytes otherwise', () => {
    const x = Float32Array.of(1, 2, 3);
    evaluateSync('x * x', { x }, { out: x });
    expect([...x]).toEqual([1, 4, 9]);
    const [low, high] = [x.subarray(0, 2), x.subarray(1)];
    expect(() => evaluateSync('x + 1', { x: low }, { out: high })).toThrow(
      '[ERR_OVERLAP] out.result: ',
    );
    expect([...x]).toEqual([1, 4, 9]);
  });

  test('has the shape of the result, and a type to which casting converts', () => {
    const x = Float32Array.of(1.5, 2.5);
    const out = new Float64Array(2);
    evaluateSync('x + 1', { x }, { out });
    expect([...out]).toEqual([2.5, 3.5]);
    expect(() => evaluateSync('x', { x }, { out: new Int8Array(2) })).toThrow(
      '[ERR_CASTING] result: ',
    );
    const bytes = new Int8Array(2);
    evaluateSync('x', { x }, { out: bytes, casting: 'unsafe' });
    expect([...bytes]).toEqual([1, 2]);
    expect(() => evaluateSync('x', { x }, { out: new Float32Array(3) })).toThrow(
      '[ERR_SHAPE_MISMATCH]',
    );
  });
});

test('names and numbers of outputs and operands are types', () => {
  const f = elementwise(
    'f',
    { inputs: { x: 'T' }, outputs: { y: 'T', z: 'bool' } },
    'y = x; z = x > 0',
  );
  const never = () => {
    // @ts-expect-error: a misspelt operand
    void f({} as never, { xx: 1 });
    // @ts-expect-error: a missing operand
    void f({} as never, {});
    // @ts-expect-error: text is no operand
    void f({} as never, { x: 'one' });
    // @ts-expect-error: a misspelt output
    void f({} as never, { x: 1 }, { out: { w: new Float32Array(1) } });
    // @ts-expect-error: an output that is written into an array is not returned
    void f({} as never, { x: 1 }, { out: { y: new Float32Array(1) } }).then((made) => made.y);
    // @ts-expect-error: a misspelt type
    elementwise('f', { inputs: { x: 'flaot32' }, outputs: { y: 'T' } }, 'y = x');
  };
  expect(typeof never).toBe('function');
});

test('each function computes complex numbers, or refuses them by what it takes', () => {
  const operands = {
    x: of('complex128', 1, 2),
    y: of('complex128', 3, 4),
    z: of('complex128', 5, 6),
  };
  const refused = new Map<string, string[]>();
  for (const [name, { count }] of FUNCTIONS) {
    const values = Object.entries(operands).slice(0, count);
    const text = `${name}(${values.map(([operand]) => operand).join(', ')})`;
    try {
      expect(evaluateSync(text, Object.fromEntries(values)).size, text).toBe(1);
    } catch (error) {
      const taken = /: expected (.*), got complex128/.exec((error as Error).message)?.[1] ?? text;
      refused.set(taken, [...(refused.get(taken) ?? []), name]);
    }
  }
  const real =
    'atan2 ceil clip copysign erf floor floor_divide greater greater_equal hypot less less_equal lgamma logaddexp maximum minimum nextafter remainder signbit trunc';
  expect(Object.fromEntries(refused)).toEqual({
    'an integer or a bool': ['bitwise_invert'],
    integers: ['bitwise_left_shift', 'bitwise_right_shift'],
    'integers or bools': ['bitwise_and', 'bitwise_or', 'bitwise_xor'],
    'real numbers (bools, integers, float16, float32, float64)': real.split(' '),
  });
});
