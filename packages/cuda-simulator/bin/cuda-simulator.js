#!/usr/bin/env node
// Runs a command with the simulator as its CUDA driver: found first as libcuda.so.1 and libcuda.so
// by whatever the command loads, and named to @array-interface/cuda. So is the simulator's runtime
// library, as libcudart.so.12 and .13. Exit status and signals are passed on.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter } from 'node:path';
import { libraryFolder as folder, libraryPath as library } from '../dist/index.js';

const usage = 'usage: cuda-simulator [--no-runtime] COMMAND [ARGUMENT…]';

/** Ends with one line on stderr. */
function fail(status, message) {
  process.stderr.write(`cuda-simulator: ${message}\n`);
  process.exit(status);
}

/** Why no library is made for this machine, or null. */
function whyNotHere() {
  const { platform, arch, report } = process;
  const isLinux = platform === 'linux';
  report.excludeNetwork = true; // looking up the names of hosts could take seconds
  const isGlibc = isLinux && report.getReport().header.glibcVersionRuntime !== undefined;
  if (isGlibc && ['x64', 'arm64'].includes(arch)) return null;
  const libc = isLinux ? ` with ${isGlibc ? 'glibc' : 'musl'}` : '';
  return `the simulator is for linux x64 and arm64 with glibc, and this is ${platform} ${arch}${libc}`;
}

const given = process.argv.slice(2);
const hasRuntime = given[0] !== '--no-runtime';
if (!hasRuntime) given.shift();
if (given[0] === '--') given.shift();
const [command, ...rest] = given;
if (command === '--help' || command === '-h') {
  process.stdout.write(
    `${usage}\nRuns COMMAND with a CUDA driver that simulates devices in host memory.\n` +
      'With --no-runtime the command finds no CUDA runtime library of the simulator.\n' +
      'Its environment variables are in the README of @array-interface/cuda-simulator.\n',
  );
  process.exit(0);
}
if (command === '--version' || command === '-V') {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  process.stdout.write(`${JSON.parse(manifest).version}\n`);
  process.exit(0);
}
if (command === undefined) fail(2, `expected a command, got none; ${usage}`);
if (command.startsWith('-')) fail(2, `expected a command, got the option '${command}'; ${usage}`);
if (!existsSync(library) || !existsSync(`${folder}/libcuda.so`)) {
  fail(
    2,
    whyNotHere() ??
      `expected ${library}, got no such file: install @array-interface/cuda-simulator again, ` +
        "or, if it was packed from a checkout, the checkout's folder",
  );
}

// Before the command begins, so that no signal that comes as soon as it runs is missed.
// A terminal sends these two to the command as well: once is enough.
const fromTerminal = process.stdin.isTTY ? ['SIGINT', 'SIGQUIT'] : [];
const passedOn = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGCONT', 'SIGWINCH'];
for (const signal of passedOn) {
  process.on(signal, () => {
    if (!fromTerminal.includes(signal)) child.kill(signal);
  });
}

const runtime = `${folder}/runtime`;
const folders = [folder];
if (hasRuntime && existsSync(runtime)) folders.push(runtime);
if (process.env.LD_LIBRARY_PATH) folders.push(process.env.LD_LIBRARY_PATH);
const child = spawn(command, rest, {
  stdio: 'inherit',
  env: {
    ...process.env,
    LD_LIBRARY_PATH: folders.join(delimiter),
    ARRAY_INTERFACE_LIBCUDA: library,
  },
});

child.on('error', (error) => {
  // Also what a folder on PATH that may not be read says of a command that is nowhere.
  const denied = error.code === 'EACCES';
  const reason = denied ? 'not found, or not allowed to run' : 'not found';
  const isKnown = denied || error.code === 'ENOENT';
  fail(denied ? 126 : 127, `cannot run '${command}': ${isKnown ? reason : error.message}`);
});
child.on('exit', (status, signal) => {
  if (signal === null) process.exit(status);
  for (const handled of passedOn) process.removeAllListeners(handled);
  // Ends like the command did; where that signal does not end it, with the status of a shell.
  process.exitCode = 128 + constants.signals[signal];
  process.kill(process.pid, signal);
});
