import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relativeLayout } from '../../src/descriptor/relative-layout.js';
import { type DTypeLike, dtype } from '../../src/index.js';
import { copyBuffers } from '../../src/plan/copy-buffers.js';
import { reprText, strText } from '../../src/text/array-text.js';
import { type TextLimits, USUAL_LIMITS } from '../../src/text/limits.js';
import { printed } from '../../src/text/print.js';
import { shownPart } from '../../src/text/shown-part.js';

// What NumPy 2.4 prints. testing/peers compares random arrays with NumPy itself.

function texts(
  like: DTypeLike,
  shape: readonly number[],
  bytes: ArrayBufferView,
  given: Partial<TextLimits> = {},
): { readonly str: string; readonly repr: string } {
  const limits = { ...USUAL_LIMITS, ...given };
  const buffer = new Uint8Array(bytes.buffer as ArrayBuffer).slice().buffer;
  const array = relativeLayout(shape, dtype(like), null, buffer);
  const part = shownPart(array, limits);
  const { shape: ends, nbytes } = part.elements;
  const read = relativeLayout(ends, array.dtype, null, new ArrayBuffer(nbytes));
  if (nbytes > 0) copyBuffers(read, part.elements);
  const elements = read.buffer as ArrayBuffer;
  return {
    str: strText(array, part, elements, limits),
    repr: reprText('array', array, part, elements, limits),
  };
}

const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

describe('a text like those of NumPy', () => {
  it.each([
    [[1, 2, 3], '[1. 2. 3.]', 'array([1., 2., 3.])'],
    [[0.1, -22.25, 0], '[  0.1  -22.25   0.  ]', 'array([  0.1 , -22.25,   0.  ])'],
    [[1e8, 1], '[1.e+08 1.e+00]', 'array([1.e+08, 1.e+00])'],
    [[1e-5, 1], '[1.e-05 1.e+00]', 'array([1.e-05, 1.e+00])'],
    [[1001, 1], '[1.001e+03 1.000e+00]', 'array([1.001e+03, 1.000e+00])'],
    [[nan, inf, -inf, 1], '[ nan  inf -inf   1.]', 'array([ nan,  inf, -inf,   1.])'],
    [[nan], '[nan]', 'array([nan])'],
    [[-0, 1 / 3], '[-0.          0.33333333]', 'array([-0.        ,  0.33333333])'],
    [[1e-300, 1e300], '[1.e-300 1.e+300]', 'array([1.e-300, 1.e+300])'],
  ])('of %j', (values, str, repr) => {
    expect(texts('float64', [values.length], Float64Array.from(values))).toEqual({ str, repr });
  });

  it('of one element without axes, which is not cut', () => {
    expect(texts('float64', [], Float64Array.of(1 / 3))).toEqual({
      str: '0.3333333333333333',
      repr: 'array(0.33333333)',
    });
    expect(texts('float32', [], Float32Array.of(1e6)).str).toBe('1e+06');
    expect(texts('complex64', [], Float32Array.of(0, 1)).str).toBe('1j');
    expect(texts('complex64', [], Float32Array.of(-0, -1)).str).toBe('(-0-1j)');
    expect(texts('bool', [], Uint8Array.of(1))).toEqual({ str: 'True', repr: 'array(True)' });
    expect(texts('|S2', [], Uint8Array.of(97, 0)).str).toBe("np.bytes_(b'a')");
    expect(texts('<m8[s]', [], BigInt64Array.of(5n)).str).toBe('5 seconds');
    expect(texts('<M8[D]', [], BigInt64Array.of(-(2n ** 63n))).str).toBe('NaT');
    expect(
      texts(
        [
          ['x', '<f4'],
          ['y', '|b1'],
        ],
        [],
        new Uint8Array(5),
      ).str,
    ).toBe('(0.0, False)');
  });

  it('of no elements', () => {
    expect(texts('float32', [0], new Uint8Array(0))).toEqual({
      str: '[]',
      repr: 'array([], dtype=float32)',
    });
    expect(texts('int64', [2, 0], new Uint8Array(0)).repr).toBe(
      'array([], shape=(2, 0), dtype=int64)',
    );
  });

  it('with wrapped lines, brackets of several axes, and what is left out', () => {
    const counted = Int32Array.from({ length: 2000 }, (_, i) => i);
    expect(texts('int32', [2000], counted)).toEqual({
      str: '[   0    1    2 ... 1997 1998 1999]',
      repr: 'array([   0,    1,    2, ..., 1997, 1998, 1999],\n      shape=(2000,), dtype=int32)',
    });
    expect(texts('int32', [2, 2, 2], counted).str).toBe('[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]');
    expect(texts('int32', [40], counted).str).toBe(
      '[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n' +
        ' 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39]',
    );
    expect(texts('int32', [4, 4], counted, { threshold: 3, edgeItems: 1 }).str).toBe(
      '[[ 0 ...  3]\n ...\n [12 ... 15]]',
    );
  });

  it.each([
    ['>i4', "'>i4'"],
    ['uint8', 'uint8'],
    ['|S3', "'|S3'"],
    ['|V3', "'|V3'"],
    ['<M8[ns]', "'datetime64[ns]'"],
    ['<m8', 'timedelta64'],
    ['complex64', 'complex64'],
    ['bfloat16', 'bfloat16'],
    [
      [
        ['x', '<f4'],
        [['title', 'y'], '|b1', [2]],
      ],
      "[('x', '<f4'), (('title', 'y'), '?', (2,))]",
    ],
    [
      [
        ['x', '|i1'],
        ['', '|V3'],
        ['n', [['z', '>u2']]],
      ],
      "{'names': ['x', 'n'], 'formats': ['i1', [('z', '>u2')]], 'offsets': [0, 4], 'itemsize': 6}",
    ],
  ] as const)('with the dtype %j', (like, text) => {
    const { repr } = texts(like, [0], new Uint8Array(0), { lineWidth: 200 });
    expect(repr).toBe(`array([], dtype=${text})`);
  });

  it('of floats that NumPy lacks, as its float16', () => {
    const bits = Uint8Array.of(0x38, 0x7f, 0xff, 0xb8, 0x7e);
    expect(texts('float8_e4m3fn', [5], bits).str).toBe('[  1.  nan  nan  -1. 450.]');
    expect(texts('float8_e5m2', [1], Uint8Array.of(0xfc)).str).toBe('[-inf]');
    expect(texts('float8_e8m0fnu', [2], Uint8Array.of(127, 128)).str).toBe('[1. 2.]');
    expect(texts('float4_e2m1fn', [2], Uint8Array.of(7, 9)).str).toBe('[ 6.  -0.5]');
    expect(texts('complex32', [1], Uint16Array.of(0x3c00, 0xbc00)).str).toBe('[1.-1.j]');
  });
});

