import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bin } from './run-command.js';

/** Runs a command whose standard input is a terminal, where somebody types Ctrl-D, and prints its stderr. */
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

test.each([
  ['inspect', []],
  ['convert', ['--to', 'cuda']],
])('%s says on a terminal that it reads standard input, and how to end it', (command, options) => {
  const args = ['-c', TYPIST, process.execPath, bin, command, ...options];
  const { status, stdout } = spawnSync('python3', args, { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout:
      'Reading JSON from standard input. Ctrl-D at the beginning of a line ends it. --help says more.\n',
  });
});
