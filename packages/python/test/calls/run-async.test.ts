import { type PyObject, startPython } from '@array-interface/python';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';
import { runProgram } from '../support/program.js';

const python = startPython({ venv });
python.exec(`
import threading, time, weakref

def given(*args, **kwargs):
    return args, kwargs

def meet(barrier):
    barrier.wait()
    return threading.get_ident()

def stay(ready):
    '''Runs until it is interrupted.'''
    ready()
    while True: pass

def swallow(ready):
    try:
        stay(ready)
    except KeyboardInterrupt:
        return 'swallowed'

def tell(ready, last):
    try:
        stay(ready)
    finally:
        last('in the end')

class Kept: pass
`);
const at = (name: string) => python.eval(name) as PyObject;

test('arguments, keywords and the result cross by value', async () => {
  expect((await python.runAsync(at('given'))).toJS()).toEqual([[], {}]);
  const result = await python.runAsync(at('given'), [1, [2]], { kwargs: { three: 3 } });
  expect(result.toJS()).toEqual([[1, [2]], { three: 3 }]);
  expect(await python.runAsync(at('Kept'))).toHaveProperty('call');
});

test('calls run on threads of their own', async () => {
  const barrier = python.eval('threading.Barrier(4)');
  const runs = Array.from({ length: 4 }, () => python.runAsync(at('meet'), [barrier]));
  const threads = await Promise.all(runs);
  threads.push(python.eval('threading.get_ident()'));
  expect(new Set(threads).size).toBe(5);
});

test('at most 64 run at once, the others in their turn', async () => {
  python.exec(`
most, now, lock = 0, 0, threading.Lock()
def sleeping():
    global most, now
    with lock:
        now += 1
        most = max(most, now)
    time.sleep(0.005)
    with lock: now -= 1
`);
  const sleeping = at('sleeping');
  await Promise.all(Array.from({ length: 2000 }, () => python.runAsync(sleeping)));
  expect(python.eval('most')).toBeGreaterThan(1);
  expect(python.eval('most')).toBeLessThanOrEqual(64);
});

test('a thread that has a name runs what names it, one after the other', async () => {
  python.exec(
    'local = threading.local()\ndef note(): local.noted = getattr(local, "noted", 0) + 1',
  );
  const ident = at('threading.get_ident');
  const options = { thread: 'one' };
  await Promise.all([1, 2].map(() => python.runAsync(at('note'), [], options)));
  const noted = at('lambda: (threading.get_ident(), local.noted)');
  const [thread, count] = (await python.runAsync(noted, [], options)).toJS<number[]>();
  expect(count).toBe(2);
  expect(await python.runAsync(ident, [], options)).toBe(thread);
  expect(await python.runAsync(ident, [], { thread: 'two' })).not.toBe(thread);
  expect(thread).not.toBe(python.eval('threading.get_ident()'));
});

test('so a connection of sqlite3 works there, and nowhere else', async () => {
  const connect = python.import('sqlite3').get('connect');
  const thread = 'database';
  const connection = await python.runAsync(connect, [':memory:'], { thread });
  const execute = connection.get('execute');
  const cursor = await python.runAsync(execute, ['select 1, 2'], { thread });
  const row = await python.runAsync(cursor.get('fetchone'), [], { thread });
  expect(row.toJS()).toEqual([1, 2]);
  const elsewhere = python.runAsync(execute, ['select 1']);
  await expect(elsewhere).rejects.toMatchObject({ type: 'ProgrammingError' });
});

test('a run that waits for its turn can be aborted at once', async () => {
  const [controller, thread] = [new AbortController(), 'queue'];
  const gate = at('threading.Event()');
  const first = python.runAsync(gate.get('wait'), [], { thread });
  let calls = 0;
  const second = python.runAsync(at('lambda f: f()'), [() => calls++], {
    thread,
    signal: controller.signal,
  });
  controller.abort();
  await expect(second).rejects.toBe(controller.signal.reason);
  gate.callMethod('set');
  expect(await first).toBe(true);
  await python.runAsync(at('int'), [], { thread });
  expect(calls).toBe(0);
});

test('an exception rejects', async () => {
  const failed = python.runAsync(at('lambda: {}["missing"]'));
  await expect(failed).rejects.toMatchObject({ name: 'PythonError', type: 'KeyError' });
  const callable = at('Kept()');
  await expect(python.runAsync(callable)).rejects.toMatchObject({ type: 'TypeError' });
});

test('wrong arguments reject', async () => {
  const wrong = (value: unknown) => value as never;
  const given = at('given');
  const gone = at('lambda: 1');
  gone[Symbol.dispose]();
  const refusals: [() => Promise<unknown>, string][] = [
    [() => python.runAsync(wrong(1)), 'ERR_TYPE'],
    [() => python.runAsync(given, wrong('text')), 'ERR_TYPE'],
    [() => python.runAsync(given, [Symbol('one')]), 'ERR_TYPE'],
    ...[[], new Map(), new Set([1]), new Uint8Array(1), at('object()')].map(
      (kwargs): [() => Promise<unknown>, string] => [
        () => python.runAsync(given, [], { kwargs: wrong(kwargs) }),
        'ERR_ARGUMENT',
      ],
    ),
    [() => python.runAsync(given, [], { signal: wrong(1) }), 'ERR_ARGUMENT'],
    [() => python.runAsync(given, [], wrong({ other: 1 })), 'ERR_ARGUMENT'],
    [() => python.runAsync(given, [], { thread: wrong(1) }), 'ERR_ARGUMENT'],
    [() => python.runAsync(gone), 'ERR_DISPOSED'],
  ];
  for (const [refusal, code] of refusals) await expect(refusal()).rejects.toMatchObject({ code });
});

