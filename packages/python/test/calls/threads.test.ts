import { expect, test } from 'vitest';
import { runProgram } from '../support/program.js';

const WHERE = ['main', 'worker'];

/** What code prints in a Python that a thread of JavaScript's started, the main thread or a worker. */
async function printed(where: string, code: string): Promise<string> {
  const argument = JSON.stringify({ where, code });
  const { status, stdout, stderr } = await runProgram('calls/first-thread.mjs', { argument });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
}

test.each(WHERE)('a thread’s Python state stays from call to call: %s', async (argument) => {
  const ended = await runProgram('calls/kept-state.mjs', { argument });
  expect(ended).toEqual({ status: 0, stdout: 'true mine', stderr: '' });
});

test.each(WHERE)('asyncio runs if Python’s first thread is: %s', async (where) => {
  const code = `
import asyncio
async def later(value):
    await asyncio.sleep(0.001)
    return value
async def all(): return await asyncio.gather(later(1), asyncio.to_thread(abs, -2))
print(asyncio.run(all()))`;
  expect(await printed(where, code)).toBe('[1, 2]');
});

test('a Python coroutine waits for JavaScript functions on other threads', async () => {
  const ended = await runProgram(`import { python } from './running.mjs';
    python.exec(\`
import asyncio
async def all(f): return await asyncio.gather(*(asyncio.to_thread(f, i) for i in range(4)))
def run(f): return asyncio.run(all(f))\`);
    const got = await python.runAsync(python.eval('run'), [async (value) => value + 1]);
    console.log(got.toJS());`);
  expect(ended).toEqual({ status: 0, stdout: '[ 1, 2, 3, 4 ]', stderr: '' });
});

test.each(
  WHERE.flatMap((where) => ['spawn', 'forkserver', 'fork'].map((method) => [method, where])),
)('a process pool works by %s if Python’s first thread is: %s', async (method, where) => {
  const code = `
import multiprocessing, warnings
warnings.simplefilter('ignore', DeprecationWarning)  # a fork of a process with threads
with multiprocessing.get_context('${method}').Pool(2) as pool: print(pool.map(abs, [-1, -2, 3]))`;
  expect(await printed(where, code)).toBe('[1, 2, 3]');
});

test.each(WHERE)('os.fork makes a process if Python’s first thread is: %s', async (where) => {
  const code = `
import os, warnings
warnings.simplefilter('ignore', DeprecationWarning)
child = os.fork()
if child == 0: os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))`;
  expect(await printed(where, code)).toBe('7');
});

test.each([
  ['main', 'taken'],
  ['worker', 'ValueError'],
])('signal.signal works or is refused if Python’s first thread is: %s', async (where, expected) => {
  const code = `
import signal
try:
    signal.signal(signal.SIGINT, lambda *_: None)
    print('taken')
except ValueError as error: print(type(error).__name__)`;
  expect(await printed(where, code)).toBe(expected);
});
