import { setImmediate } from 'node:timers/promises';
import { PyObject, PythonError, startPython } from '@array-interface/python';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';
import { runProgram } from '../support/program.js';

const python = startPython({ venv });
python.exec(`
import copy, gc, inspect, pickle, threading, weakref

def call(f, *args, **kwargs):
    return f(*args, **kwargs)

def caught(f):
    try:
        f()
    except Exception as error:
        kind = type(error)
        return kind.__module__ + '.' + kind.__name__, issubclass(kind, RuntimeError), str(error)

def in_threads(f, threads, calls):
    '''The results of each of several threads, one after another within a thread.'''
    results = [None] * threads
    def run(n):
        results[n] = [f(n, i) for i in range(calls)]
    started = [threading.Thread(target=run, args=(n,)) for n in range(threads)]
    for thread in started: thread.start()
    for thread in started: thread.join()
    return results
`);
const global = (name: string) => python.eval(name) as PyObject;
const call = global('call');
const caught = global('caught');
const inThreads = global('in_threads');

/** What it throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('expected an error, got none');
}

test('arguments and the result cross by value, keywords as a last object', () => {
  const got: unknown[][] = [];
  const f = (...args: unknown[]) => {
    got.push(args);
    return { sum: [1, 2n ** 70n] };
  };
  expect(call.call([f]).toJS()).toEqual({ sum: [1, 2n ** 70n] });
  call.call([f, 1, 'two', [3]], { four: 4, five: null });
  expect(got).toEqual([[], [1, 'two', expect.any(PyObject), { four: 4, five: null }]]);
  expect(String(got[1]?.[2])).toBe('[3]');
  expect(call.call([() => undefined])).toBe(null);
});

test('a callable looks like a Python function', () => {
  function added(): void {}
  const look = python.eval('lambda f: [f.__name__, f.__doc__, str(inspect.signature(f))]');
  const seen = (look as PyObject).call([added]);
  expect(seen.toJS()).toEqual([
    'added',
    'A function of JavaScript\u2019s.'.replace('\u2019', "'"),
    '(*args, **kwargs)',
  ]);
  expect((python.eval('lambda f: f.__name__') as PyObject).call([() => 0])).toBe('<anonymous>');
});

test('a callable that a class has is a method, as a function of Python is', () => {
  python.exec('class Counter:\n  def __init__(self, start): self.count = start');
  using counter = python.eval('Counter');
  counter.set('add', (self: PyObject, by: number) => self.get<number>('count') + by);
  expect(python.eval('Counter(2).add(3)')).toBe(5);
  expect(python.eval('Counter.add(Counter(4), 1)')).toBe(5);
  expect(python.eval('Counter(1).add.__self__.count')).toBe(1);
  expect(python.eval('str(inspect.signature(Counter(1).add))')).toBe('(*args, **kwargs)');
  python.exec('class Fast(Counter): pass\nfast = Fast(1)');
  python.eval('fast').set('own', (...given: unknown[]) => given.length);
  expect(python.eval('[fast.add(1), fast.own()]').toJS()).toEqual([2, 0]); // an instance's is none
});

test('a callable can be referred to weakly, and a copy of it is itself', () => {
  const look = python.eval(
    'lambda f: [weakref.ref(f)() is f, copy.copy(f) is f, copy.deepcopy([f])[0] is f, repr(f)]',
  );
  expect(look.call([(a: number) => a]).toJS()).toEqual([
    ...[true, true, true],
    '<JavaScript function <anonymous>>',
  ]);
  expect(
    python
      .eval('(lambda f: weakref.ref(f))')
      .call([() => 0])
      .call(),
  ).toBe(null);
  expect(() => python.eval('lambda f: type(f)()').call([() => 0])).toThrowError(/cannot create/);
});

test('a callable is not pickled', () => {
  const error = thrownBy(() => (python.eval('pickle.dumps') as PyObject).call([() => 0]));
  expect(error).toMatchObject({ type: 'TypeError' });
});

test('a thrown error is a JavaScriptError in Python, and itself once it is back', () => {
  const mine = new TypeError('mine');
  const fail = () => {
    throw mine;
  };
  expect(caught.call([fail]).toJS()).toEqual([
    'array_interface.JavaScriptError',
    true,
    'TypeError: mine',
  ]);
  expect(thrownBy(() => call.call([fail]))).toBe(mine);
});

test('an error that is not an object comes back, too', () => {
  for (const mine of [undefined, null, 0, 'text', Symbol('one')]) {
    const fail = () => {
      throw mine;
    };
    expect(thrownBy(() => call.call([fail]))).toBe(mine);
  }
});

test('a PythonError raises its exception again', () => {
  const fail = () => python.eval('{}["missing"]');
  expect(caught.call([fail]).toJS()).toEqual(['builtins.KeyError', false, "'missing'"]);
  const error = thrownBy(() => call.call([fail])) as PythonError;
  expect(error).toBeInstanceOf(PythonError);
  expect(error.type).toBe('KeyError');
});

test('what cannot cross is an error on the side that asked for it', () => {
  expect(thrownBy(() => call.call([() => Symbol('one')]))).toMatchObject({ code: 'ERR_TYPE' });
});

test('a promise is refused in the thread that runs JavaScript', () => {
  const [kind, , message] = caught.call([async () => 1]).toJS<string[]>();
  expect(kind).toBe('builtins.TypeError');
  expect(message).toMatch(/expected a value, got a promise.*runAsync$/);
});

test('another thread waits for a promise', async () => {
  const later = async (value: number) => {
    await setImmediate();
    if (value === 0) throw new RangeError('none');
    return value + 1;
  };
  expect(await python.runAsync(call, [later, 4])).toBe(5);
  const failed = python.runAsync(call, [later, 0]);
  await expect(failed).rejects.toThrow(new RangeError('none'));
});

test.each([
  [1, 1000],
  [4, 1000],
])('%i threads call %i times', async (threads, calls) => {
  let count = 0;
  const f = (thread: number, i: number) => {
    count++;
    return [thread, i];
  };
  const got = (await python.runAsync(inThreads, [f, threads, calls])).toJS();
  expect(count).toBe(threads * calls);
  const numbers = (length: number) => Array.from({ length }, (_, i) => i);
  expect(got).toEqual(numbers(threads).map((thread) => numbers(calls).map((i) => [thread, i])));
});

test('a callback may call Python, which calls back', () => {
  const down = (n: number): unknown => (n === 0 ? 'bottom' : call.call([down, n - 1]));
  expect(call.call([down, 100])).toBe('bottom');
});

const BLOCKED = /^RuntimeError: expected the JavaScript thread to take this call, .*use runAsync/;
const ENDED = /^(RuntimeError: the JavaScript environment has ended(\n|$))+$/;

/** Expects that a program ends by itself, and says what it should. */
async function says(program: string, argument: string, words: RegExp): Promise<void> {
  const env = { ARRAY_INTERFACE_PYTHON_TIMEOUT: '0.3' };
  const { status, stdout, stderr } = await runProgram(program, { argument, env });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toMatch(words);
}

