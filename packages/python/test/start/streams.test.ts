import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';
import { runProgram } from '../support/program.js';

// What processes that Python starts have for stdin, stdout and stderr. Node closes its own on exec.

/** A module that runs this Python, after this JavaScript. */
const inPython = (python: string, before = '') => `
  import fs from 'node:fs';
  ${before}
  (await import('./running.mjs')).python.exec(${JSON.stringify(python)});`;

/** Python that says on stderr what each of the first files of its process is. */
const LOOK = `import os, re, sys
paths = [f'/proc/self/fd/{number}' for number in range(9)]
files = [re.sub(':.*', '', os.readlink(path)) for path in paths if os.path.lexists(path)]
print(*files, file=sys.stderr)`;

/** Python that starts a Python that looks. */
const START_LOOK = `import subprocess, sys
subprocess.run([sys.executable, '-c', ${JSON.stringify(LOOK)}], close_fds=False)`;

test('a child reads and writes the streams of the process', async () => {
  const ended = await runProgram(
    inPython(`import subprocess
print(subprocess.run(['sh', '-c', 'cat; echo out; echo error >&2']).returncode)`),
    { watch: (child) => child.stdin?.end('in\n') },
  );
  expect(ended).toEqual({ status: 0, stdout: 'in\nout\n0', stderr: 'error' });
});

test('so does a command of os.system', async () => {
  const ended = await runProgram(inPython(`import os; print(os.system('echo out'))`));
  expect(ended).toEqual({ status: 0, stdout: 'out\n0', stderr: '' });
});

test.each(['spawn', 'forkserver', 'fork'])('so does a pool: %s', async (method) => {
  const ended = await runProgram(
    inPython(`import multiprocessing
pool = multiprocessing.get_context('${method}').Pool(1)
print(pool.map(print, ['out', 'more']))
pool.close()
pool.join()`),
  );
  const { stdout, ...rest } = ended;
  expect(rest).toEqual({ status: 0, stderr: '' });
  expect(stdout.split('\n').sort()).toEqual(['[None, None]', 'more', 'out']);
});

test('so does a child of a Python that a worker started', async () => {
  const ended = await runProgram(`import { Worker } from 'node:worker_threads';
    const started = new URL('./running.mjs', \`file://\${process.cwd()}/\`).href;
    new Worker(\`import(\${JSON.stringify(started)}).then(({ python }) => python.exec(
      'import os; os.system("echo out")'))\`, { eval: true });`);
  expect(ended).toEqual({ status: 0, stdout: 'out', stderr: '' });
});

