import type { ChildProcess } from 'node:child_process';
import { type ArrayInterfaceError, flip, isArrayInterfaceError } from '@array-interface/core';
import { arrayCapsule } from '@array-interface/core/backend';
import { foreignAddons } from '@array-interface/foreign';
import { host } from '@array-interface/host';
import { PyObject, startPython } from '@array-interface/python';
import { afterEach, describe, expect, test } from 'vitest';
import { settled } from './support/collect.js';
import { hasDpctl } from './support/environment.js';
import { plain } from './support/plain.js';
import { faultOf, object, python } from './support/producers.js';
import { runProgram } from './support/program.js';

// Input that is made to crash, to hang or to leak: all of it ends in an error, or is read whole.

const { giver } = foreignAddons(`${import.meta.dirname}/../../cuda`);

afterEach(() => void giver.look());

/** Code and path of what an act throws. */
function fault(act: () => unknown): readonly [code: string, path: string | null] {
  try {
    act();
  } catch (error) {
    if (isArrayInterfaceError(error)) return [error.code, error.path];
    throw error;
  }
  throw new Error('it threw nothing');
}

describe('an object of another addon', () => {
  const wrapped = () => Object.setPrototypeOf(giver.wrapped(), PyObject.prototype) as PyObject;

  test('is no PyObject, whatever its prototype', () => {
    expect(fault(() => wrapped().get('real'))).toEqual(['ERR_TYPE', null]);
    expect(fault(() => object('repr').call([wrapped()]))).toEqual(['ERR_TYPE', 'object']);
    expect(object('int').is(wrapped())).toBe(false);
    expect(() => wrapped().dispose()).not.toThrow();
  });
});

describe('an array of another addon whose layout no memory has', () => {
  const HUGE = 2 ** 62;
  const foreign = (gift: object) => {
    const capsule = giver.give({ shape: [2], floats: 2, ...gift });
    return { [arrayCapsule]: () => capsule } as never;
  };

  test.each([
    ['more elements than 2^63', { shape: [HUGE, 4] }],
    ['more bytes than 2^63', { shape: [HUGE] }],
    ['more in each order', { shape: [2 ** 32, 2 ** 32, 2] }],
    ['a stride of more than 2^63 bytes', { shape: [2], strides: [HUGE] }],
    ['a stride of less than -2^63 bytes', { shape: [2], strides: [-HUGE] }],
    ['elements after the last address', { shape: [2 ** 20], strides: [2 ** 60] }],
    ['elements before the first address', { shape: [2 ** 20], strides: [-(2 ** 50)] }],
    ['a byte offset that wraps', { byteOffset: -1 }],
    ['elements at address 0', { floats: 0, data: 0n }],
  ])('%s: is refused, and released', (_, gift) => {
    expect(fault(() => python.toPython(foreign(gift)))).toEqual(['ERR_OVERFLOW', 'array']);
    expect(giver.look()).toMatchObject({ released: 1, deleted: 1 });
  });

  test.each([
    [{ shape: [1, 2], strides: [HUGE, 1] }, [0, 4]],
    [{ shape: [0, HUGE, HUGE] }, [0, 0, 4]],
    [{ shape: [HUGE, 0], strides: [HUGE, 1] }, [0, 4]],
  ])('strides that have no effect may be any: %j', async (gift, strides) => {
    const array = foreign(gift);
    using a = python.toPython(array);
    python.import('__main__').set('a', a);
    expect(plain(python.eval('memoryview(a).strides'))).toEqual(strides);
    expect(python.eval('len(a.__array_interface__)')).toBe(6);
    python.exec('capsule = a.__dlpack__(copy=True); del a, capsule');
  });
});

test('a copy that does not fit into memory is a MemoryError', async () => {
  using array = await host.array([1, 2]);
  using a = python.toPython(array.broadcastTo([2 ** 45, 2]));
  expect(() => a.callMethod('__dlpack__', [], { copy: true })).toThrow(
    /^\[ERR_PYTHON\] MemoryError: expected enough memory/,
  );
});

describe('an array from Python to an addon, whose layout no memory has', () => {
  test.each([
    'shape=(ctypes.c_int64 * 1)(2**62)',
    'shape=(ctypes.c_int64 * 1)(-1)',
    'shape=(ctypes.c_int64 * 1)(2), strides=(ctypes.c_int64 * 1)(2**62)',
    'byte_offset=2**64 - 1',
    'data=None',
  ])('DLPack with %s is refused, and deleted', async (change) => {
    python.exec(`one = Made(${change})`);
    expect(fault(() => object('one')[arrayCapsule]())[0]).toBe('ERR_OVERFLOW');
    await settled(() => expect(python.eval('one.deleted')).toBe(1));
  });

  test.each(['shape=(2**40, 2**40)', 'shape=(2,), strides=(2**53 - 8,), data=(2**64 - 8, False)'])(
    'a dict with %s is refused',
    (change) => {
      const source = object(`dict_of(np.zeros(4), ${change})`);
      expect(fault(() => source[arrayCapsule]())[0]).toBe('ERR_OVERFLOW');
    },
  );
});

