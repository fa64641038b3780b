import { runInNewContext } from 'node:vm';
import { isArrayInterfaceError } from '@array-interface/core';
import { host } from '@array-interface/host';
import { PyObject, startPython } from '@array-interface/python';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';

const python = startPython({ venv });
python.exec(`
import collections, enum, itertools
def same(value): return value
def show(value): return repr(value)
def kind(value): return type(value).__name__
def is_kept(value): return value is kept
def is_kept_in(value): return value[1]['value'] is kept
class Colour(enum.IntEnum): RED = 7
class Flags(enum.IntFlag): A = 1
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
  ['numpy.any([False, True])', true],
  ['numpy.any([False])', false],
])('%s is a plain value in JavaScript', (code, expected) => {
  python.exec('import numpy');
  expect(python.eval(code)).toStrictEqual(expected);
});

test.each([
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
])('toJS of %s is a plain value', (code, expected) => {
  expect(toObject(code).toJS()).toStrictEqual(expected);
});

test('the order of a dict is kept', () => {
  expect(Object.keys(toObject('ordered').toJS<object>())).toEqual(['b', 'a']);
});

test('a key such as __proto__ or constructor is an ordinary property', () => {
  const code = '{"__proto__": {"x": 1}, "constructor": 2, "toString": 3}';
  const made = toObject(code).toJS<object>();
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  expect(Object.entries(made)).toEqual([
    ['__proto__', { x: 1 }],
    ['constructor', 2],
    ['toString', 3],
  ]);
  expect({}).not.toHaveProperty('x');
});

test('large bytes cross', () => {
  const read = python.eval('bytes(1 << 24) + b"x"') as Uint8Array;
  expect([read.length, read.at(-1)]).toEqual([2 ** 24 + 1, 120]);
});

test.each([
  ...['[1]', '(1,)', '()', '{"a": 1}', '{1, 2}', 'frozenset()', 'range(3)', 'complex(1)'],
  ...['bytearray(2)', 'object()', 'len', 'Colour.RED', 'Point(1, 2)', 'Word("w")', 'Grade(1)'],
  ...['ordered', 'collections.Counter("aab")', 'collections.defaultdict(list)', 'HTTPStatus.OK'],
  ...['numpy.float64(1.5)', 'numpy.float32(1.5)', 'numpy.int64(3)', 'numpy.str_("a")'],
  ...['numpy.zeros(2)', 'numpy.zeros(())', 'numpy.array(True)', 'sys.version_info'],
  ...['Flags.A', 'bytes.__new__(type("Bytes", (bytes,), {}))', 'datetime.datetime(2020, 1, 1)'],
])('%s is a PyObject, and passes as itself', (code) => {
  python.exec('import datetime, numpy, sys\nfrom http import HTTPStatus');
  const value = python.eval(`kept := ${code}`.replace(/^(.*)$/, '($1)'));
  expect(value).toBeInstanceOf(PyObject);
  expect(call('is_kept', value)).toBe(true);
  expect(call('is_kept_in', [1, { value }])).toBe(true);
  const pass = (given: unknown) => given;
  expect(call('is_kept', (python.eval('lambda f: f(kept)') as PyObject).call([pass]))).toBe(true);
});

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

function toObject(code: string): PyObject {
  const value = python.eval(code);
  if (value instanceof PyObject) return value;
  throw new TypeError(`${code} crosses by value`);
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
  expect(toObject(code).toJS()).toStrictEqual(expected);
});

test.each([
  ['Pairs((1,))', 'ERR_TYPE', 'got 1 values in one'],
  ['Pairs((1, 2, 3))', 'ERR_TYPE', 'got 3 values in one'],
  ['Own()', 'ERR_TYPE', 'or one that contains itself'],
  ['(None,) * (2 ** 26 + 1)', 'ERR_OVERFLOW', 'got 67108865; read it in parts'],
])('%s is refused', (code, error, message) => {
  const matching = { code: error, message: expect.stringContaining(message) };
  expect(() => toObject(code).toJS()).toThrowError(expect.objectContaining(matching));
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
  [new Date(Number.NaN), '', 'an invalid one'],
  [[1, { x: Symbol('s') }], '[1].x', 'symbol'],
  [[{ 'a-b': new (class Mine {})() }], '[0]["a-b"]', 'Mine'],
  [new Map([['k', /x/]]), '.k', 'RegExp'],
  [
    [new Map<unknown, unknown>([...[1, 1n, true].map((key) => [key, key] as const)])],
    '[0]',
    'as 1, 1n',
  ],
  [new WeakMap(), '', 'WeakMap'],
  [Promise.resolve(), '', 'a promise; await it first'],
  [[1].values(), '', 'an iterator; pass [...it]'],
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
  expect(() => toObject('ring').toJS()).toThrowError(
    expect.objectContaining({ code: 'ERR_TYPE', path: '[0].again[0][0].again[0][0].again…' }),
  );
});

test('deep values cross up to 400 levels', () => {
  const nested = (depth: number) => {
    let value: unknown = 1;
    for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { x: value };
    return value;
  };
  expect((call('same', nested(398)) as PyObject).toJS()).toEqual(nested(398));
  expect(() => call('same', nested(500))).toThrowError(/at most 400 levels/);
  python.exec('deep = 1\nfor _ in range(100_000): deep = [deep]');
  expect(() => toObject('deep').toJS()).toThrowError(/at most 400 levels/);
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
class Part:
    def __init__(self, n): self.n = n
    def tolist(self):
        mine.clear()
        return self.n
mine = [Part(1), Part(2), Part(3)]
`);
  expect(toObject('mine').toJS()).toEqual([1, 2, 3]);
});

