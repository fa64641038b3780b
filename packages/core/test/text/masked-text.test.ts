import { expect, it } from 'vitest';
import { relativeLayout } from '../../src/descriptor/relative-layout.js';
import { type DTypeLike, dtype } from '../../src/index.js';
import { type TextLimits, USUAL_LIMITS } from '../../src/text/limits.js';
import { maskedText } from '../../src/text/masked-text.js';
import { shownPart } from '../../src/text/shown-part.js';

// What NumPy 2.4 prints. testing/peers compares random arrays with NumPy itself.

function text(
  like: DTypeLike,
  shape: readonly number[],
  bytes: ArrayBufferView,
  valid: readonly number[],
  given: Partial<TextLimits> = {},
): string {
  const limits = { ...USUAL_LIMITS, ...given };
  const buffer = new Uint8Array(bytes.buffer as ArrayBuffer).slice().buffer;
  const array = relativeLayout(shape, dtype(like), null, buffer);
  return maskedText(array, shownPart(array, limits), buffer, Uint8Array.from(valid), limits);
}

it('elements are written as Python writes them, and masked ones as --', () => {
  expect(text('int32', [3], Int32Array.of(1, 2, 300), [1, 0, 1])).toBe('[1 -- 300]');
  expect(text('int32', [2, 2], Int32Array.of(1, 2, 300, 4), [1, 0, 1, 1])).toBe(
    '[[1 --]\n [300 4]]',
  );
  expect(text('float32', [3], Float32Array.of(0.1, 2, 1e20), [1, 0, 1])).toBe(
    '[0.10000000149011612 -- 1.0000000200408773e+20]',
  );
  expect(text('bool', [2], Uint8Array.of(1, 0), [1, 0])).toBe('[True --]');
  expect(text('complex128', [2], Float64Array.of(1, 2, 3, 0), [1, 0])).toBe('[(1+2j) --]');
  expect(text('|S2', [2], Uint8Array.of(97, 98, 99, 0), [1, 0])).toBe("[b'ab' --]");
  expect(text('<U1', [2], Uint32Array.of(39, 99), [1, 0])).toBe('["\'" --]');
  expect(text('|V2', [2], Uint8Array.of(0, 97, 0, 0), [1, 0])).toBe("[b'\\x00a' --]");
  expect(text('float64', [0], new Float64Array(0), [])).toBe('[]');
});

it('a masked record has masked fields', () => {
  const record = [
    ['a', 'f4'],
    ['b', 'i4', [2]],
  ] as const;
  const bytes = new Uint8Array(24);
  expect(text(record, [2], bytes, [1, 0])).toBe('[(0.0, [0, 0]) (--, [--, --])]');
  expect(text([['a', 'f4']], [2], new Float32Array(2), [1, 0])).toBe('[(0.0,) (--,)]');
});

it('one element without axes is on its own', () => {
  expect(text('float64', [], Float64Array.of(5), [0])).toBe('--');
  expect(text('float64', [], Float64Array.of(5.5), [1])).toBe('5.5');
  expect(text('<U1', [], Uint32Array.of(120), [1])).toBe('x');
  expect(text('<U1', [], Uint32Array.of(120), [0])).toBe('--');
});

it('long arrays are shortened, and nothing is dropped in silence', () => {
  const valid = Array.from({ length: 1200 }, (_, i) => (i + 1) % 2);
  const numbers = Int32Array.from({ length: 1200 }, (_, i) => i);
  expect(text('int32', [6], numbers.slice(0, 6), valid, { threshold: 5, edgeItems: 2 })).toBe('[0 -- ... 2 --]'); // biome-ignore format: the part is dense
  const rows = text('int32', [2, 200], numbers.slice(0, 400), valid);
  expect(rows.match(/--/g)?.length).toBe(200); // NumPy shows 100
});

it('dates are those of arrays without a mask', () => {
  const days = BigInt64Array.of(0n, -(2n ** 63n), 1n);
  expect(text('<M8[D]', [3], days, [1, 1, 0])).toBe("['1970-01-01' NaT --]");
  expect(text('<m8[s]', [3], days, [1, 1, 0])).toBe('[0 NaT --]');
  expect(text('<M8[D]', [], days.slice(0, 1), [1])).toBe('1970-01-01');
});
