import { PyObject, startPython } from '@array-interface/python';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';

// What JavaScript's own operators, JSON and assignments do with an object of Python's: the truth, or
// an error that names the way.

const python = startPython({ venv });
const numpy = python.import('numpy');
python.exec(`
import collections, datetime, decimal, enum, fractions, numpy, operator
class Colour(enum.IntEnum): RED = 7
class Plain(enum.Enum): RED = 1
class Word(str): pass
class Grade(float): pass
class Attributes: pass
`);
const number = (code: string) => python.eval<PyObject>(code) as unknown as number;
const refused = expect.objectContaining({ code: 'ERR_TYPE', path: null });

test('numbers of NumPy add and compare as numbers', () => {
  const mean = numpy.callMethod<number>('mean', [[1, 2, 3]]);
  expect(mean + 1).toBe(3);
  const most = (values: number[]) => numpy.callMethod<number>('max', [values]);
  expect(most([10]) < most([9])).toBe(false);
  expect([Math.round(mean), Math.max(mean, 5), -mean, +mean]).toEqual([2, 5, -2, 2]);
  // biome-ignore lint/suspicious/noDoubleEquals: the loose comparison is what is tested
  expect([mean == 2, `${mean}`, [mean].join()]).toEqual([true, '2.0', '2.0']);
});

test.each([
  ['numpy.int64(-3)', -3],
  ['numpy.uint64(2**64 - 1)', 2n ** 64n - 1n],
  ['numpy.float32(0.1)', Math.fround(0.1)],
  ['numpy.float16(1.5)', 1.5],
  ['numpy.array(2.5)', 2.5],
  ['numpy.array(True)', true],
  ['numpy.str_("a")', 'a'],
  ['Colour.RED', 7],
  ['Word("w")', 'w'],
  ['Grade(2)', 2],
])('%s is %o to an operator', (code, expected) => {
  expect(python.eval(code)[Symbol.toPrimitive]('default')).toBe(expected);
  expect(python.eval(code)[Symbol.toPrimitive]('number')).toBe(expected);
});

test('so are objects of Python’s own numbers and texts', () => {
  const one = python.float(1) as unknown as number;
  expect([one + 1, (python.int(2n) as unknown as number) * 2]).toEqual([2, 4]);
  const { raw } = python.eval("['a', True]");
  expect([...raw].map((item) => item[Symbol.toPrimitive]('default'))).toEqual(['a', true]);
});

test.each([
  ...['[]', '(1,)', '{}', '{1}', 'object()', 'len', 'complex(1)', 'decimal.Decimal(1)'],
  ...['fractions.Fraction(1)', 'Plain.RED', 'numpy.zeros(1)', 'numpy.zeros((1, 1))'],
  ...['numpy.datetime64("2020", "ns")', 'numpy.timedelta64(1, "ns")', 'numpy.array(0, "M8[ns]")'],
  ...['numpy.longdouble(1)', 'numpy.complex64(1)', 'numpy.bytes_(b"a")', 'bytearray(b"1")'],
  ...['datetime.datetime(2020, 1, 1)', 'Attributes()', 'numpy.array(None)', 'numpy.array(b"a")'],
])('%s is an error to an operator, and never text', (code) => {
  const object = number(code);
  for (const use of [
    () => object + 1,
    () => object < 1,
    () => Math.max(object, 1),
    () => Number(object),
    // biome-ignore lint/suspicious/noDoubleEquals: the loose comparison is what is tested
    () => object == 1,
    () => new Date(object),
  ]) {
    expect(use).toThrowError(refused);
  }
  expect(String(object)).toBe(
    python
      .eval(`str(${code})`)
      .toString()
      .replace(/0x\w+/, (at) =>
        String(object).includes(at) ? at : (/0x\w+/.exec(String(object))?.[0] ?? at),
      ),
  );
});

test('the error names the class and the way', () => {
  expect(() => number('decimal.Decimal(1)') + 1).toThrowError(
    /got an object of the class Decimal; use add, lt, …, Number\(python\.float\(object\)\)/,
  );
  expect(() => (python.eval('[None]').raw.getItem(0) as unknown as number) + 1).toThrowError(
    /NoneType/,
  );
});

