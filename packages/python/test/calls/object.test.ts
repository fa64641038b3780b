import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as api from '@array-interface/python';
import { PyObject, startPython } from '@array-interface/python';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';
import { leastGrowth, repeat } from '../support/least-growth.js';

const python = startPython({ venv });
python.exec(`
import gc, operator
class Thing:
    alive = 0
    def __init__(self, **names): self.__dict__.update(names); Thing.alive += 1
    def __del__(self): Thing.alive -= 1
    def __getitem__(self, key):
        if isinstance(key, int) and key > 2: raise IndexError
        return repr(key)
    def __setitem__(self, key, value): self.set = (key, value)
    def __delitem__(self, key): self.deleted = key
    def __contains__(self, value): return value == 'a thing'
    def __len__(self): return 3
    def __str__(self): return 'a thing'
    def __repr__(self): return '<' + 'thing ' * 100 + '>'
    def echo(self, *args, **kwargs): return repr((args, kwargs))
thing = Thing(number=1, other=Thing(), __eq=2)
def echo(*args, **kwargs): return repr((args, kwargs))
def count(n):
    global ended
    try:
        for i in range(n): yield i
    finally: ended = True
class Counted:
    def __iter__(self): return count(10**9)
def failing():
    yield 1
    raise ValueError('enough')
`);
const thing = python.eval('thing') as PyObject;
const echo = python.eval('echo') as PyObject;
const SLICES = '(slice(1, None, None), slice(None, None, -1))';
const alive = () => python.eval('gc.collect() and None or Thing.alive') as number;

test('attributes are read, set and tested', () => {
  expect(thing.get('number')).toBe(1);
  thing.set('number', [1, null]);
  expect(thing.get('number').toJS()).toEqual([1, null]);
  expect([thing.has('number'), thing.has('nothing')]).toEqual([true, false]);
  expect(() => thing.get('nothing')).toThrowError(
    expect.objectContaining({ code: 'ERR_PYTHON', type: 'AttributeError' }),
  );
  thing.set('é\ud800', 1);
  expect(thing.get('é\ud800')).toBe(1);
  expect(() => thing.get(1 as unknown as string)).toThrowError(
    expect.objectContaining({ code: 'ERR_TYPE', path: 'name' }),
  );
});

test('has passes on errors other than a missing attribute', () => {
  python.exec('class Bad:\n  @property\n  def x(self): raise ValueError("bad")\nbad = Bad()');
  expect(() => (python.eval('bad') as PyObject).has('x')).toThrowError(/bad/);
});

test.each([
  [[undefined], '((), {})'],
  [[[]], '((), {})'],
  [[[1]], '((1,), {})'],
  [[[1, 'a', null, [2], 5, 6, 7, 8, 9]], "((1, 'a', None, [2], 5, 6, 7, 8, 9), {})"],
  [[undefined, { a: 1 }], "((), {'a': 1})"],
  [[[1, 2], { a: [3], é: null }], "((1, 2), {'a': [3], 'é': None})"],
  [[[1], null], '((1,), {})'],
  [[[], { yes: 2, [Symbol('x')]: 3 }], "((), {'yes': 2})"],
])('call and callMethod pass %o', (args, expected) => {
  const given = args as [unknown[]?, Record<string, unknown>?];
  expect(echo.call(...given)).toBe(expected);
  expect(thing.callMethod('echo', ...given)).toBe(expected);
});

test('many arguments are passed', () => {
  const many = Array.from({ length: 200_000 }, (_, i) => i);
  expect((python.eval('lambda *all: sum(all)') as PyObject).call(many)).toBe(19_999_900_000);
});

test('arguments that are neither a list nor an object are refused', () => {
  for (const args of [1, 'ab', {}, new Set()]) {
    expect(() => echo.call(args as unknown[])).toThrowError(
      expect.objectContaining({ code: 'ERR_TYPE', path: 'args' }),
    );
  }
  const unnamed = [
    1,
    'ab',
    [1],
    () => 1,
    new Map([['a', 1]]),
    new Set([1]),
    new Uint8Array(1),
    echo,
    Object.create({ a: 1 }),
  ];
  for (const kwargs of unnamed as never[]) {
    const refused = expect.objectContaining({ code: 'ERR_TYPE', path: 'kwargs' });
    expect(() => echo.call([], kwargs)).toThrowError(refused);
    expect(() => thing.callMethod('echo', [], kwargs)).toThrowError(refused);
  }
  expect(() => echo.call([], { a: Symbol() })).toThrowError(
    expect.objectContaining({ code: 'ERR_TYPE', path: 'kwargs.a' }),
  );
});