describe('an offset into a buffer', () => {
  test.each([
    ["'8'", 'ERR_TYPE', 'offset'],
    ['2**70', 'ERR_OVERFLOW', 'offset'],
    ['-(2**70)', 'ERR_OVERFLOW', 'offset'],
    ['2**63 - 1', 'ERR_OUT_OF_BOUNDS', 'data'],
  ])('%s is %s at %s', (offset, code, path) => {
    python.exec('raw = bytearray(32)');
    const [error, where] = faultOf(`dict_of(np.zeros((2, 2)), data=raw, offset=${offset})`);
    expect([error, where]).toEqual([code, path]);
  });

  test('may be a NumPy integer', async () => {
    python.exec('raw = bytearray(np.arange(3.).tobytes())');
    using array = host.asArray(object('dict_of(np.zeros(2), data=raw, offset=np.int16(8))'));
    expect([...(await host.toTypedArray(array))]).toEqual([1, 2]);
  });
});

describe('lists of a dict that share their parts', () => {
  test('many times over are refused, not traversed', () => {
    python.exec(`
many = [('a', '<f4')]
for level in range(38): many = [('a', many), ('b', many)]
deep = (1,)
for level in range(38): deep = (deep, deep)
`);
    expect(faultOf("dict_of(np.zeros(2, 'V8'), descr=many)")[1]).toContain('descr');
    for (const key of ['shape', 'strides', 'data']) {
      expect(faultOf(`dict_of(np.zeros(2), ${key}=deep)`)[1]).toContain(key);
    }
  });

  test('two or three times are read', () => {
    python.exec(`
part = [('x', '<f4'), ('y', '<f4')]
made = dict_of(np.zeros(2, 'V24'), descr=[('one', part), ('two', part), ('three', part)])`);
    using array = host.asArray(object('made'));
    expect(array.dtype.fields?.map(({ offset }) => offset)).toEqual([0, 8, 16]);
  });
});

describe('values that change while they are read', () => {
  test('include a dict, read as it was when passed', async () => {
    python.exec(`
class Index:
    def __index__(self):
        given.clear()
        lengths.clear()
        return 2
lengths = [Index(), 3]
a = np.arange(6.)
given = {**a.__array_interface__, 'shape': lengths}
one = Has(__array_interface__=given, kept=a)`);
    using array = host.asArray(object('one'));
    expect(array.shape).toEqual([2, 3]);
    expect([...(await host.toTypedArray(array))]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(python.eval('len(given) + len(lengths)')).toBe(0);
  });

  test('include the arguments of __dlpack__', async () => {
    using array = await host.array([1, 2, 3]);
    using a = python.toPython(array);
    python.import('__main__').set('a', a);
    python.exec(`
call = ctypes.pythonapi.PyObject_Call  # hands the dict itself on
call.restype, call.argtypes = ctypes.py_object, [ctypes.py_object] * 3
kept = []
class Copy:
    def __bool__(self):
        asked.clear()
        kept.extend((1 << 70, level) for level in range(100))
        return False
asked = {'copy': Copy(), 'max_version': (int('1'), int('0'))}
capsule = call(a.__dlpack__, (), asked)
del a`);
    expect(python.eval('repr(capsule)')).toContain('"dltensor_versioned"');
  });
});

describe('errors about wrong arguments', () => {
  const said = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      return (error as ArrayInterfaceError).reason;
    }
    throw new Error('it threw nothing');
  };

  test.each([
    [5, '5'],
    [null, 'null'],
    [undefined, 'nothing'],
    [true, 'true'],
    [2n ** 80n, 'a bigint'],
    [Symbol('s'), 'a symbol'],
    [() => 1, 'a function'],
    [[1], 'a list'],
    [Promise.resolve(), 'a promise'],
    [{ toString: () => 'lie' }, 'an object'],
    [giver.external(), 'a native handle'],
  ])('names are text: %s', (value, shown) => {
    const name = value as never;
    expect(said(() => python.import(name))).toBe(
      `expected a string, got ${shown}; pass it as text`,
    );
    expect(said(() => object('object()').get(name))).toBe(
      `expected a name, got ${shown}; pass a string`,
    );
  });

  test('say that arguments are lists', async () => {
    const callable = object('object');
    const what = `${'a'.repeat(39)}😀`;
    expect(said(() => callable.call(what as never))).toBe(
      `expected an array of arguments, got "${'a'.repeat(39)}…"; put them in an array`,
    );
    expect(said(() => callable.call(`${'a'.repeat(38)}😀` as never))).toContain('a😀"');
    await expect(python.runAsync(callable, 'text' as never)).rejects.toThrow('got "text"; put');
    await expect(python.runAsync(callable, null as never)).rejects.toThrow('got null; put');
  });

  test('name Python objects by their class', () => {
    expect(faultOf('Given(5)')[2]).toContain('got an object of the class int;');
    using array = host.empty([1], 'int8');
    using a = python.toPython(array);
    expect(said(() => a.callMethod('__dlpack__', [], { streams: 1, copy: null }))).toContain(
      'got streams',
    );
    expect(said(() => python.toPython({ [arrayCapsule]: () => 5 } as never))).toContain('got 5;');
  });

  test('say what to pass in place of something that is not an array', () => {
    expect(said(() => python.toPython(null as never))).toBe(
      'expected an array of a backend, got null; pass an array; copy(), fill() and put() return none',
    );
    expect(said(() => python.toPython([1] as never))).toMatch(
      /make an array of it with await host\.array\(list\)/,
    );
  });

  test('say what to do with a Python object where an array belongs', () => {
    using made = python.eval("__import__('array').array('i', [1, 2])") as PyObject;
    const got = "got another language's object";
    expect(said(() => flip(made as never))).toMatch(
      `${got}; pass it to a backend's asArray() first`,
    );
    const cure = 'make an array of it with host.asArray(object)';
    for (const act of [() => host.share(made as never), () => host.unstack(made as never)]) {
      expect(said(act)).toMatch(`${got}; ${cure}`);
    }
    using array = host.asArray(made);
    expect(flip(array).shape).toEqual([2]);
  });

  test('say that options are not a list', async () => {
    using array = host.empty([1], 'int8');
    const list = [] as never;
    expect(fault(() => startPython(list))).toEqual(['ERR_ARGUMENT', 'options']);
    expect(fault(() => python.toPython(array, list))).toEqual(['ERR_ARGUMENT', 'options']);
    await expect(python.runAsync(object('object'), [], list)).rejects.toMatchObject({
      code: 'ERR_ARGUMENT',
      path: 'options',
    });
  });
});

