import type { PyObject } from '@array-interface/python';
import { startPython } from '@array-interface/python';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';

const python = startPython({ venv });
python.exec('def show(value): return type(value).__name__ + " " + repr(value)');
const show = (value: unknown) => python.eval('show').call<string>([value]);
const wrong = (value: unknown) => value as never;

test.each([
  [() => python.float(1), 'float 1.0'],
  [() => python.float(-0), 'float -0.0'],
  [() => python.float(2n ** 60n), 'float 1.152921504606847e+18'],
  [() => python.float('nan'), 'float nan'],
  [() => python.float(python.eval("__import__('fractions').Fraction(1, 4)")), 'float 0.25'],
  [() => python.int(3), 'int 3'],
  [() => python.int(-0), 'int 0'],
  [() => python.int(1e20), 'int 100000000000000000000'],
  [() => python.int(2n ** 70n), 'int 1180591620717411303424'],
  [() => python.int(' 1_000 '), 'int 1000'],
  [() => python.int(python.float(2.5)), 'int 2'],
  [() => python.complex(1), 'complex (1+0j)'],
  [() => python.complex(0.5, -2), 'complex (0.5-2j)'],
  [() => python.bytes(new Uint8Array([1, 255])), "bytes b'\\x01\\xff'"],
  [() => python.bytes(new Uint16Array([1]).buffer), "bytes b'\\x01\\x00'"],
  [() => python.bytes([104, 105]), "bytes b'hi'"],
  [() => python.bytes(python.eval('bytearray(2)')), "bytes b'\\x00\\x00'"],
  [() => python.tuple(), 'tuple ()'],
  [() => python.tuple([1, [2], 'a']), "tuple (1, [2], 'a')"],
  [() => python.tuple('ab'), "tuple ('a', 'b')"],
  [() => python.tuple(new Set([1])), 'tuple (1,)'],
  [() => python.tuple(python.eval('range(2)')), 'tuple (0, 1)'],
  [() => python.tuple(python.tuple([1])), 'tuple (1,)'],
  [() => python.list(), 'list []'],
  [() => python.list(new Map([[1, 2]]).entries()), 'list [[1, 2]]'],
  [() => python.list(python.eval('"ab"[:1] and (1, 2)')), 'list [1, 2]'],
  [() => python.set(), 'set set()'],
  [() => python.set([1, 1]), 'set {1}'],
  [() => python.set([[1, [2]]]), 'set {(1, (2,))}'],
  [() => python.set(python.tuple([1])), 'set {1}'],
  [() => python.dict(), 'dict {}'],
  [() => python.dict({ a: [1] }), "dict {'a': [1]}"],
  [() => python.dict(new Map([[[1, 2], 3]])), 'dict {(1, 2): 3}'],
  [() => python.dict([['a', 1]]), "dict {'a': 1}"],
  [() => python.dict(python.eval('{"a": 1}.items()')), "dict {'a': 1}"],
  [() => python.slice(3), 'slice slice(None, 3, None)'],
  [() => python.slice(1, null), 'slice slice(1, None, None)'],
  [() => python.slice(null, undefined, -1), 'slice slice(None, None, -1)'],
  [() => python.slice('a', 'c'), "slice slice('a', 'c', None)"],
])('%s', (make, expected) => {
  expect(show(make())).toBe(expected);
});

test.each([
  [() => python.int(1.5), 'ERR_ARGUMENT'],
  [() => python.int(Number.NaN), 'ERR_ARGUMENT'],
  [() => python.int(Number.POSITIVE_INFINITY), 'ERR_ARGUMENT'],
  [() => python.int(wrong(null)), 'ERR_TYPE'],
  [() => python.int('1.5'), 'ERR_PYTHON'],
  [() => python.float(wrong([])), 'ERR_TYPE'],
  [() => python.float(2n ** 2000n), 'ERR_PYTHON'],
  [() => python.bytes(wrong('text')), 'ERR_TYPE'],
  [() => python.bytes(wrong(3)), 'ERR_TYPE'],
  [() => python.bytes([256]), 'ERR_PYTHON'],
  [() => python.tuple(wrong(1)), 'ERR_TYPE'],
  [() => python.tuple(wrong(null)), 'ERR_TYPE'],
  [() => python.list(wrong({ a: 1 })), 'ERR_TYPE'],
  [() => python.set(wrong(5)), 'ERR_TYPE'],
  [() => python.set([{ a: 1 }]), 'ERR_PYTHON'],
  [() => python.dict(wrong(5)), 'ERR_TYPE'],
  [() => python.dict(wrong(null)), 'ERR_TYPE'],
  [() => python.list(python.eval('object()')), 'ERR_PYTHON'],
])('%s throws %s', (make, code) => {
  expect(make).toThrowError(expect.objectContaining({ code }));
});

