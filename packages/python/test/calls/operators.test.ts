import { type Operators, PyObject, startPython } from '@array-interface/python';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';

const python = startPython({ venv });
python.exec('import operator, numpy');

/** In Python's own words, and the same by its module. */
const BINARY: readonly [
  name: keyof Operators<PyObject>,
  code: string,
  left: string,
  right: string,
][] = [
  ['add', 'a + b', '[1]', '[2]'],
  ['sub', 'a - b', '{1, 2}', '{2}'],
  ['mul', 'a * b', '[1, 2]', '3'],
  ['truediv', 'a / b', 'numpy.arange(1, 4)', '2'],
  ['floordiv', 'a // b', 'numpy.arange(1, 4)', '2'],
  ['mod', 'a % b', 'numpy.arange(5)', '3'],
  ['pow', 'a ** b', 'numpy.arange(4)', '3'],
  ['matmul', 'a @ b', 'numpy.arange(4).reshape(2, 2)', 'numpy.arange(2)'],
  ['lshift', 'a << b', 'numpy.arange(4)', '2'],
  ['rshift', 'a >> b', 'numpy.arange(4)', '1'],
  ['and', 'a & b', '{1, 2}', '{2, 3}'],
  ['or', 'a | b', '{"x": 1}', '{"y": 2}'],
  ['xor', 'a ^ b', '{1, 2}', '{2, 3}'],
  ['eq', 'a == b', '[1, 2]', '[1, 2]'],
  ['ne', 'a != b', '(1,)', '(1,)'],
  ['lt', 'a < b', '(1, 2)', '(1, 3)'],
  ['le', 'a <= b', '{1}', '{1, 2}'],
  ['gt', 'a > b', 'numpy.arange(3)', '1'],
  ['ge', 'a >= b', '[2]', '[1]'],
];
const UNARY: readonly [name: keyof Operators<PyObject>, code: string, left: string][] = [
  ['neg', '-a', 'numpy.arange(3)'],
  ['pos', '+a', 'complex(1, 2)'],
  ['abs', 'abs(a)', 'numpy.array([-1, 2])'],
  ['invert', '~a', 'numpy.arange(3)'],
];

const shown = (value: unknown) => python.eval('repr').call<string>([value]);

test.each(BINARY)('%s is %s', (name, code, left, right) => {
  const expected = python.eval(`repr((lambda a, b: ${code})(${left}, ${right}))`);
  expect(shown(python.eval(left)[name](python.eval(right)))).toBe(expected);
});

test.each(UNARY)('%s is %s', (name, code, left) => {
  const expected = python.eval(`repr((lambda a: ${code})(${left}))`);
  expect(shown((python.eval(left)[name] as () => unknown)())).toBe(expected);
});

test('an operand of JavaScript’s is converted, and what is plain comes back as such', () => {
  expect(python.list([1]).add([2]).toJS()).toEqual([1, 2]);
  expect(python.float(1).add(0.5)).toBe(1.5);
  expect(python.tuple([1, 2]).lt<boolean>(python.tuple([1, 3]))).toBe(true);
  const compared = python.import('numpy').callMethod('arange', [3]).gt(1);
  expect(compared.toJS()).toEqual([false, false, true]);
  expect(python.eval('[]').eq(undefined)).toBe(false);
});

test('what Python raises is thrown, and so is what cannot be converted', () => {
  const typeError = expect.objectContaining({ code: 'ERR_PYTHON', type: 'TypeError' });
  expect(() => python.eval('object()').add(1)).toThrowError(typeError);
  expect(() => python.eval('object()').lt(1)).toThrowError(typeError);
  expect(() => python.eval('object()').neg()).toThrowError(typeError);
  expect(() => python.list().add(Symbol('no'))).toThrowError(
    expect.objectContaining({ code: 'ERR_TYPE', path: 'other' }),
  );
});

test('all have a name that no other property takes', () => {
  const names = [...BINARY, ...UNARY].map(([name]) => name);
  expect(new Set(names).size).toBe(23);
  for (const name of names) expect(typeof PyObject.prototype[name]).toBe('function');
});
