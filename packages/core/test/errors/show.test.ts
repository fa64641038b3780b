import { describe, expect, it } from 'vitest';
import { cut, printable, show, showList } from '../../src/errors/show.js';
import { ArrayInterfaceError } from '../../src/index.js';

describe('show', () => {
  it.each([
    ['<f4', '"<f4"'],
    ['\u001b\u009b\u200e\u200f\u061c\u202e', '"\\u001b\\u009b\\u200e\\u200f\\u061c\\u202e"'],
    ['\u{e0041}', '"\\udb40\\udc41"'],
    [Symbol('\u001b[31mred\n'), '\\u001b[31mred\\u000a'],
    [Symbol('s'.repeat(50)), `${'s'.repeat(40)}…`],
    ['s'.repeat(50), `"${'s'.repeat(40)}…"`],
    [-0, '-0'],
    [2n ** 200n, 'an integer past 2^128'],
    [undefined, 'nothing'],
    [() => 0, 'a function'],
  ])('shows %s as %s', (value, text) => {
    expect(show(value)).toBe(text);
  });

  it('shows the first entries of a long list', () => {
    expect(showList([2, 3])).toBe('[2,3]');
    expect(showList(new Array(16).fill(1))).toBe(`[${'1,'.repeat(15)}1]`);
    expect(showList(new Array(64).fill(2 ** 52))).toBe(`[${`${2 ** 52},`.repeat(16)}…]`);
  });
});

describe('printable', () => {
  it('shows values that are not text, and never throws', () => {
    expect(printable(Symbol('a\u001b[31m') as never)).toBe('a\\u001b[31m');
    expect(printable(Object.create(null) as never)).toBe('an object');
  });

  it('quotes text as JSON, and keeps letters of all scripts', () => {
    const text = '\u0000\u0085\u2028\u2066\ufeff\u{e0041}é中𐀀';
    const json = printable(JSON.stringify(text));
    expect(JSON.parse(json)).toBe(text);
    expect(json).toBe('"\\u0000\\u0085\\u2028\\u2066\\ufeff\\udb40\\udc41é中𐀀"');
  });
});

describe('cut', () => {
  it('does not cut a character in two', () => {
    expect(cut('a𐀀b', 4)).toBe('a𐀀b');
    expect(cut('a𐀀bc', 3)).toBe('a𐀀…');
    expect(cut('a𐀀bc', 2)).toBe('a…');
  });
});

describe('a message', () => {
  it('has at most 2,000 characters, and no control characters', () => {
    const { message } = new ArrayInterfaceError('ERR_SYCL', null, `\u009b\n${'x'.repeat(9000)}`);
    expect(message).toMatch(/^\[ERR_SYCL\] \\u009b\\u000ax+…$/);
    expect(message).toHaveLength(2000);
  });
});
