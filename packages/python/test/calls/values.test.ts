import { isArrayInterfaceError } from '@array-interface/core';
import { PyObject, startPython } from '@array-interface/python';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';

const python = startPython({ venv });
python.exec(`
import collections, enum, itertools
def same(value): return value
def show(value): return repr(value)
def kind(value): return type(value).__name__
class Colour(enum.IntEnum): RED = 7
Point = collections.namedtuple('Point', 'x y')
class Word(str): pass
class Grade(float): pass
ordered = collections.OrderedDict(a=1, b=2); ordered.move_to_end('a')
`);
const call = (name: string, ...args: unknown[]) => (python.eval(name) as PyObject).call(args);
const show = (value: unknown) => call('show', value);

test.each([
  [undefined, 'None'],
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
  [0, '0'],
  [-0, '-0.0'],
  [1, '1'],
  [1.5, '1.5'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  [Number.MAX_SAFE_INTEGER + 1, '9007199254740992.0'],
  [Number.NaN, 'nan'],
  [Number.NEGATIVE_INFINITY, '-inf'],
  [1n, '1'],
  [-(2n ** 63n), '-9223372036854775808'],
  [2n ** 64n, '18446744073709551616'],
  ['', "''"],
  ['é\u{1f600}', "'é\u{1f600}'"],
  ['a\0b', "'a\\x00b'"],
  ['\ufeffa', "'\\ufeffa'"],
  ['\ud800x', "'\\ud800x'"],
  [new Uint8Array([1, 255]), "b'\\x01\\xff'"],
  [new Uint8Array([1, 2, 3, 4]).subarray(1, 3), "b'\\x02\\x03'"],
  [new Uint16Array([1, 2]), "b'\\x01\\x00\\x02\\x00'"],
  [new Float64Array(1), "b'\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00'"],
  [new DataView(new Uint8Array([7, 8, 9]).buffer, 1, 2), "b'\\x08\\t'"],
  [new Uint8Array([7]).buffer, "b'\\x07'"],
  [new Uint8Array(new SharedArrayBuffer(2)), "b'\\x00\\x00'"],
  [new Uint8Array(), "b''"],
  [[1, [2, 'a'], []], "[1, [2, 'a'], []]"],
  // biome-ignore lint/suspicious/noSparseArray: a hole is None
  [[1, , 2], '[1, None, 2]'],
  [{ a: 1, b: { c: [null] } }, "{'a': 1, 'b': {'c': [None]}}"],
  [{ [Symbol('hidden')]: 1 }, '{}'],
  [JSON.parse('{"__proto__": 1}'), "{'__proto__': 1}"],
  [Object.assign(Object.create(null), { a: 1 }), "{'a': 1}"],
  [
    new Map<unknown, unknown>([
      [1, 2],
      [[1, [2]], 'x'],
      ['s', null],
    ]),
    "{1: 2, (1, (2,)): 'x', 's': None}",
  ],
  [new Set([[1, 2]]), '{(1, 2)}'],
  [new Set(), 'set()'],
])('%o is %s in Python', (value, expected) => {
  expect(show(value)).toBe(expected);
});

test('a string of any length and content crosses', () => {
  for (const unit of ['a', 'é', '\u{1f600}', '\ud800', '\0']) {
    for (const length of [1, 62, 63, 64, 126, 127, 128, 129, 4000]) {
      const text = unit.repeat(length);
      expect(call('same', text)).toBe(text);
    }
  }
});

test('an int is a number if it is a safe integer, else a bigint', () => {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  for (const value of [0n, -1n, largest, -largest]) expect(call('same', value)).toBe(Number(value));
  const bits = [53n, 62n, 63n, 64n, 65n, 127n, 128n, 4096n];
  for (const value of bits.flatMap((bit) => [
    2n ** bit,
    2n ** bit + 1n,
    -(2n ** bit),
    1n - 2n ** (bit + 1n),
  ])) {
    expect(call('same', value)).toBe(value);
  }
});

test('an int that no bigint can hold is refused', () => {
  expect(() => python.eval('1 << (64 + (1 << 30))')).toThrowError(
    expect.objectContaining({ code: 'ERR_OVERFLOW' }),
  );
});

test.each([
  ['None', null],
  ['True', true],
  ['1.5', 1.5],
  ['float("nan")', Number.NaN],
  ['-0.0', -0],
  ['"a\\0b"', 'a\0b'],
  ['"\\ud800"', '\ud800'],
  ['b"a\\0"', new Uint8Array([97, 0])],
  ['b""', new Uint8Array()],
  ['[1, (2, [])]', [1, [2, []]]],
  ['{}', {}],
  ['{"b": 1, "a": {"c": None}}', { b: 1, a: { c: null } }],
  [
    '{1: "x", "y": 2}',
    new Map<unknown, unknown>([
      [1, 'x'],
      ['y', 2],
    ]),
  ],
  ['{(1, 2): 3}', new Map([[[1, 2], 3]])],
  ['Colour.RED', 7],
  ['Point(1, y="b")', [1, 'b']],
  ['Word("w")', 'w'],
  ['Grade(2.5)', 2.5],
  ['ordered', { b: 2, a: 1 }],
  ['collections.Counter("aab")', { a: 2, b: 1 }],
  ['collections.defaultdict(list, a=[1])', { a: [1] }],
])('%s is a plain value in JavaScript', (code, expected) => {
  expect(python.eval(code)).toStrictEqual(expected);
});

test('the order of a dict is kept', () => {
  expect(Object.keys(python.eval('ordered') as object)).toEqual(['b', 'a']);
});

test('a key such as __proto__ or constructor is an ordinary property', () => {
  const made = python.eval('{"__proto__": {"x": 1}, "constructor": 2, "toString": 3}') as object;
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  expect(Object.entries(made)).toEqual([
    ['__proto__', { x: 1 }],
    ['constructor', 2],
    ['toString', 3],
  ]);
  expect({}).not.toHaveProperty('x');
});

test('bytes are a copy, both ways', () => {
  const bytes = new Uint8Array([1, 2]);
  python.import('__main__').set('kept', bytes);
  bytes[0] = 9;
  const read = python.eval('kept') as Uint8Array;
  read[1] = 9;
  expect(python.eval('kept')).toEqual(new Uint8Array([1, 2]));
});

test.each([
  Int8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
])('all bytes of a %o cross', (Kind) => {
  const array = new Kind(3);
  new Uint8Array(array.buffer).fill(7);
  expect(call('same', array)).toEqual(new Uint8Array(array.byteLength).fill(7));
});

test('large bytes cross', () => {
  const read = python.eval('bytes(1 << 24) + b"x"') as Uint8Array;
  expect([read.length, read.at(-1)]).toEqual([2 ** 24 + 1, 120]);
});

test.each(['{1, 2}', 'frozenset()', 'range(3)', 'complex(1)', 'bytearray(2)', 'object()', 'len'])(
  '%s is a PyObject',
  (code) => {
    expect(python.eval(code)).toBeInstanceOf(PyObject);
  },
);

test.each(['float64(1.5)', 'float32(1.5)', 'int64(3)', 'str_("a")', 'bool_(True)', 'zeros(2)'])(
  'a NumPy %s is a PyObject',
  (code) => {
    python.exec('import numpy');
    expect(python.eval(`numpy.${code}`)).toBeInstanceOf(PyObject);
  },
);

test.each([
  ['{1, (2, 3)}', new Set([1, [2, 3]])],
  ['frozenset([None])', new Set([null])],
  ['bytearray(b"ab")', new Uint8Array([97, 98])],
  ['memoryview(b"ab")', [97, 98]],
  ['range(3)', [0, 1, 2]],
  ['(i * i for i in [1, 2])', [1, 4]],
  ['collections.deque([{1}])', [new Set([1])]],
  ['[{1}]', [new Set([1])]],
  ['{"a": {2}}.items()', [['a', new Set([2])]]],
  ['__import__("types").MappingProxyType({"a": {1}})', { a: new Set([1]) }],
  ['collections.ChainMap({"a": 1}, {"b": 2})', { b: 2, a: 1 }],
  [
    'numpy.arange(4).reshape(2, 2)',
    [
      [0, 1],
      [2, 3],
    ],
  ],
  ['numpy.float32(1.5)', 1.5],
  ['numpy.array(["a"], dtype=object)', ['a']],
])('toJS of %s returns all of it', (code, expected) => {
  python.exec('import numpy');
  expect(toObject(code).toJS()).toStrictEqual(expected);
});

/** A PyObject for anything: an iterator of what crosses by value. */
function toObject(code: string): PyObject {
  const value = python.eval(code);
  if (value instanceof PyObject) return value;
  return python.eval(`iter(${code})`) as PyObject;
}

test.each([
  ['[object()]', '[0]'],
  ['{"a": [1, len]}', 'a[1]'],
  ['{"a b": len}', '["a b"]'],
  ['{"a": {"b": object}}', 'a.b'],
])('toJS of %s says where it fails', (code, path) => {
  const holder = python.eval(`__import__("types").MappingProxyType({"it": ${code}})`) as PyObject;
  const expected = path.startsWith('[') ? `it${path}` : `it.${path}`;
  expect(() => holder.toJS()).toThrowError(
    expect.objectContaining({ code: 'ERR_TYPE', path: expected }),
  );
});

python.exec(`
class Pairs(dict):
    def __init__(self, *pairs): self.pairs = pairs
    def items(self): return [*self.pairs]
class Own(dict):
    def items(self): return [(self, 1)]
`);

test.each([
  [
    'Pairs([1, 2], (3, 4))',
    new Map([
      [1, 2],
      [3, 4],
    ]),
  ],
  ['Pairs("ab")', { a: 'b' }],
])('pairs may be any sequence, also of another class: %s', (code, expected) => {
  expect(python.eval(code)).toStrictEqual(expected);
});

test.each([
  ['Pairs((1,))', 'ERR_TYPE', 'got 1 values in one'],
  ['Pairs((1, 2, 3))', 'ERR_TYPE', 'got 3 values in one'],
  ['Own()', 'ERR_TYPE', 'or one that contains itself'],
  ['(None,) * (2 ** 26 + 1)', 'ERR_OVERFLOW', 'got 67108865; read it in parts'],
])('%s is refused', (code, error, message) => {
  const matching = { code: error, message: expect.stringContaining(message) };
  expect(() => python.eval(code)).toThrowError(expect.objectContaining(matching));
});

test('an array that is too long is refused', () => {
  const long: unknown[] = [];
  long.length = 2 ** 26 + 1;
  expect(() => call('same', [1, long])).toThrowError(
    expect.objectContaining({ code: 'ERR_OVERFLOW', path: 'args[0][1]' }),
  );
  using print = python.eval('print') as PyObject;
  expect(() => print.call(long)).toThrowError(
    expect.objectContaining({ code: 'ERR_OVERFLOW', path: 'args' }),
  );
});

test.each([
  [new Date(), '', 'Date'],
  [[1, { x: Symbol('s') }], '[1].x', 'symbol'],
  [[{ 'a-b': new (class Mine {})() }], '[0]["a-b"]', 'Mine'],
  [new Map([['k', /x/]]), '.k', 'RegExp'],
  [new WeakMap(), '', 'WeakMap'],
  [Promise.resolve(), '', 'Promise'],
])('%o is refused, and the error says where it is', (value, path, name) => {
  expect(() => show(value)).toThrowError(
    expect.objectContaining({
      code: 'ERR_TYPE',
      path: `args[0]${path}`,
      message: expect.stringContaining(name),
    }),
  );
});

test('values that contain themselves are refused, from both sides', () => {
  const array: unknown[] = [];
  array.push({ again: array });
  expect(() => show(array)).toThrowError(expect.objectContaining({ code: 'ERR_TYPE' }));
  const map = new Map<string, unknown>();
  map.set('again', map);
  expect(() => show(map)).toThrowError(expect.objectContaining({ code: 'ERR_TYPE' }));
  python.exec('ring = []; ring.append({"again": (ring,)})');
  expect(() => python.eval('ring')).toThrowError(
    expect.objectContaining({ code: 'ERR_TYPE', path: '[0].again[0][0].again[0][0].again…' }),
  );
});

test('deep values cross up to 400 levels', () => {
  const nested = (depth: number) => {
    let value: unknown = 1;
    for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { x: value };
    return value;
  };
  expect(call('same', nested(398))).toEqual(nested(398));
  expect(() => call('same', nested(500))).toThrowError(/at most 400 levels/);
  python.exec('deep = 1\nfor _ in range(100_000): deep = [deep]');
  expect(() => python.eval('deep')).toThrowError(/at most 400 levels/);
  python.exec('while isinstance(deep, list): deep = deep[0]');
});

test('a getter may call Python, and what it throws is thrown', () => {
  const object = {
    get x() {
      return python.eval('40 + 2');
    },
  };
  expect(show(object)).toBe("{'x': 42}");
  const reason = new Error('no');
  const thrower = {
    get x() {
      throw reason;
    },
  };
  expect(() => show([thrower])).toThrowError(reason);
});

test('a list that changes while it is read is read as it was', () => {
  python.exec(`
class Type(type):
    def __getattr__(cls, name):
        mine.clear()
        raise AttributeError(name)
class Part(int, metaclass=Type): pass
mine = [Part(1), Part(2), Part(3)]
`);
  expect(python.eval('mine')).toEqual([1, 2, 3]);
});

test('every copy of core recognises errors of conversions', () => {
  try {
    show(Symbol());
  } catch (error) {
    expect(isArrayInterfaceError(error, 'ERR_TYPE')).toBe(true);
  }
  expect.assertions(1);
});