test('a signal that is aborted already starts nothing', async () => {
  let calls = 0;
  const count = () => calls++;
  const signal = AbortSignal.abort();
  const run = python.runAsync(at('lambda f: f()'), [count], { signal });
  await expect(run).rejects.toBe(signal.reason);
  await python.runAsync(at('int'));
  expect(calls).toBe(0);
});

test('a signal ends running code, and the promise rejects with its reason', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const run = python.runAsync(at('stay'), [() => controller.abort()], { signal });
  await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  const other = new AbortController();
  const reason = new Error('mine');
  const ready = () => queueMicrotask(() => other.abort(reason));
  await expect(python.runAsync(at('stay'), [ready], other)).rejects.toBe(reason);
});

test('a signal ends a wait for JavaScript', async () => {
  const controller = new AbortController();
  const never = () => {
    setImmediate(() => controller.abort());
    return new Promise(() => {});
  };
  const run = python.runAsync(at('lambda f: f()'), [never], controller);
  await expect(run).rejects.toMatchObject({ name: 'AbortError' });
});

// It may do so before or after the thread of Python's waits for it.
test('a function that a run calls may abort the run that waits for it, every time', async () => {
  for (let times = 0; times < 300; times++) {
    const controller = new AbortController();
    const never = () => {
      controller.abort();
      return new Promise(() => {});
    };
    const run = python.runAsync(at('lambda f: f()'), [never], controller);
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  }
});

test('a promise that no run waits for does not keep the process alive', async () => {
  const ended = await runProgram(`import { python } from './running.mjs';
    const controller = new AbortController();
    const never = () => {
      setImmediate(() => controller.abort());
      return new Promise(() => {});
    };
    await python.runAsync(python.eval('lambda f: f()'), [never], controller).catch(({ name }) => {
      console.log(name);
    });`);
  expect(ended).toEqual({ status: 0, stdout: 'AbortError', stderr: '' });
});

test('code that swallows the interrupt returns its result', async () => {
  const controller = new AbortController();
  const ready = () => controller.abort();
  expect(await python.runAsync(at('swallow'), [ready], controller)).toBe('swallowed');
});

test('interrupted code may still call JavaScript', async () => {
  const controller = new AbortController();
  const told: unknown[] = [];
  const ready = () => queueMicrotask(() => controller.abort());
  const run = python.runAsync(at('tell'), [ready, (text: string) => told.push(text)], controller);
  await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  expect(told).toEqual(['in the end']);
});

test('a signal that is aborted afterwards does nothing', async () => {
  const controller = new AbortController();
  expect(await python.runAsync(at('int'), [7], controller)).toBe(7);
  controller.abort();
  expect(await python.runAsync(at('int'), [8])).toBe(8);
});

test('a signal after the run has ended interrupts no other run on its thread', async () => {
  const [controller, thread] = [new AbortController(), 'both'];
  python.exec(`
begun = threading.Event()
def next_run():
    begun.set()
    for _ in range(100): time.sleep(0.002)
    return 'undisturbed'
`);
  const run = python.runAsync(at('int'), [7], { signal: controller.signal, thread });
  const next = python.runAsync(at('next_run'), [], { thread });
  python.eval('begun.wait()'); // the first has ended, and JavaScript has not heard of it yet
  controller.abort();
  await run.catch(() => {});
  expect(await next).toBe('undisturbed');
});

test('many runs are aborted at any moment', async () => {
  const runs = Array.from({ length: 16 }, async (_, i) => {
    const controller = new AbortController();
    const run = python.runAsync(at('stay'), [() => 0], controller);
    if (i % 2 === 0) await null;
    setTimeout(() => controller.abort(), i % 7);
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  });
  await Promise.all(runs);
});

// A free-threaded Python has what the JavaScript thread made dropped there, when it runs Python next.
test('arguments are dropped before the promise settles, on the thread', async () => {
  python.exec('dropped_on = []');
  const make = at(`lambda: (lambda kept: (weakref.finalize(kept,
    lambda: dropped_on.append(threading.get_ident())), kept)[1])(Kept())`);
  const kept = make.call() as PyObject;
  const gate = python.eval('threading.Event()') as PyObject;
  const code = at('lambda kept, gate: gate.wait() and threading.get_ident()');
  const run = python.runAsync(code, [kept, gate]);
  kept[Symbol.dispose]();
  gate.callMethod('set');
  const thread = await run;
  const own = python.eval('threading.get_ident()');
  const isFree = python.version.includes('free-threading');
  expect(python.eval('dropped_on').toJS()).toEqual([isFree ? own : thread]);
});

test('a run is interrupted when the worker that began it ends', async () => {
  expect(await runProgram('calls/run-worker.mjs')).toEqual({
    status: 0,
    stdout: 'interrupted',
    stderr: '',
  });
});
