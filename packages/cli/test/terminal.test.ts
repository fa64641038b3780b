import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bin, run } from './support/run-command.js';

/** Runs a command whose standard input is a terminal in which Ctrl-D is typed, and prints its stderr. */
const TYPIST = `
import os, pty, subprocess, sys
ours, theirs = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
first = child.stderr.readline()
os.write(ours, b"\\x04")
out, rest = child.communicate()
sys.stdout.buffer.write(first + rest + out)
sys.exit(child.returncode)
`;

/** Has Python run `program` for a command; a command that waits for ever ends with it. */
function watched(program: string, ...args: string[]) {
  const all = ['-c', program, process.execPath, bin, ...args];
  return spawnSync('python3', all, { encoding: 'utf8', timeout: 60_000 });
}

test.each([
  ['inspect', []],
  ['convert', ['--to', 'cuda']],
])('%s says on a terminal that it reads standard input, and how to end it', (command, options) => {
  const { status, stdout } = watched(TYPIST, command, ...options);
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout:
      'Reading dicts from standard input. Ctrl-D at the beginning of a line ends it. --help says more.\n',
  });
});

/** Runs a command whose standard output is a terminal and prints its stderr, which is none. */
const WATCHER = `
import os, pty, subprocess, sys
ours, theirs = pty.openpty()
env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "CI")}
child = subprocess.run(sys.argv[1:], env=env | {"TERM": "xterm"}, input=b"5", stdout=theirs, stderr=subprocess.PIPE)
sys.stdout.buffer.write(child.stderr)
`;

test('refusals are coloured if standard error is a terminal, whatever standard output is', async () => {
  const { stdout } = watched(WATCHER, 'inspect');
  expect(stdout).toMatch(/^standard input:1: index 0: \[ERR_TYPE\] /);
  const env = { NO_COLOR: '', FORCE_COLOR: '1' };
  const { stderr } = await run(['inspect'], '5', { env });
  expect(stderr).toContain('index 0: [\u001b[31mERR_TYPE\u001b[39m] ');
});
