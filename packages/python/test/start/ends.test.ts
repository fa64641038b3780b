import { expect, test } from 'vitest';
import { hasDpctl } from '../support/environment.js';
import { runProgram } from '../support/program.js';

const OUTPUT = 'no newline, registered last\nregistered first';

test.each([
  ['natural end', 0],
  ['process.exit', 3],
  ['uncaught error', 1],
  ['listener that throws', 1],
])(
  'exit functions run and output is flushed, beside busy threads: %s',
  async (argument, status) => {
    const ended = await runProgram('start/end.mjs', { argument });
    expect(ended).toMatchObject({ status: argument.startsWith('l') ? expect.any(Number) : status });
    expect(ended.stdout).toBe(OUTPUT);
    expect(ended.stderr.includes('Error: mine')).toBe(status === 1);
  },
);

test.each(['natural end', 'process.exit'])(
  'both streams are flushed, whatever a program replaced them with: %s',
  async (how) => {
    const ended = await runProgram(`import { python } from './running.mjs';
      python.exec('import sys; sys.stdout, sys.stderr = open(1, "w"), open(2, "w")');
      python.exec('sys.stdout.write("out"); sys.stderr.write("error")');
      ${how === 'process.exit' ? 'process.exit(3);' : ''}`);
    const status = how === 'process.exit' ? 3 : 0;
    expect(ended).toEqual({ status, stdout: 'out', stderr: 'error' });
  },
);

test.each([
  ['an __import__ that raises', 'import builtins; builtins.__import__ = 0'],
  ['no sys.stdout', 'import sys; del sys.stdout'],
  ['no atexit', 'import sys; del sys.modules["atexit"]'],
])('exit functions run if a program has left %s', async (_, code) => {
  const ended = await runProgram(`import { python } from './running.mjs';
    python.exec('import atexit, sys; atexit.register(print, "ends", file=sys.stdout, flush=True)');
    python.exec(${JSON.stringify(code)});`);
  expect(ended).toEqual({ status: 0, stdout: 'ends', stderr: '' });
});

test.each([
  ['natural end', 0],
  ['process.exit', 3],
])('a library may drop objects of Python in exit(): %s', async (argument, status) => {
  const ended = await runProgram('start/library-ends.mjs', { argument });
  expect(ended).toEqual({ status, stdout: 'ends\ndropped', stderr: '' });
});

test.each([
  ['natural end', 0],
  ['process.exit', 3],
  ['uncaught error', 1],
])('executors finish their jobs, before exit functions run: %s', async (how, status) => {
  const ends = { 'process.exit': 'process.exit(3)', 'uncaught error': 'throw new Error("mine")' };
  const ended = await runProgram(`import { python } from './running.mjs';
    python.exec(\`
import atexit, time
from concurrent.futures import ThreadPoolExecutor
atexit.register(print, 'exit function')
def job(number):
    time.sleep(0.05)
    print('job', number)
executor = ThreadPoolExecutor(1)
for number in range(3): executor.submit(job, number)
\`);
    ${ends[how as keyof typeof ends] ?? ''}`);
  expect(ended).toMatchObject({ status, stdout: 'job 0\njob 1\njob 2\nexit function' });
});

/** A worker's object, destroyed after the worker by a thread that gives Python's lock away. */
const DESTROYED = `import { Worker } from 'node:worker_threads';
  import { python } from './running.mjs';
  python.exec(\`
import sys, time, types
class Slow:
    has_begun = False
    def __del__(self):
        Slow.has_begun = True
        time.sleep(SECONDS)
        print('destroyed')
sys.modules['slow'] = types.SimpleNamespace(Slow=Slow)\`);
  const make = 'import sys; slow = sys.modules["slow"].Slow()';
  const code = \`import('@array-interface/python').then(({ startPython }) =>
    startPython({ venv: process.env.ARRAY_INTERFACE_TEST_PYTHON }).exec('\${make}'))\`;
  new Worker(code, { eval: true }).on('exit', async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));  // no entry of this thread destroys it
    while (!python.eval('Slow.has_begun')) await new Promise((resolve) => setTimeout(resolve, 1));
    ENDS;
  });`;