test('a program may replace a built-in class', () => {
  python.exec('import builtins; kept_float = builtins.float; builtins.float = None');
  expect(String(python.float(2))).toBe('2.0');
  python.exec('builtins.float = kept_float');
});

test('a tuple is what isinstance and startswith ask for', () => {
  const { int, str } = { int: python.eval('int'), str: python.eval('str') };
  const isInstance = python.eval('isinstance');
  expect(isInstance.call([1, python.tuple([int, str])])).toBe(true);
  expect(isInstance.call([1.5, python.tuple([int, str])])).toBe(false);
  const starts = python.eval('str.startswith');
  expect(starts.call(['able', python.tuple(['x', 'a'])])).toBe(true);
});

test('np.full of a float takes halves', () => {
  const full = python.import('numpy').callMethod('full', [3, python.float(1)]);
  full.setItem(0, 0.5);
  expect(full.toJS()).toEqual([0.5, 1, 1]);
});

test('raw keeps every value as an object, with its class', () => {
  python.exec("raw = {'one': 1.0, 'text': 'a', 'none': None, 'list': [True]}");
  const { raw } = python.eval('raw');
  expect(show(raw.getItem('one'))).toBe('float 1.0');
  expect(show(raw.callMethod('get', ['text']))).toBe("str 'a'");
  expect(show(raw.getItem('none'))).toBe('NoneType None');
  expect([...raw].map(String)).toEqual(['one', 'text', 'none', 'list']);
  expect(show(python.eval('len').raw.call([[1, 2]]))).toBe('int 2');
  expect(show(python.eval('1j').raw.get('imag'))).toBe('float 1.0');
  const any = python.import('numpy').raw.callMethod('any', [[true]], { axis: null });
  expect(show(any)).toMatch(/^bool_? (np\.)?True_?$/);
  expect(() => raw.getItem('missing')).toThrowError(expect.objectContaining({ type: 'KeyError' }));
});

/** Built of what C1.2 of ADR 34 keeps: whole floats go as python.float. */
const leaf = fc.oneof(
  fc.integer(),
  fc.bigInt(),
  fc.double({ noNaN: true }).filter((one) => !Number.isInteger(one) || Object.is(one, -0)),
  fc.string({ unit: 'grapheme' }),
  fc.boolean(),
  fc.constant(null),
);

test('what is plain goes there and back exactly', () => {
  const same = python.eval('lambda value: value');
  const check = fc.property(leaf, (value) => {
    const back = same.call<unknown>([value]);
    if (typeof value === 'bigint') expect(BigInt(back as number)).toBe(value);
    else expect(back).toBe(value);
  });
  fc.assert(check, random(500));
  fc.assert(
    fc.property(fc.double(), (value) => {
      expect(same.call([value])).toBe(value);
    }),
    random(500),
  );
});

test('tuples, lists, sets and dicts of copies equal their originals', () => {
  const made = fc.array(leaf.filter((one) => typeof one !== 'bigint'));
  const ask = python.eval('lambda a, b: type(a) is type(b) and a == b');
  const check = fc.property(made, (values) => {
    const pairs = values.map((one, i) => [String(i), one] as const);
    for (const original of [
      python.tuple(values),
      python.list(values),
      python.set(values),
      python.dict(pairs),
    ]) {
      expect(ask.call([rebuilt(original), original])).toBe(true);
    }
  });
  fc.assert(check, random(100));
});

/** Of JavaScript's copy, and of what iterating gives. */
function rebuilt(original: PyObject): PyObject {
  const name = original.get('__class__').get<string>('__name__');
  if (name === 'dict') return python.dict(original.toJS<object>() as Record<string, unknown>);
  if (name === 'set') return python.set(original.toJS<Set<unknown>>());
  return name === 'tuple' ? python.tuple([...original]) : python.list(original.toJS<unknown[]>());
}