test('every copy of core recognises errors of conversions', () => {
  try {
    show(Symbol());
  } catch (error) {
    expect(isArrayInterfaceError(error, 'ERR_TYPE')).toBe(true);
  }
  expect.assertions(1);
});

test.each([
  [0, '1970-01-01T00:00:00+00:00'],
  [-1, '1969-12-31T23:59:59.999000+00:00'],
  [Date.UTC(2020, 1, 29, 12, 30, 1, 2), '2020-02-29T12:30:01.002000+00:00'],
  [-62135596800000, '0001-01-01T00:00:00+00:00'],
  [253402300799999, '9999-12-31T23:59:59.999000+00:00'],
])('a Date of %i ms is %s', (time, text) => {
  const made = call('same', new Date(time)) as PyObject;
  expect([made.callMethod('isoformat'), made.get('tzinfo').toString()]).toEqual([text, 'UTC']);
});

test('every Date in the years 1 to 9999 comes back as the same instant', () => {
  const time = fc.integer({ min: -62135596800000, max: 253402300799999 });
  const check = fc.property(time, (one) => {
    expect((call('same', new Date(one)) as PyObject).toJS()).toEqual(new Date(one));
  });
  fc.assert(check, random(300));
  for (const one of [-62135596800001, 253402300800000]) {
    expect(() => show(new Date(one))).toThrowError(
      expect.objectContaining({ code: 'ERR_OVERFLOW', path: 'args[0]' }),
    );
  }
});

test('values of another realm are those of this one, and a Proxy of an array is an array', () => {
  const code = `[new Map([['a', new Set([1])]]), { b: [2] }, new Date(0)]`;
  const [map, plain, date] = runInNewContext(code) as unknown[];
  expect(show(map)).toBe("{'a': {1}}");
  expect(show(plain)).toBe("{'b': [2]}");
  expect(show(date)).toMatch(/^datetime\.datetime\(1970, 1, 1/);
  expect(show(new Proxy([1, [2]], {}))).toBe('[1, [2]]');
  expect(show(new Set([new Proxy([1, [2]], {})]))).toBe('{(1, (2,))}');
});

test('an array of a backend is what toPython makes of it', async () => {
  using array = await host.array(
    [
      [1, 2],
      [3, 4],
    ],
    { dtype: 'float32' },
  );
  python.exec('import numpy');
  using seen = python.import('numpy').callMethod('asarray', [array]);
  expect([seen.get('ctypes').get('data'), seen.toJS()]).toEqual([
    Number(array.pointer),
    [
      [1, 2],
      [3, 4],
    ],
  ]);
  seen.setItem(0, 1, 7);
  expect([...(await host.toTypedArray(array))]).toEqual([1, 7, 3, 4]);
  expect(show([array])).toMatch(/^\[<array_interface HostArray/);
  python.exec('import sys');
  const references = python.eval('sys.getrefcount');
  const held = python.toPython(array); // an argument itself is held by nothing else
  expect(references.call<number>([array])).toBe(references.call<number>([held]) - 1);
  array[Symbol.dispose]();
  expect(() => show([1, array])).toThrowError(expect.objectContaining({ code: 'ERR_DISPOSED' }));
});