test('an object passes as itself, and comes back as the same', () => {
  const other = thing.get('other') as PyObject;
  expect(thing.callMethod('echo', [other])).toContain('thing');
  const again = (python.eval('lambda a: a') as PyObject).call([other]) as PyObject;
  expect(again === other).toBe(false);
  expect([again.is(other), again.is(thing), again.is({}), again.is(null)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('items are read, set and deleted; several keys are a tuple, and an array is a list', () => {
  const read = [
    thing.getItem(1),
    thing.getItem('a'),
    thing.getItem(0, [1]),
    thing.getItem([0, 1]),
    thing.getItem(python.tuple()),
    thing.getItem(python.slice(1, null), python.slice(null, null, -1)),
  ];
  expect(read).toEqual(['1', "'a'", '(0, [1])', '[0, 1]', '()', SLICES]);
  thing.setItem(1, 2, [3]);
  expect(thing.get('set').toJS()).toEqual([[1, 2], [3]]);
  thing.setItem([1, 2], 3);
  expect(thing.get('set').toJS()).toEqual([[1, 2], 3]);
  thing.deleteItem('a', 'b');
  expect(thing.get('deleted').toJS()).toEqual(['a', 'b']);
  expect([thing.contains('a thing'), thing.contains(1)]).toEqual([true, false]);
  const typeError = expect.objectContaining({ type: 'TypeError' });
  const plain = python.eval('object()');
  expect(() => plain.getItem(1)).toThrowError(typeError);
  expect(() => plain.setItem(1, 2)).toThrowError(typeError);
  expect(() => plain.deleteItem(1)).toThrowError(typeError);
  expect(() => plain.contains(1)).toThrowError(typeError);
});

test('items without a key are refused', () => {
  const none = [] as unknown as [unknown];
  const refused = expect.objectContaining({ code: 'ERR_TYPE', path: 'key' });
  expect(() => thing.getItem(...none)).toThrowError(refused);
  expect(() => thing.deleteItem(...none)).toThrowError(refused);
  expect(() => thing.setItem(...([1] as unknown as [unknown, unknown]))).toThrowError(refused);
  expect(() => thing.getItem('a', Symbol('no'))).toThrowError(
    expect.objectContaining({ code: 'ERR_TYPE', path: 'keys[1]' }),
  );
});

test('keys as NumPy and pandas take them: lists, tuples, slices', () => {
  const numpy = python.import('numpy');
  const grid = numpy.callMethod('arange', [12]).callMethod('reshape', [3, 4]);
  expect(grid.getItem(1, 2).toJS()).toBe(6);
  expect(grid.getItem([0, 2]).toJS()).toEqual(grid.callMethod('take', [[0, 2], 0]).toJS());
  expect(grid.getItem(python.slice(null, null, 2), 1).toJS()).toEqual([1, 9]);
  grid.setItem([0, 2], 0);
  expect(grid.toJS()).toEqual([
    [0, 0, 0, 0],
    [4, 5, 6, 7],
    [0, 0, 0, 0],
  ]);
  const pairs = python.dict([[[1, 2], 'x']]);
  expect(pairs.getItem(1, 2)).toBe('x');
  expect(pairs.getItem(python.tuple([1, 2]))).toBe('x');
});

test('attributes are deleted, and truth is asked of Python', () => {
  using mine = python.eval('Thing(x=1)');
  mine.delete('x');
  expect(mine.has('x')).toBe(false);
  expect(() => mine.delete('x')).toThrowError(expect.objectContaining({ type: 'AttributeError' }));
  const truths = ['[]', '[0]', '{}', 'object()'].map((code) => python.eval(code).isTrue());
  expect(truths).toEqual([false, true, false, true]);
  const pair = python.import('numpy').callMethod('zeros', [2]);
  expect(() => pair.isTrue()).toThrowError(expect.objectContaining({ type: 'ValueError' }));
});

test('it has a length and a text, and shows its shortened repr', () => {
  expect([thing.length, String(thing), `${thing}`]).toEqual([3, 'a thing', 'a thing']);
  expect(inspect(thing)).toMatch(/^PyObject <thing thing .{170,200}…$/);
  expect(inspect({ nested: python.eval('range(3)') })).toBe('{ nested: PyObject range(0, 3) }');
  python.exec('class Mute:\n  def __repr__(self): raise ValueError("mute")\nmute = Mute()');
  expect(inspect(python.eval('mute'))).toBe('PyObject (ValueError: mute)');
  expect(() => (python.eval('len') as PyObject).length).toThrowError(/TypeError/);
});

test('iterating is lazy, and leaving the loop ends the generator', () => {
  expect([...(python.eval('range(3)') as PyObject)]).toEqual([0, 1, 2]);
  expect([...python.eval('iter([None, "a"])')]).toEqual([null, 'a']);
  const [first, second] = python.eval('(1, [2])') as unknown as [number, PyObject];
  expect([first, second.toJS()]).toEqual([1, [2]]);
  python.exec('ended = False');
  for (const value of python.eval('Counted()').iterate<number>()) {
    if (value === 3) break;
  }
  expect(python.eval('ended')).toBe(true);
  const seen: unknown[] = [];
  expect(() => {
    for (const value of python.eval('failing()') as PyObject) seen.push(value);
  }).toThrowError(/enough/);
  expect(seen).toEqual([1]);
  expect(() => [...(python.eval('object()') as PyObject)]).toThrowError(/not iterable/);
});

test('disposing releases the object at once, and later use is refused', () => {
  const before = alive();
  const mine = python.eval('Thing()') as PyObject;
  expect(alive()).toBe(before + 1);
  mine[Symbol.dispose]();
  mine[Symbol.dispose]();
  expect(alive()).toBe(before);
  const disposed = expect.objectContaining({ code: 'ERR_DISPOSED' });
  expect(() => mine.get('x')).toThrowError(disposed);
  expect(() => mine.call()).toThrowError(disposed);
  expect(() => echo.call([mine])).toThrowError(disposed);
  expect(() => [...mine]).toThrowError(disposed);
  expect(() => echo.is(mine)).toThrowError(disposed);
  expect(() => String(mine)).toThrowError(disposed);
  expect(inspect(mine)).toMatch(/disposed/);
});

test('an object that is disposed during its call stays until Python returns', () => {
  const mine = python.eval('Thing()') as PyObject;
  const args = [
    mine,
    {
      get x() {
        mine[Symbol.dispose]();
        return 1;
      },
    },
  ];
  expect(echo.call(args)).toMatch(/thing/);
});

test.each([
  ['a made one', Object.create(PyObject.prototype)],
  ['a constructed one', Reflect.construct(PyObject as unknown as new () => PyObject, [])],
  ['a Proxy', new Proxy(thing, {})],
  ['the prototype', PyObject.prototype],
  ['a Date in disguise', Object.setPrototypeOf(new Date(), PyObject.prototype)],
])('%s is not a PyObject', (_, forged) => {
  const wrong = expect.objectContaining({ code: 'ERR_TYPE' });
  for (const use of [
    () => PyObject.prototype.get.call(forged, 'x'),
    () => PyObject.prototype.set.call(forged, 'x', 1),
    () => PyObject.prototype.call.call(forged),
    () => PyObject.prototype.callMethod.call(forged, 'x'),
    () => PyObject.prototype.toJS.call(forged),
    () => PyObject.prototype.getItem.call(forged, 1),
    () => PyObject.prototype.setItem.call(forged, 1, 2),
    () => PyObject.prototype.deleteItem.call(forged, 1),
    () => PyObject.prototype.delete.call(forged, 'x'),
    () => PyObject.prototype.contains.call(forged, 1),
    () => PyObject.prototype.isTrue.call(forged),
    () => PyObject.prototype.add.call(forged, 1),
    () => PyObject.prototype.neg.call(forged),
    () => PyObject.prototype.toJSON.call(forged),
    () => PyObject.prototype[Symbol.toPrimitive].call(forged, 'number'),
    () => PyObject.prototype.toString.call(forged),
    () => [...PyObject.prototype[Symbol.iterator].call(forged)],
  ]) {
    expect(use).toThrowError(wrong);
  }
});

test('methods refuse to be called on plain values', () => {
  for (const value of [null, undefined, 1, 'x', Symbol(), {}, () => 1]) {
    expect(() => PyObject.prototype.get.call(value as PyObject, 'x')).toThrowError(
      expect.objectContaining({ code: 'ERR_TYPE' }),
    );
  }
});

test('import, exec and eval share the names of __main__', () => {
  expect(python.import('os.path').get('__name__')).toBe('posixpath');
  python.exec('shared_name = 41');
  expect(python.eval(' shared_name + 1')).toBe(42);
  expect(python.import('__main__').get('shared_name')).toBe(41);
  expect(() => python.import('no_such_module')).toThrowError(
    expect.objectContaining({ type: 'ModuleNotFoundError' }),
  );
  python.exec('# coding: latin-1\ntext = "é"');
  expect(python.eval('text')).toBe('é');
});

test.each(['x = "\0"', '"\ud800"', 'x ='])('source such as %o is an error, not a crash', (code) => {
  expect(() => python.exec(code)).toThrowError(expect.objectContaining({ code: 'ERR_PYTHON' }));
  expect(() => python.eval(code)).toThrowError(expect.objectContaining({ code: 'ERR_PYTHON' }));
});

test.each([null, undefined, 1, {}, Symbol('code')])(
  'source that is not text is refused: %o',
  (code) => {
    const refused = expect.objectContaining({ code: 'ERR_TYPE', path: 'code' });
    expect(() => python.exec(code as never)).toThrowError(refused);
    expect(() => python.eval(code as never)).toThrowError(refused);
  },
);

test('Python comes only from startPython, and its class makes no others', () => {
  expect(Object.keys(api)).not.toContain('Python');
});

test('a name with a null character or a lone surrogate is not a module', () => {
  for (const name of ['a\0b', '\ud800', '']) {
    expect(() => python.import(name)).toThrowError(expect.objectContaining({ code: 'ERR_PYTHON' }));
  }
});

type Case = readonly [name: string, use: () => void];

// A free-threaded Python keeps the file name of all that it ever compiled, and each evaluation has
// one of its own.
const isFreeThreaded = python.version.includes('free-threading');
const evaluated: Case = ['eval', () => (python.eval('thing') as PyObject)[Symbol.dispose]()];

test.each<Case>([
  ['get', () => thing.get('number')],
  ...(isFreeThreaded ? [] : [evaluated]),
  ['an object', () => used('thing', () => {})],
  ['call', () => echo.call([1, 'a', [2]], { a: 1 })],
  ['toJS', () => used('{1}', (object) => object.toJS())],
  ['iterate', () => used('iter([1])', (object) => [...object])],
])('20,000 times %s leaves nothing behind in Python', async (_, use) => {
  const code = '(gc.collect(), __import__("sys").getallocatedblocks())[1]';
  const blocks = () => python.eval(code) as number;
  expect(await leastGrowth(blocks, () => repeat(5000, use))).toBeLessThan(250);
});

function used(code: string, use: (object: PyObject) => void): void {
  const object = python.eval(code, { filename: '<used>' }) as PyObject;
  use(object);
  object[Symbol.dispose]();
}

test('20,000 unreferenced objects end without being disposed', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 10; turn++) {
    collect(); // what earlier tests left
    await setImmediate();
  }
  const before = alive();
  for (let i = 0; i < 20_000; i++) python.eval('Thing()');
  expect(alive()).toBeGreaterThan(before);
  for (let turn = 0; turn < 1000 && alive() > before; turn++) {
    collect();
    await setImmediate();
  }
  expect(alive()).toBe(before);
});