test('JSON is written of what JSON has', () => {
  const data = {
    mean: numpy.callMethod('mean', [[1, 2]]),
    shape: numpy.callMethod('zeros', [python.tuple([2, 1])]).get('shape'),
    array: numpy.callMethod('arange', [3]),
    row: python.eval('{"a": (1, None, float("nan")), "b": collections.OrderedDict(c=[True])}'),
    when: python.eval('[datetime.datetime(2020, 1, 2, 3), datetime.date(2020, 1, 2)]'),
    colour: python.eval('Colour.RED'),
    point: python.eval('collections.namedtuple("Point", "x y")(1, 2)'),
  };
  expect(JSON.parse(JSON.stringify(data))).toEqual({
    mean: 1.5,
    shape: [2, 1],
    array: [0, 1, 2],
    row: { a: [1, null, null], b: { c: [true] } },
    when: ['2020-01-02T03:00:00', '2020-01-02'],
    colour: 7,
    point: [1, 2],
  });
});

test.each([
  ['{1}', '[0]'],
  ['b"a"', '[0]'],
  ['bytearray(1)', '[0]'],
  ['{1: 2}', '[0][0]'],
  ['2**53', '[0]'],
  ['decimal.Decimal(1)', '[0]'],
  ['{"a": [object()]}', '[0].a[0]'],
])('JSON of %s is an error with its path', (code, path) => {
  expect(() => JSON.stringify(python.eval(`[${code}]`))).toThrowError(
    expect.objectContaining({ code: 'ERR_TYPE', path }),
  );
});

test('an assignment that Python would not see is an error', () => {
  const object = python.eval('Attributes()') as unknown as Record<PropertyKey, unknown>;
  for (const name of ['a', 'figure.dpi', '0', 'toLocaleString']) {
    const way = expect.objectContaining({ code: 'ERR_TYPE', path: name });
    expect(() => {
      object[name] = 1;
    }).toThrowError(way);
  }
  for (const name of ['get', 'length', 'add', 'raw', 'then', Symbol.iterator, Symbol('own')]) {
    expect(() => {
      object[name] = 1;
    }).toThrowError(Error);
  }
  expect(Object.keys(object)).toEqual([]);
  const list = python.list([1]);
  expect(() => (list as unknown as number[]).push(2)).toThrowError(TypeError);
  list.callMethod('append', [2]);
  list.setItem(0, 7);
  expect(list.toJS()).toEqual([7, 2]);
});

test('what no object has stays undefined to promises, and to those who look', async () => {
  const list = python.list([1]);
  expect(await list).toBe(list);
  expect((list as unknown as { anything: unknown }).anything).toBeUndefined();
  expect((list as { then?: unknown }).then).toBeUndefined();
  expect(list instanceof Object && list instanceof PyObject).toBe(true);
  expect(Object.prototype.toString.call(list)).toBe('[object Object]');
});

const INTEGERS = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32'];
const FLOATS = ['float16', 'float32', 'float64'];

test('a scalar of NumPy is to JavaScript what its item is', () => {
  const scalar = fc.oneof(
    fc.tuple(fc.constantFrom(...INTEGERS), fc.integer({ min: 0, max: 127 })),
    fc.tuple(fc.constantFrom(...FLOATS), fc.double({ min: -1000, max: 1000, noNaN: true })),
  );
  const check = fc.property(scalar, scalar, ([kind, one], [other, two]) => {
    const x = numpy.callMethod<number>(kind, [one]);
    const y = numpy.callMethod<number>(other, [two]);
    const itemOf = (value: unknown) => (value as PyObject).callMethod<number>('item');
    const [a, b] = [itemOf(x), itemOf(y)];
    expect([x + 1, x * y, Math.round(x)]).toEqual([a + 1, a * b, Math.round(a)]);
    expect([x < y, x >= y]).toEqual([a < b, a >= b]);
    expect(JSON.stringify([x])).toBe(JSON.stringify([a]));
  });
  fc.assert(check, random(200));
});