test.each([
  ['natural end', 0, ''],
  ['process.exit', 3, 'process.exit(3)'],
  ['uncaught error', 1, 'throw new Error("mine")'],
])('what another thread has begun to destroy is destroyed: %s', async (_, status, ends) => {
  const ended = await runProgram(DESTROYED.replace('SECONDS', '0.3').replace('ENDS', ends));
  expect(ended).toMatchObject({ status, stdout: 'destroyed' });
});

test('exit() does not wait for ever for a destructor that does not end', async () => {
  const ended = await runProgram(DESTROYED.replace('SECONDS', '600').replace('ENDS', ''));
  expect(ended).toEqual({ status: 0, stdout: '', stderr: '' });
});

test.each([
  ['idle', 'SIGINT'],
  ['in Python', 'SIGINT'],
  ['in Python, with a listener', 5],
])('Ctrl-C is Node’s: %s', async (argument, status) => {
  const ended = await runProgram('start/interrupted.mjs', {
    argument,
    watch: (child) => {
      child.stdout?.once('data', () => {
        child.kill('SIGINT');
        if (status === 5) child.stdin?.end();
      });
    },
  });
  expect(ended).toEqual({ status, stdout: 'ready', stderr: '' });
});

test('a signal is Python’s once Python code takes it', async () => {
  const ended = await runProgram('start/signals.mjs');
  expect(ended).toEqual({ status: 0, stdout: 'JavaScript\nPython', stderr: '' });
});

test.each([
  ['natural end', 0],
  ['process.exit', 3],
])('non-daemon Python threads are not waited for: %s', async (argument, status) => {
  const ended = await runProgram('start/threads-left.mjs', { argument });
  expect(ended).toEqual({ status, stdout: '', stderr: '' });
});

test.each(['main', 'worker'])(
  'workers call Python, and leave nothing behind, if its first thread is: %s',
  async (argument) => {
    const { status, stdout, stderr } = await runProgram('start/workers.mjs', { argument });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const sums = Array(4).fill([0, 199_990_000]);
    expect(stdout.split('\n')).toEqual([JSON.stringify(sums), '4 0', 'true']);
  },
);

test.each([
  ['worker', { status: 0, stdout: 'ended 1 2', stderr: '' }],
  ['process', { status: 3, stdout: '', stderr: '' }],
])('while a worker is in Python, the %s may end', async (argument, expected) => {
  expect(await runProgram('start/worker-ends.mjs', { argument })).toEqual(expected);
});

test.each([
  ['worker', { status: 0, stdout: 'ended 1 2', stderr: '' }],
  ['process', { status: 3, stdout: '', stderr: '' }],
])(
  'while a worker waits in Python for the main thread, the %s may end',
  async (argument, expected) => {
    expect(await runProgram('start/waiting-worker.mjs', { argument })).toEqual(expected);
  },
);

test('a thread of Python runs while the event loop waits', async () => {
  expect(await runProgram('start/ticks.mjs')).toEqual({ status: 0, stdout: 'ticked', stderr: '' });
});

test('Python starts processes in its own environment', async () => {
  const ended = await runProgram('start/children.mjs');
  expect(ended).toEqual({ status: 0, stdout: 'True\n[1, 2, 3]', stderr: '' });
});

test.each(['alone', 'beside a worker'])(
  'a collected object is released in Python without another call: %s',
  async (argument) => {
    const options = { argument, flags: ['--expose-gc'] };
    const { status, stderr } = await runProgram('start/collected.mjs', options);
    expect(stderr).toBe('');
    expect(status).toBe(7);
  },
);

test.runIf(hasDpctl)('dpctl finds its devices, and the process ends as it should', async () => {
  const ended = await runProgram(`import { python } from './running.mjs';
    python.exec('import dpctl, dpctl.memory; kept = dpctl.memory.MemoryUSMShared(64)');
    console.log(python.eval('dpctl.SyclDevice().is_cpu'));
    process.exitCode = 4;`);
  expect(ended).toEqual({ status: 4, stdout: 'true', stderr: '' });
});