describe('dates, durations and texts, as NumPy 2.4 prints them', () => {
  it.each([
    ['Y', 54n, '2024'],
    ['Y', -1971n, '-001'],
    ['M', -1n, '1969-12'],
    ['M', 659n, '2024-12'],
    ['W', 2861n, '2024-10-31'],
    ['D', 11016n, '2000-02-29'],
    ['D', -25508n, '1900-03-01'],
    ['D', 19789n, '2024-03-07'],
    ['D', -719529n, '-001-12-31'],
    ['h', 480000n, '2024-10-04T00'],
    ['m', -1n, '1969-12-31T23:59'],
    ['s', 1709209845n, '2024-02-29T12:30:45'],
    ['25s', 4n, '1970-01-01T00:01:40'],
    ['ms', 1709209845006n, '2024-02-29T12:30:45.006'],
    ['us', -1n, '1969-12-31T23:59:59.999999'],
    ['ns', 1709209845000000006n, '2024-02-29T12:30:45.000000006'],
    ['ps', -1n, '1969-12-31T23:59:59.999999999999'],
    ['fs', 1n, '1970-01-01T00:00:00.000000000000001'],
    ['as', -1n, '1969-12-31T23:59:59.999999999999999999'],
  ])('a date in %s', (unit, value, text) => {
    expect(texts(`<M8[${unit}]`, [1], BigInt64Array.of(value)).str).toBe(`['${text}']`);
  });

  it('any date of years with four digits, as JavaScript writes it', () => {
    const [first, last] = ['0000-01-01', '9999-12-31'].map((day) => Date.parse(day) / 1000);
    const seconds = fc.integer({ min: first as number, max: last as number });
    const check = (second: number) => {
      const text = new Date(second * 1000).toISOString().slice(0, 19);
      expect(texts('<M8[s]', [1], BigInt64Array.of(BigInt(second))).str).toBe(`['${text}']`);
    };
    fc.assert(fc.property(seconds, check), random(2000));
  });

  it.each([
    ['<m8[Y]', '7 years'],
    ['<m8[M]', '7 months'],
    ['<m8[3D]', '21 days'],
    ['<m8[ns]', '7 nanoseconds'],
    ['<m8', '7 generic time units'],
  ] as const)('a duration of %s', (type, text) => {
    expect(texts(type, [], BigInt64Array.of(7n)).str).toBe(text);
    expect(texts(type, [1], BigInt64Array.of(7n)).str).toBe('[7]');
  });

  it.each([
    ["a'b", `"a'b"`],
    ['a"b', `'a"b'`],
    [`a'"b`, `'a\\'"b'`],
    ['\t\n\r\\', "'\\t\\n\\r\\\\'"],
    ['\u0001\u00e9\u200b', "'\\x01\u00e9\\u200b'"],
    ['\u{1f600}\u{e0001}', "'\u{1f600}\\U000e0001'"],
    [' \u3000', "' \\u3000'"],
  ])('the text %j', (text, quoted) => {
    const characters = Uint32Array.from([...text], (one) => one.codePointAt(0) as number);
    expect(texts(`<U${characters.length}`, [1], characters).str).toBe(`[${quoted}]`);
  });

  it.each([
    [[0x61, 0x27, 0x62], `b"a'b"`],
    [[0x5c, 0x80, 0x0a], "b'\\\\\\x80\\n'"],
  ])('the bytes %j', (bytes, quoted) => {
    expect(texts('|S3', [1], Uint8Array.from(bytes)).str).toBe(`[${quoted}]`);
  });

  it('opaque bytes', () => {
    expect(texts('|V2', [1], Uint8Array.of(0xab, 1)).str).toBe("[b'\\xAB\\x01']");
  });
});

describe('what is printed without a wait', () => {
  const large = relativeLayout([2 ** 20, 2 ** 20], dtype('float64'));

  it('asks for the ends of each axis, as one view', () => {
    const seen: unknown[] = [];
    printed('A', large, ({ shape, byteStrides, nbytes }) => {
      seen.push({ shape, byteStrides });
      return new ArrayBuffer(nbytes);
    });
    const strides = [(2 ** 20 - 3) * 2 ** 23, 2 ** 23, (2 ** 20 - 3) * 8, 8];
    expect(seen).toEqual([{ shape: [2, 3, 2, 3], byteStrides: strides }]);
  });

  it('is nothing for too many ends and too large elements, which are not read', () => {
    const none = () => expect.unreachable();
    expect(printed('A', relativeLayout(Array(8).fill(7), dtype('int8')), none)).toBe(null);
    expect(printed('A', relativeLayout([2], dtype('|V1000000')), none)).toBe(null);
    expect(printed('A', large, () => null)).toBe(null);
  });
});