test('no file that a child opens becomes its output', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'streams-'));
  try {
    const file = join(folder, 'precious');
    const child = `import ctypes; first = open('/dev/null'); file = open('${file}', 'r+b', buffering=0)
libc = ctypes.CDLL(None); libc.puts(b'a line of C'); libc.fflush(None)`;
    const ended = await runProgram(
      inPython(`import subprocess, sys
open('${file}', 'w').write('precious')
subprocess.run([sys.executable, '-c', ${JSON.stringify(child)}])`),
    );
    expect(ended).toEqual({ status: 0, stdout: 'a line of C', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe('precious');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('streams that were closed when Node started are /dev/null, like Node’s own', async () => {
  const program = inPython(START_LOOK);
  const command = '"$0" --input-type=module --eval "$1" <&- >&-';
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, program], {
    cwd: join(import.meta.dirname, '../programs'),
    encoding: 'utf8',
    env: { ...process.env, ARRAY_INTERFACE_TEST_PYTHON: venv },
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  expect(stderr).toBe('/dev/null /dev/null socket\n');
});

test('a stream that the program reopened is the child’s', async () => {
  const ended = await runProgram(
    inPython(START_LOOK, `fs.closeSync(1); fs.openSync('/dev/zero', 'w');`),
  );
  expect(ended).toMatchObject({ status: 0, stdout: '' });
  expect(ended.stderr).toMatch(/^\w+ \/dev\/zero \w+$/);
});

test('children of Node get the streams that they are given, and no others', async () => {
  const ended = await runProgram(`import { spawnSync } from 'node:child_process';
    import fs from 'node:fs';
    import './running.mjs';
    const file = fs.openSync('/dev/zero');
    const python = process.env.ARRAY_INTERFACE_TEST_PYTHON + '/bin/python';
    const look = ['-c', ${JSON.stringify(LOOK)}];
    for (const stdio of [['ignore', 'ignore', 'pipe'], ['ignore', file, 'pipe', file]])
      console.log(spawnSync(python, look, { stdio, encoding: 'utf8' }).stderr.trim());`);
  expect(ended).toEqual({
    status: 0,
    stdout: '/dev/null /dev/null socket\n/dev/null /dev/zero socket /dev/zero',
    stderr: '',
  });
});

test('on a terminal, too, which Node reopens if JavaScript writes first', () => {
  const program = inPython(
    `import os; os.system('tty; echo error >&2')`,
    `await import('./running.mjs'); console.log('JavaScript'); console.error('too');`,
  );
  const start = `import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)`;
  const command = [process.execPath, '--input-type=module', '--eval', program];
  const printed = execFileSync(join(venv, 'bin/python'), ['-c', start, ...command], {
    cwd: join(import.meta.dirname, '../programs'),
    encoding: 'utf8',
    env: { ...process.env, ARRAY_INTERFACE_TEST_PYTHON: venv },
  });
  expect(printed).toMatch(/^JavaScript\r\ntoo\r\n\/dev\/pts\/\d+\r\nerror\r\n$/);
});

/** As a user has it. */
const env = { PYTHONUNBUFFERED: undefined };

test('output of both languages is in its order, through a pipe', async () => {
  const ended = await runProgram(
    `import { python } from './running.mjs';
    console.log('js 1');
    python.exec('print("py 1")');
    console.log('js 2');
    python.exec('print("py 2", end=" ")');
    console.log('js 3');`,
    { env },
  );
  expect(ended).toEqual({ status: 0, stdout: 'js 1\npy 1\njs 2\npy 2 js 3', stderr: '' });
});

test.each(['SIGTERM', 'SIGKILL'])('%s loses nothing that was printed', async (signal) => {
  const ended = await runProgram(
    `import { python } from './running.mjs';
    python.exec('print("py 1", end="")');
    process.kill(process.pid, '${signal}');
    setTimeout(() => {}, 60_000);`,
    { env },
  );
  expect(ended).toEqual({ status: signal, stdout: 'py 1', stderr: '' });
});

test('a pipe that is full takes all that Python prints, though Node made it one that does not block', async () => {
  const ended = await runProgram(
    `import { python } from './running.mjs';
    console.log('ready');
    python.exec('print("x" * 300_000)');
    python.exec('import sys; print("y" * 300_000, file=sys.stderr)');`,
    {
      env,
      watch: (child) => {
        child.stdout?.pause();
        setTimeout(() => child.stdout?.resume(), 500);
      },
    },
  );
  expect(ended.status).toBe(0);
  expect(ended.stdout).toBe(`ready\n${'x'.repeat(300_000)}`);
  expect(ended.stderr).toBe('y'.repeat(300_000));
});

test('Python’s streams have the names, encoding and bytes that they have elsewhere', async () => {
  const ended = await runProgram(
    inPython(`import sys
sys.stdout.buffer.write('é\\n'.encode())
print(sys.stdout.name, sys.stdout.mode, sys.stdout.encoding, sys.stdout.errors, sys.stdout.fileno())
print(sys.stdout is sys.__stdout__, sys.stderr.errors, file=sys.stderr)`),
  );
  expect(ended).toEqual({
    status: 0,
    stdout: 'é\n<stdout> w utf-8 surrogateescape 1',
    stderr: 'True backslashreplace',
  });
});
