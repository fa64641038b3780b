import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root, run } from '../run.mjs';

/**
 * A Python environment in a folder of the repository, created once from a file of pins. `pins` and
 * `target` are paths, `what` and `size` are words, and `bytesNeeded` is the space needed to create
 * it. A pin without a wheel may be `built`. That has its `name`, the `program` that the
 * environment's Python runs in the repository with the version and `arguments`, and, in words, what
 * it `needs`. `command` is the Python to create it from; the default is that of the SYCL runtime.
 * An environment without wheels has its own function `make`.
 */
export function environmentOf(description) {
  const target = path.join(root, description.target);
  const pins = path.join(root, description.pins);
  return { ...description, target, pins, python: path.join(target, 'bin', 'python') };
}

const stampOf = ({ target }) => path.join(target, 'pins.txt');

/** Whether an environment exists and matches the current pins. */
export function isReady(environment) {
  const stamp = stampOf(environment);
  if (!existsSync(environment.python) || !existsSync(stamp)) return false;
  return readFileSync(stamp, 'utf8') === readFileSync(environment.pins, 'utf8');
}

/** The lines of a file of pins, without comments. */
export function pinLines(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

/** Parses the lines `NAME==VERSION # MB` of a file of pins. Throws for any other line. */
function readPins(file) {
  return pinLines(file).map((line) => {
    const [, name, version, megabytes] = /^(\S+)==(\S+) # (\d+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`${file}: expected NAME==VERSION # MB, got ${line}`);
    return { name, version, megabytes: Number(megabytes) };
  });
}

/**
 * The variables for pip: a file of constraints that the machine's configuration names is not read. Each pin is the one
 * version that will do, so a cap could only refuse it. Indexes and certificates are as configured.
 */
export const pipVariables = () => ({ ...process.env, PIP_CONSTRAINT: '/dev/null' });

/** Builds a pin that has no wheel. Throws an error whose `remedy` says what to do. */
async function build({ python, built }, { name, version }, log) {
  log(`building ${name} ${version}`);
  const { program, arguments: files } = built;
  const env = pipVariables();
  if ((await run(python, [program, version, ...files], { env })) === 0) return;
  throw Object.assign(new Error(`${name} could not be built, as it says above`), {
    remedy: `install ${built.needs} and run this again`,
  });
}

/**
 * The module with which the command creates its own environment. It exists once setup has built it.
 */
export const runtime = () => import('../../packages/cli/dist/sycl-runtime/python-environment.js');

/** Creates an environment from wheels. Throws an error whose `remedy` says what to do. */
async function makeOfWheels(environment) {
  const { pins, target, partial, bytesNeeded, built, python, command, log } = environment;
  const { findPython, makeEnvironment } = await runtime();
  const all = readPins(pins);
  const source = all.find((pin) => pin.name === built?.name);
  await makeEnvironment({
    python: findPython(
      command === undefined ? process.env : { ...process.env, ARRAY_INTERFACE_PYTHON: command },
    ),
    target,
    partial,
    wanted: all.filter((pin) => pin !== source),
    bytesNeeded,
    log,
    env: pipVariables(),
  });
  if (source) await build({ python, built }, source, log);
}

/**
 * Creates an environment unless it is ready, with code that setup has built. Resumes an interrupted
 * attempt. Throws an error whose `remedy` says what to do.
 */
export async function provideEnvironment(environment) {
  if (isReady(environment)) return;
  const { what, size, target, pins, make = makeOfWheels } = environment;
  const { withLock } = await runtime();
  const partial = `${target}.partial`;
  const name = path.relative(root, target);
  const onWait = (holder) => console.log(`${holder} is making ${name}; waiting for it`);
  await withLock(partial, onWait, async () => {
    if (isReady(environment)) return;
    const log = (line) => console.log(`${name}: ${line.trim()}`);
    console.log(`Making ${name} with ${what}: ${size}, once.`);
    await make({ ...environment, partial, log });
    copyFileSync(pins, stampOf(environment));
  });
}