describe('a JavaScript error in Python', () => {
  test('has JavaScript’s stack', () => {
    python.exec(`
def stack_of(function):
    try: function()
    except RuntimeError as error: return error.stack
`);
    const stackOf = object('stack_of');
    const error = new RangeError('mine');
    const thrower = (thrown: unknown) => () => {
      throw thrown;
    };
    expect(stackOf.call([thrower(error)])).toBe(error.stack);
    const silent = {
      get stack() {
        throw error;
      },
    };
    for (const value of ['text', undefined, { stack: 5 }, {}, silent]) {
      expect(stackOf.call([thrower(value)])).toBeNull();
    }
  });
});

test('without startPython, every native function throws in an environment', async () => {
  const { status, stdout } = await runProgram('hostile/untaught.mjs');
  expect(JSON.parse(stdout)).toEqual({ before: [], worker: [], taught: [] });
  expect(status).toBe(0);
});

test('Python’s lock is free during a driver call that waits for it', async () => {
  const stop = (child: ChildProcess) => setTimeout(() => child.kill(), 60_000).unref();
  const { status, stdout } = await runProgram('hostile/full-log.mjs', { watch: stop });
  expect(stdout.split('\n')).toEqual([
    ...['take', 'drop_capsule', 'drop_array'],
    ...['take', 'drop_array', 'drop_capsule'],
  ]);
  expect(status).toBe(0);
});

test.skipIf(!hasDpctl)(
  'an object that only claims to be a SYCL queue is not used as an address',
  async () => {
    const { status, stdout } = await runProgram('hostile/false-queue.mjs');
    expect(stdout).toMatch(
      /^\[ERR_PYTHON\] BufferError: expected None or a dpctl.SyclQueue .* of the class Queue;/,
    );
    expect(status).toBe(0);
  },
);

test('half-made objects are not visible to code that iterates over all objects', async () => {
  const ended = await runProgram('hostile/half-made.mjs');
  expect(ended).toEqual({ status: 0, stdout: '0', stderr: '' });
});

test('if no thread can start, dropped objects are released with the next call', async () => {
  const ended = await runProgram('hostile/no-thread.mjs', {
    env: { MALLOC_ARENA_MAX: '1' },
    stackBytes: 256 << 20,
  });
  expect(ended).toEqual({ status: 0, stdout: 'true true', stderr: '' });
});

describe('replacements of Python’s own modules', () => {
  test.each(['getattr', '__import__'])('a %s that raises is not called', (name) => {
    python.exec(`
import builtins
real = builtins.${name}
def raising(*args, **options): raise ValueError('mine')
def put(one): builtins.${name} = one
kept = keeping(np.arange(4.))`);
    const [put, raising, real] = ['put', 'raising', 'real'].map(object) as [
      PyObject,
      PyObject,
      PyObject,
    ];
    using kept = object('kept');
    put.call([raising]);
    try {
      using array = host.asArray(kept);
      expect(array.shape).toEqual([4]);
    } finally {
      put.call([real]);
    }
  });

  // In a process of its own: NumPy's class is known from the first array on.
  test('a class named numpy.ndarray is not NumPy’s: its buffer is held', async () => {
    const ended = await runProgram('hostile/false-numpy.mjs');
    expect(ended).toMatchObject({ status: 0, stdout: 'BufferError', stderr: '' });
  });
});
