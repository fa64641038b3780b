import { inspect } from 'node:util';
import { host } from '@array-interface/host';
import { type Proxied, PyObject, startPython } from '@array-interface/python';
import { expect, test } from 'vitest';
import { collect } from '../support/collect.js';
import { venv } from '../support/environment.js';

const python = startPython({ venv });
python.exec(`
import weakref
import numpy as np
class Thing:
    '''Has what JavaScript asks of every object, and attributes of many kinds.'''
    then, toJSON, name, length = 'then', 'json', 'name', 3
    def __init__(self, *args, **kwargs): self.args, self.kwargs = args, kwargs
    def same(self, value): return value
    def __len__(self): return 7
async def later(value): return value
async def counted():
    yield Thing()
    yield 2
`);
const proxyOf = (code: string) => python.proxy(python.eval(code));
const np = python.proxy(python.import('numpy'));

test('attributes are properties, items have integers, calls are calls', () => {
  const a = np.arange(6).reshape(2, 3);
  expect(a.T.shape.$toJS()).toEqual([3, 2]);
  expect([a[1][2] + 0, a[-1].sum() + 0, a.size]).toEqual([5, 12, 6]);
  expect(np.zeros([2], python.kwargs({ dtype: 'int8' })).dtype.name).toBe('int8');
  const thing = proxyOf('Thing')(1, [2], python.kwargs({ key: null }));
  expect([thing.args.$toJS(), thing.kwargs.$toJS()]).toEqual([[1, [2]], { key: null }]);
  expect([thing.name, thing.length, thing.$length]).toEqual(['name', 3, 7]);
});

test('assignments and deletions are Python’s', () => {
  const thing = proxyOf('Thing()');
  thing.colour = 'red';
  expect(['colour' in thing, thing.colour]).toEqual([true, 'red']);
  delete thing.colour;
  expect('colour' in thing).toBe(false);
  const list = proxyOf('[1, 2, 3]');
  list[-1] = 7;
  delete list[0];
  expect(list.$toJS()).toEqual([2, 7]);
  expect(() => {
    thing.$colour = 1;
  }).toThrowError(expect.objectContaining({ code: 'ERR_TYPE', path: 'colour' }));
  expect(() => Object.defineProperty(thing, 'x', { value: 1 })).toThrow(TypeError);
});

test('a proxy is passed to Python as its object, also within lists and objects', () => {
  const [a, thing] = [np.ones([2]), proxyOf('Thing()')];
  expect(np.concatenate([a, a]).sum() + 0).toBe(4);
  expect(thing.same(thing).$is(thing)).toBe(true);
  expect(thing.$object.is(thing)).toBe(true);
  expect(
    thing
      .same({ a: [thing] })
      .$getItem('a')[0]
      .$is(thing),
  ).toBe(true);
  expect(python.eval('lambda one: type(one).__name__').call([thing])).toBe('Thing');
  expect(python.list(a.$object).length).toBe(2);
  const twice = thing.same((value: number) => value * 2); // other functions are callables
  expect(twice(4)).toBe(8);
});

test('what begins with $ is what PyObject has, with proxies for objects', () => {
  const d = proxyOf("{'a': [1, 2], ('b', 1): 'c'}");
  expect([d.$getItem('a')[0], d.$getItem('b', 1), d.$contains('a')]).toEqual([1, 'c', true]);
  expect(d.$object).toBeInstanceOf(PyObject);
  expect([...proxyOf('[1]').$iterate()]).toEqual([1]);
  expect(np.arange(3).$add(1).$lt(3).$toJS()).toEqual([true, true, false]);
  expect(proxyOf('Thing()').$get('then')).toBe('then');
  expect(d.$nothing).toBe(undefined);
});

test('iteration gives proxies and values', () => {
  const seen = [...proxyOf('[Thing(), 2]')];
  expect([seen[0].name, seen[1]]).toEqual(['name', 2]);
});

test('await of a proxy gives itself, unless Python can await it', async () => {
  const thing = proxyOf('Thing()');
  expect(thing.then).toBe(undefined);
  expect((await thing) === thing).toBe(true);
  expect(await proxyOf('later(5)')).toBe(5);
  expect((await proxyOf('later(Thing())')).name).toBe('name');
  const seen: unknown[] = [];
  const counted = proxyOf('counted()') as Proxied & AsyncIterable<Proxied | number>;
  for await (const one of counted) seen.push(typeof one === 'number' ? one : one.name);
  expect(seen).toEqual(['name', 2]);
  expect(await python.runAsync(proxyOf('len') as never, ['four'])).toBe(4);
});

test('JavaScript’s own questions are answered as for the object', () => {
  const a = np.arange(2);
  expect(JSON.stringify({ a, n: np.mean([1, 2]) })).toBe('{"a":[0,1],"n":1.5}');
  expect([`${a}`, String(a), a.toString()]).toEqual(Array(3).fill('[0 1]'));
  expect([inspect(a), inspect([a])]).toEqual([
    'PyObject array([0, 1])',
    '[ PyObject array([0, 1]) ]',
  ]);
  expect(a[0] + 1).toBe(1);
  expect(() => a + 1).toThrowError(expect.objectContaining({ code: 'ERR_TYPE' }));
  expect(Object.getOwnPropertyNames(a)).toContain('reshape'); // as the REPL completes names
  expect(a).toBeInstanceOf(PyObject);
});

test('a proxy of an array is an array to backends', async () => {
  using array = host.asArray(np.arange(3.5));
  expect(await array.toText()).toBe('[0. 1. 2. 3.]');
});

test('errors are Python’s, and name what is not there', () => {
  expect(() => np.nothing).toThrowError(
    /AttributeError: module 'numpy' has no attribute 'nothing'/,
  );
  expect(() => np.zeros('x')).toThrowError(expect.objectContaining({ type: 'TypeError' }));
  expect(() => python.proxy(5 as never)).toThrowError(
    expect.objectContaining({ code: 'ERR_TYPE', path: 'object' }),
  );
  expect(() => python.kwargs(new Map() as never)).toThrowError(
    expect.objectContaining({ code: 'ERR_TYPE', path: 'kwargs' }),
  );
  expect(() => np.zeros(python.kwargs({}), 1)).toThrowError(/Keywords/); // not the last
});

test('an object ends with its proxy, by hand or by the collector', async () => {
  python.exec('kept = Thing(); there = weakref.ref(kept)');
  const thing = python.proxy(python.eval('kept'));
  python.exec('del kept');
  expect(python.proxy(thing)).toBe(thing);
  expect(python.eval('there() is not None')).toBe(true);
  thing[Symbol.dispose]();
  expect(python.eval('there()')).toBe(null);
  expect(() => thing.name).toThrowError(expect.objectContaining({ code: 'ERR_DISPOSED' }));
  (() => python.proxy(python.eval('(there := weakref.ref(one := Thing()), one)[1]')).name)();
  await collect();
  expect(python.eval('there() is None or one is there()')).toBe(true);
});

test('a type says what a module has', () => {
  interface Maths {
    sqrt(x: number): number;
    readonly pi: number;
  }
  const { sqrt, pi } = python.proxy<Maths>(python.import('math'));
  expect([sqrt(9), pi]).toEqual([3, Math.PI]);
});
