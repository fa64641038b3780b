import { PyObject, startPython } from '@array-interface/python';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';

const python = startPython({ venv });
python.exec(`
import collections, datetime, decimal, enum, fractions, numpy
from collections.abc import Mapping
class Table:
    '''As pandas.DataFrame is: columns by name, which is no mapping.'''
    def keys(self): return ['a']
    def items(self): return [('a', [1])]
    def __iter__(self): return iter(self.keys())
    def to_dict(self, orient): return {'a': [1]}
class Row:
    '''As sqlite3.Row.'''
    def keys(self): return ['a']
    def __iter__(self): return iter([1])
    def __getitem__(self, key): return 1
class Config(Mapping):
    def __getitem__(self, key): return {'a': 1}[key]
    def __iter__(self): return iter('a')
    def __len__(self): return 1
class Text(str):
    '''Texts that are equal to themselves alone.'''
    __eq__ = object.__eq__
    __hash__ = object.__hash__
class Colour(enum.Enum): RED = 1
class Zone(datetime.tzinfo):
    def utcoffset(self, when): return datetime.timedelta(hours=5, minutes=45, microseconds=1)
class NaT(datetime.datetime):
    '''As pandas.NaT: a datetime that is none.'''
    def utcoffset(self): return self
    def __sub__(self, other): return self
    def __floordiv__(self, other): return float('nan')
async def coroutine(): pass
utc = datetime.timezone.utc
`);

test('depth is the number of levels that are copied', () => {
  const nested = python.eval('[1, (2, {"a": {3}})]');
  expect(nested.toJS({ depth: 0 })).toBeInstanceOf(PyObject);
  const [one, pair] = nested.toJS<[number, PyObject]>({ depth: 1 });
  expect([one, String(pair)]).toEqual([1, "(2, {'a': {3}})"]);
  const [, [two, dict]] = nested.toJS<[number, [number, PyObject]]>({ depth: 2 });
  expect([two, String(dict)]).toEqual([2, "{'a': {3}}"]);
  expect(nested.toJS({ depth: 4 })).toEqual(nested.toJS());
  expect(nested.toJS()).toEqual([1, [2, { a: new Set([3]) }]]);
  expect(nested.toJS({ depth: 2 ** 40 })).toEqual(nested.toJS());
});

test('beyond the depth nothing is refused, and the element is itself', () => {
  const [inner] = python.eval('[kept_inner := [object()]]').toJS<[PyObject]>({ depth: 1 });
  expect(inner.is(python.eval('kept_inner'))).toBe(true);
  const map = python.eval('{(1, 2): [3]}').toJS<Map<PyObject, PyObject>>({ depth: 1 });
  const [[key, value]] = [...map] as [[PyObject, PyObject]];
  expect([String(key), String(value)]).toEqual(['(1, 2)', '[3]']);
});

test.each([
  ['{float("nan"): 1, float("nan"): 2}', /^$/],
  ['[{"a": {float("nan"): 1, float("nan"): 2}}]', /^\[0\]\.a$/],
  ['{Text("a"): 1, Text("a"): 2}', /^$/],
])(
  'keys that would be one in JavaScript are refused, and no value is dropped: %s',
  (code, path) => {
    expect(() => python.eval(code).toJS()).toThrowError(
      expect.objectContaining({
        code: 'ERR_TYPE',
        path: path.source === '^$' ? null : expect.stringMatching(path),
        message: expect.stringContaining('iterate over items()'),
      }),
    );
  },
);

test('maps: true makes every mapping a Map', () => {
  const shape = python.eval('{"a": {"b": 1}}').toJS({ maps: true });
  expect(shape).toEqual(new Map([['a', new Map([['b', 1]])]]));
  expect(python.eval('{}').toJS({ maps: true })).toEqual(new Map());
  expect(python.eval('Config()').toJS({ maps: true })).toEqual(new Map([['a', 1]]));
});