test.each([
  ['joins for ever', BLOCKED],
  ['comes back in time', /^answered$/],
  ['again and again', /^answered$/],
  ['in the function', /^answered$/],
  ['waits for a promise', BLOCKED],
])('a call while the JavaScript thread is in Python: %s', async (argument, words) => {
  await says('calls/blocked.mjs', argument, words);
});

test.each([
  ['called by the main thread', /^2$/],
  ['calls the main thread', /^3$/],
  ['calls each other', BLOCKED],
  ['called when it is gone', ENDED],
  ['ends while a thread waits', ENDED],
  ['ends while threads call on', ENDED],
  ['ends in a function of a thread’s', ENDED],
  ['ends in a function of its own', /^1$/],
  ['ends while it calls', /^1$/],
  ['exits in a function', /^0$/],
])('a worker and its functions: %s', async (argument, words) => {
  await says('calls/call-worker.mjs', argument, words);
});

test.each([
  'exit in a callback',
  'exit in the callback of a thread',
  'exit while a thread waits',
  'exit while threads call on',
  'exit while runs go on',
  'callables are kept',
  'a thread has begun to wait',
  'a run goes on',
  'a thread waits for a promise',
])('the process ends as it should: %s', async (argument) => {
  const ended = await runProgram('calls/call-ends.mjs', { argument });
  expect(ended).toEqual({ status: 3, stdout: '', stderr: '' });
});

test('a fork of the process has no JavaScript', async () => {
  await says(
    'calls/call-forked.mjs',
    '',
    /^RuntimeError: expected the process that made .*, got a fork/,
  );
});

test('a Python exit function may call JavaScript', async () => {
  const ended = await runProgram('calls/call-ends.mjs', { argument: 'an exit function calls' });
  expect(ended).toEqual({ status: 3, stdout: 'called', stderr: '' });
});

test('an error that nobody catches on its way through Python ends the process', async () => {
  const { status, stderr } = await runProgram('calls/call-ends.mjs', {
    argument: 'an error in a callback',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('Error: mine');
});

test('Python’s lock is free while JavaScript runs', async () => {
  await says('calls/unlocked.mjs', '', /^ticked\nticked$/);
});

test.each(['main', 'worker'])('infinite recursion is an error: %s', async (argument) => {
  // CPython 3.12 has a limit of its own, which may come first.
  const words =
    /^(RangeError\nJavaScriptError: RangeError|PythonError\nRecursionError): .*\ngoes on$/;
  await says('calls/call-deep.mjs', argument, words);
});

test('functions are released when Python drops them, on any thread; heaps stay flat', async () => {
  const { stdout, stderr } = await runProgram('calls/call-heaps.mjs', { flags: ['--expose-gc'] });
  expect(stderr).toBe('');
  const { blocks, heap, kept, calls } = JSON.parse(stdout);
  expect(kept).toEqual([20, 0]);
  expect(calls).toBe(20);
  expect(blocks).toBeLessThan(500); // of 20,000 callbacks
  expect(heap).toBeLessThan(500_000);
});
