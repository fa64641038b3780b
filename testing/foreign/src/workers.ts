import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `capsulesOfWorkers` observed. */
export interface OfWorkers {
  /** The sum of an array that outlived its array and its worker: 6. */
  readonly sum: number;
  /** Live arrays of the backend while the addon has one, and afterwards. */
  readonly held: number;
  readonly left: number;
  /** Arrays of the giver that a worker had and did not end, but that were released: 2. */
  readonly released: number;
  readonly deleted: number;
  /** Whether the backend still works. */
  readonly works: boolean;
}

/**
 * Lets workers end with capsules in flight, with arrays that the addons have, and with what they
 * took. `folder` is that of the package's tests. The process also ends with one that is never
 * released, one that is released during exit, and one that is released after the driver has ended.
 */
export async function capsulesOfWorkers(name: string, folder: string): Promise<OfWorkers> {
  return JSON.parse(await outputOf(programOf(name), folder)) as OfWorkers;
}

/**
 * Makes a worker the only one to load the addon that exports arrays; Node unloads it with that
 * worker. By then the other addon has a host array over one of the first's, and releases it.
 * Returns the process's final output.
 */
export function addonOfOneWorker(folder: string): Promise<string> {
  return outputOf(ONE_WORKER, folder);
}

/**
 * Makes a worker the only one to load three copies of the addon that exports arrays, and an array
 * with a function of each. When the worker has ended, the other addon has that array through a host
 * array. Returns which of the copies are still loaded then, by their functions.
 */
export async function addonsOfFunctions(folder: string): Promise<string[]> {
  const copies = mkdtempSync(join(tmpdir(), 'copies-'));
  try {
    return JSON.parse(await outputOf(threeAddons(copies), folder)) as string[];
  } finally {
    rmSync(copies, { recursive: true });
  }
}

/** What a program prints, in the folder of a package's tests. Rejects if it does not succeed. */
function outputOf(program: string, folder: string): Promise<string> {
  const flags = ['--expose-gc', '--input-type=module', '--eval', program];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, flags, { cwd: folder }, (error, stdout, stderr) => {
      if (error === null && stderr === '') resolve(stdout);
      else reject(new Error(`the program ended with ${error?.code ?? error?.signal}: ${stderr}`));
    });
  });
}

const BOTH = `
  import { foreignGiver, foreignTaker } from '@array-interface/foreign';
  import { host, liveAllocations } from '@array-interface/host';
  const taker = foreignTaker('..');`;

const GIVES = `${BOTH}
  import { parentPort } from 'node:worker_threads';
  const given = foreignGiver('..').give({ shape: [3], strides: [1], floats: 3 });
  parentPort.postMessage(taker.take(host.asArray(given)).id);`;

const ONE_WORKER = `${BOTH}
  import { once } from 'node:events';
  import { Worker } from 'node:worker_threads';
  const options = { eval: true, execArgv: ['--input-type=module'] };
  const worker = new Worker(${JSON.stringify(GIVES)}, options);
  const [[id]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
  const sum = taker.sum(id);
  taker.release(id, 'here');
  console.log(sum, liveAllocations());`;

function threeAddons(copies: string): string {
  const gives = `${BOTH}
    import { parentPort } from 'node:worker_threads';
    import { createRequire } from 'node:module';
    import { join } from 'node:path';
    const require = createRequire(import.meta.url);
    const addon = (name) => require(join(${JSON.stringify(copies)}, name + '.node'));
    const functions = Object.fromEntries(
      ['release', 'deleter', 'consumed'].map((name) => [name, addon(name).functions()[name]]));
    const given = addon('release').give({ shape: [3], strides: [1], floats: 3, ...functions });
    parentPort.postMessage(taker.take(host.asArray(given)).id);`;
  return `${BOTH}
    import { once } from 'node:events';
    import { copyFileSync, readFileSync } from 'node:fs';
    import { join } from 'node:path';
    import { Worker } from 'node:worker_threads';
    import { fileOf } from '@array-interface/foreign';
    const names = ['release', 'deleter', 'consumed'];
    const files = names.map((name) => join(${JSON.stringify(copies)}, name + '.node'));
    for (const file of files) copyFileSync(fileOf('..', 'giver'), file);
    const options = { eval: true, execArgv: ['--input-type=module'] };
    const worker = new Worker(${JSON.stringify(gives)}, options);
    const [[id]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
    const maps = readFileSync('/proc/self/maps', 'utf8');
    console.log(JSON.stringify(names.filter((_, i) => maps.includes(files[i]))));
    if (names.every((_, i) => maps.includes(files[i]))) taker.release(id, 'here');`;
}

function programOf(name: string): string {
  // memory that the addon sums up
  const kind = name === 'host' ? '' : ", memoryKind: 'host'";
  const both = `
    import { arrayCapsule } from '@array-interface/core/backend';
    import { foreignAddons } from '@array-interface/foreign';
    import { ${name}, liveAllocations } from '@array-interface/${name}';
    const { giver, taker } = foreignAddons('..');
    const make = async () => {
      const array = await ${name}.array([1, 2, 3], { dtype: 'float32'${kind} });
      await ${name}.synchronize();
      return array;
    };`;
  const worker = `${both}
    import { parentPort } from 'node:worker_threads';
    globalThis.capsules = [];
    for (let i = 0; i < 3; i++) capsules.push((await make())[arrayCapsule]());
    const gift = { shape: [3], strides: [1], floats: 3 };
    globalThis.given = [giver.give(gift), giver.give(gift)];
    const array = await make();
    const { id } = taker.take(array);
    array[Symbol.dispose]();
    const later = taker.take(await make()).id;
    const part = taker.take(await make()).id;
    taker.keepTensor(part);
    taker.release(part, 'here');
    parentPort.postMessage({ id, part });
    taker.release(later, 'later');
    process.exit();`;
  return `${both}
    import { once } from 'node:events';
    import { setTimeout as pause } from 'node:timers/promises';
    import { Worker } from 'node:worker_threads';
    const until = async (isSo) => {
      for (let i = 0; i < 6000 && !isSo(); i++) {
        gc();
        await pause(10);
      }
    };
    const worker = new Worker(${JSON.stringify(worker)}, { eval: true, execArgv: ['--input-type=module'] });
    // Both are asked for at once: they may come in one turn.
    const [[{ id, part }]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
    const { released, deleted } = giver.look();
    await until(() => liveAllocations() === 2);
    const held = liveAllocations();
    const sum = taker.sum(id);
    taker.release(id, 'another');
    taker.release(part, 'another');
    await until(() => liveAllocations() === 0);
    const left = liveAllocations();
    const works = (await ${name}.toTypedArray(await make())).length === 3;
    console.log(JSON.stringify({ sum, held, left, released, deleted, works }));
    globalThis.kept = taker.take(await make());
    globalThis.flying = (await make())[arrayCapsule]();
    taker.release(taker.take(await make()).id, 'at exit');
    taker.release(taker.take(await make()).id, 'later');`;
}
