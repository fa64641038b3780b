import { type PyObject, startPython } from '@array-interface/python';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';
import { runProgram } from '../support/program.js';

const python = startPython({ venv });
python.exec(`
import asyncio, threading
ended = []
async def add(one, other):
    await asyncio.sleep(0.001)
    return one + other
async def fail(): raise KeyError('mine')
async def forever(ready=None):
    try:
        if ready: ready()
        await asyncio.sleep(1000)
    finally: ended.append('in the end')
async def swallow(ready):
    try:
        ready()
        await asyncio.sleep(1000)
    except asyncio.CancelledError: return 'swallowed'
async def thread(): return threading.get_ident()
async def count(n):
    try:
        for i in range(n):
            await asyncio.sleep(0)
            yield i
    finally: ended.append('closed')
async def failing():
    yield 1
    raise ValueError('enough')
class Awaitable:
    def __await__(self): return (yield from add(1, 2).__await__())
async def call(f, *args): return await asyncio.to_thread(f, *args)
async def nested(): return add(3, 4)
class Aiter:
    def __aiter__(self): return self
    async def __anext__(self): raise StopAsyncIteration
`);
const call = (name: string, ...args: unknown[]) => python.eval(name).call(args);

test('await of a coroutine gives its result, as python.await does', async () => {
  const sum: unknown = await call('add', 1, 2);
  expect(sum).toBe(3);
  expect(await python.await(call('add', 'a', 'b'))).toBe('ab');
  const list = (await call('add', [1], [2])) as PyObject;
  expect(list.toJS()).toEqual([1, 2]);
  expect(await python.await(call('Awaitable'))).toBe(3);
  expect(await call('nested')).toBe(7);
});

test('runAsync of an async function gives its result', async () => {
  expect(await python.runAsync(python.eval('add'), [20, 22])).toBe(42);
  await expect(python.runAsync(python.eval('fail'))).rejects.toMatchObject({ type: 'KeyError' });
});

test('all run on one thread, side by side', async () => {
  const [one, other] = await Promise.all([call('thread'), python.runAsync(python.eval('thread'))]);
  expect(one).toBe(other);
  const all = Array.from({ length: 1000 }, (_, i) => python.await(call('add', i, 1)));
  expect(await Promise.all(all)).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1));
});

test('what it raises rejects', async () => {
  await expect(python.await(call('fail'))).rejects.toMatchObject({ type: 'KeyError' });
  await expect((async () => await call('fail'))()).rejects.toMatchObject({ type: 'KeyError' });
  const used = call('add', 1, 2);
  await used;
  await expect(python.await(used)).rejects.toMatchObject({ type: 'RuntimeError' });
});

test('what cannot be awaited, and wrong options, reject', async () => {
  await expect(python.await(python.list())).rejects.toMatchObject({ type: 'TypeError' });
  await expect(python.await({} as never)).rejects.toMatchObject({ code: 'ERR_TYPE' });
  const waiting = call('add', 1, 2);
  const wrong = { signal: 1 } as never;
  await expect(python.await(waiting, wrong)).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  expect(await waiting).toBe(3);
});

test('other objects are no promises', async () => {
  const list = python.list([1]);
  expect((list as { then?: unknown }).then).toBeUndefined();
  expect(await list).toBe(list);
  list.dispose();
  expect(await list).toBe(list);
});

test('a signal cancels the coroutine, and the promise rejects with its reason', async () => {
  python.exec('ended.clear()');
  const controller = new AbortController();
  const reason = new Error('mine');
  const run = python.await(
    call('forever', () => controller.abort(reason)),
    controller,
  );
  await expect(run).rejects.toBe(reason);
  expect(python.eval('ended').toJS()).toEqual(['in the end']);
  const aborted = AbortSignal.abort();
  const unstarted = call('add', 1, 2);
  await expect(python.await(unstarted, { signal: aborted })).rejects.toBe(aborted.reason);
  expect(await unstarted).toBe(3);
});

test('a signal of runAsync cancels the coroutine that it returns', async () => {
  const controller = new AbortController();
  const run = python.runAsync(python.eval('forever'), [() => controller.abort()], controller);
  await expect(run).rejects.toMatchObject({ name: 'AbortError' });
});

test('a coroutine that swallows its cancellation settles the promise itself', async () => {
  const controller = new AbortController();
  const run = python.await(
    call('swallow', () => controller.abort()),
    controller,
  );
  expect(await run).toBe('swallowed');
});

test('a coroutine may wait for a promise of JavaScript’s on another thread', async () => {
  const later = async (value: number) => (await call('add', value, 1)) as unknown as number;
  expect(await call('call', later, 4)).toBe(5);
});

test('for await iterates, and leaving the loop closes the generator', async () => {
  python.exec('ended.clear()');
  const seen: unknown[] = [];
  for await (const value of call('count', 3)) seen.push(value);
  expect(seen).toEqual([0, 1, 2]);
  for await (const value of call('count', 10)) if (value === (2 as unknown)) break;
  expect(python.eval('ended').toJS()).toEqual(['closed', 'closed']);
  const failing = async () => {
    for await (const value of call('failing')) seen.push(value);
  };
  await expect(failing()).rejects.toMatchObject({ type: 'ValueError' });
  expect(seen).toEqual([0, 1, 2, 1]);
  for await (const value of call('Aiter')) seen.push(value);
  for await (const value of python.list(['sync'])) seen.push(value);
  expect(seen.slice(4)).toEqual(['sync']);
});

test.each([
  ['pending coroutines at the end of the process', 'process.exit(3)', 3],
  ['an uncaught error', 'setTimeout(() => { throw new Error("mine"); }, 20)', 1],
])('%s', async (_, end, status) => {
  const ended = await runProgram(`import { python } from './running.mjs';
    const sleep = python.import('asyncio').get('sleep');
    for (let i = 0; i < 1000; i++) python.await(sleep.call([1000]));
    ${end};`);
  expect(ended).toMatchObject({ status, stdout: '' });
});

test('a promise keeps the process alive until it settles', async () => {
  const ended = await runProgram(`import { python } from './running.mjs';
    const sleep = python.import('asyncio').get('sleep');
    sleep.call([0.1, 'slept']).then((value) => console.log(value));`);
  expect(ended).toEqual({ status: 0, stdout: 'slept', stderr: '' });
});

test('a worker’s coroutines are cancelled when it ends', async () => {
  const ended = await runProgram('calls/await-worker.mjs');
  expect(ended).toEqual({ status: 0, stdout: 'cancelled', stderr: '' });
});
