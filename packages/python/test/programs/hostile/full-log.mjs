// The driver waits for a thread that waits for Python's lock: its log is a pipe, which is full, and which a
// thread of Python's empties. Prints what went through. Without the lock given back, nothing ends.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { libraryPath } from '@array-interface/cuda-simulator';
import { startPython } from '@array-interface/python';

const folder = mkdtempSync(join(tmpdir(), 'full-log-'));
const log = join(folder, 'log');
execFileSync('mkfifo', [log]);
process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath;
process.env.CUDA_SIMULATOR_LOG = log;
delete process.env.CUDA_SIMULATOR_SCHEDULE;
const python = startPython({ venv: process.env.ARRAY_INTERFACE_TEST_PYTHON });
python.import('__main__').set('log', log);
python.exec(`
import os, sys, threading
sys.setswitchinterval(1_000_000)  # nobody gets the lock who is not given it
reader = os.open(log, os.O_RDONLY | os.O_NONBLOCK)
writer = os.open(log, os.O_WRONLY | os.O_NONBLOCK)
lines = []
def empty():
    """What is in the pipe by now."""
    try:
        while True: lines.append(os.read(reader, 65536))
    except BlockingIOError: pass
def fill():
    empty()
    try:
        while True: os.write(writer, b'.' * 4096)
    except BlockingIOError: pass
    try:
        while True: os.write(writer, b'.')
    except BlockingIOError: pass
def while_full(act):
    gate, done = threading.Lock(), threading.Event()
    gate.acquire()
    def drain():
        with gate: pass
        while not done.wait(0.001): empty()
    thread = threading.Thread(target=drain)
    thread.start()
    fill()
    gate.release()  # the thread goes on once this one gives the lock back
    act()
    done.set()
    thread.join()
    empty()
def take(): globals()['capsule'] = a.__dlpack__(stream=2)
def drop_array(): globals().pop('a')
def drop_capsule(): globals().pop('capsule')
`);
const { cuda } = await import('@array-interface/cuda');
const main = python.import('__main__');
for (const last of ['drop_array', 'drop_capsule']) {
  const array = cuda.empty([4], 'uint8');
  await cuda.fill(array, 1);
  const a = python.toPython(array);
  main.set('a', a);
  a[Symbol.dispose]();
  const first = last === 'drop_array' ? 'drop_capsule' : 'drop_array';
  for (const act of ['take', first, last]) {
    python.exec(`while_full(${act})`);
    console.log(act);
  }
  array[Symbol.dispose]();
}
rmSync(folder, { recursive: true });
process.exit(0);
