import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

/**
 * A Python environment in a folder of the repository, made once of what a file pins: `pins` and
 * `target` with paths, `what` and `size` in words, and the `bytesNeeded` while it is made.
 */
export function environmentOf(description) {
  const target = path.join(root, description.target);
  const pins = path.join(root, description.pins);
  return { ...description, target, pins, python: path.join(target, 'bin', 'python') };
}

const stampOf = ({ target }) => path.join(target, 'pins.txt');

/** Whether an environment is there and holds what is pinned now. */
export function isReady(environment) {
  const stamp = stampOf(environment);
  if (!existsSync(environment.python) || !existsSync(stamp)) return false;
  return readFileSync(stamp, 'utf8') === readFileSync(environment.pins, 'utf8');
}

/** The lines `NAME==VERSION # MB` of a file of pins. Throws for any other line but comments. */
function readPins(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, version, megabytes] = /^(\S+)==(\S+) # (\d+)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`${file}: expected NAME==VERSION # MB, got ${line}`);
      return { name, version, megabytes: Number(megabytes) };
    });
}

/**
 * Makes an environment unless it is ready, with what setup has built; an interrupted attempt is gone
 * on with. Throws an error whose `remedy` says what to do.
 */
export async function provideEnvironment(environment) {
  if (isReady(environment)) return;
  const { what, size, target, pins, bytesNeeded } = environment;
  const folder = '../packages/cli/dist/sycl-runtime';
  const { findPython } = await import(`${folder}/python.js`);
  const { makeEnvironment } = await import(`${folder}/environment.js`);
  const { withLock } = await import(`${folder}/lock.js`);
  const partial = `${target}.partial`;
  const name = path.relative(root, target);
  const onWait = (pid) => console.log(`process ${pid} is making ${name}; waiting for it`);
  await withLock(partial, onWait, async () => {
    if (isReady(environment)) return;
    console.log(`Making ${name} with ${what}: ${size}, once.`);
    await makeEnvironment({
      python: findPython(process.env),
      target,
      partial,
      wanted: readPins(pins),
      bytesNeeded,
      log: (line) => console.log(line),
      env: process.env,
    });
    copyFileSync(pins, stampOf(environment));
  });
}