test.each([
  [{ depth: 1.5 }, 'depth'],
  [{ depth: -1 }, 'depth'],
  [{ depth: '1' }, 'depth'],
  [{ maps: 1 }, 'maps'],
  [{ deep: 1 }, 'deep'],
  [[], 'options'],
])('the options %o are refused', (options, path) => {
  expect(() => python.eval('[]').toJS(options as object)).toThrowError(
    expect.objectContaining({ code: 'ERR_ARGUMENT', path }),
  );
});

test.each([
  ['Config()', { a: 1 }],
  ['collections.UserDict(a=[1])', { a: [1] }],
  ['Colour', /Colour/],
  ['Table()', /to_dict\('list'\)/],
  ['Row()', /python\.dict\(object\)/],
  ['datetime.datetime(2020, 1, 1)', /replace\(tzinfo=…\)/],
  ['datetime.date(2020, 1, 1)', /isoformat\(\)/],
  ['datetime.time(1)', /isoformat\(\)/],
  ['datetime.timedelta(1)', /total_seconds\(\)/],
  ['NaT(2020, 1, 1)', /got an object of the class NaT/],
  ['decimal.Decimal("0.1")', /Number\(python\.float\(object\)\)/],
  ['fractions.Fraction(1, 3)', /Number\(python\.float\(object\)\)/],
  ['complex(1, 2)', /real and imag/],
  ['numpy.longdouble(1)', /class longdouble/],
  ['numpy.complex128(1)', /class complex128/],
  ['numpy.datetime64("2020", "ns")', /class datetime64/],
  ['numpy.array([1], "M8[ns]")', /class ndarray/],
  ['numpy.zeros(2, [("when", "m8[ns]"), ("b", "f4")])', /class ndarray/],
  ['numpy.zeros(2, [("inner", [("when", "M8[us]", (2,))])])', /class ndarray/],
  ['object()', /use get and call/],
  ['len', /use get and call/],
  ['collections', /class module/],
])('%s is copied with nothing lost, or refused with the way: %s', (code, expected) => {
  const copy = () => python.eval(`[${code}]`).toJS();
  if (!(expected instanceof RegExp)) return expect(copy()).toEqual([expected]);
  const refused = { code: 'ERR_TYPE', message: expect.stringMatching(expected) };
  expect(copy).toThrowError(expect.objectContaining({ ...refused, path: expect.any(String) }));
});

test('a coroutine is refused, with the way to run it', () => {
  const waiting = python.eval('coroutine()');
  expect(() => waiting.toJS()).toThrowError(/await it/);
  waiting.callMethod('close');
});

test('a record of NumPy without dates is copied', () => {
  const records = python.eval('numpy.zeros(1, [("a", "i4"), ("b", "f8", (2,))])');
  expect(records.toJS()).toEqual([[0, [0, 0]]]);
  expect(records.getItem(0).toJS()).toEqual([0, [0, 0]]);
});

test.each([
  ['datetime.datetime(1970, 1, 1, tzinfo=utc)', 0],
  ['datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, utc)', -1],
  ['datetime.datetime(2020, 2, 29, 12, 30, 1, 2999, utc)', Date.UTC(2020, 1, 29, 12, 30, 1, 2)],
  ['datetime.datetime(1970, 1, 1, 5, 45, 0, 0, Zone())', -1],
  ['datetime.datetime.min.replace(tzinfo=utc)', -62135596800000],
  ['datetime.datetime.max.replace(tzinfo=utc)', 253402300799999],
  [
    'datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))',
    Date.UTC(2019, 11, 31, 23),
  ],
])('%s is a Date, rounded down to milliseconds', (code, time) => {
  expect(python.eval(code).toJS()).toEqual(new Date(time));
});

test('what utcoffset raises is thrown', () => {
  python.exec('class Bad(datetime.tzinfo):\n  def utcoffset(self, when): raise KeyError("zone")');
  expect(() => python.eval('datetime.datetime(2020, 1, 1, tzinfo=Bad())').toJS()).toThrowError(
    expect.objectContaining({ type: 'KeyError' }),
  );
});

test('an iterator is used up', () => {
  const numbers = python.eval('iter([1, 2])');
  expect([numbers.toJS(), numbers.toJS()]).toEqual([[1, 2], []]);
});
