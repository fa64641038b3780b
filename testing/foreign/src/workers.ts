import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

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

/** What a worker with this code sent first, once it has ended. */
export async function wordOf(code: string): Promise<unknown> {
  const worker = new Worker(code, { eval: true, execArgv: ['--input-type=module'] });
  // Both are asked for at once: they may come in one turn.
  const [[word]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
  return word;
}

const BOTH = `
  import { fileOf, foreignGiver, foreignTaker, wordOf } from '@array-interface/foreign';
  import { host, liveAllocations } from '@array-interface/host';
  const taker = foreignTaker('..');`;

/** The code of a worker that hands over an array of a giver with these functions. */
function giving(giver: string, functions: string): string {
  const code = `${BOTH}
    import { createRequire } from 'node:module';
    import { parentPort } from 'node:worker_threads';
    const given = ${giver}.give({ shape: [3], strides: [1], floats: 3, ...${functions} });
    parentPort.postMessage(taker.take(host.asArray(given)).id);`;
  return JSON.stringify(code);
}

const ONE_WORKER = `${BOTH}
  const id = await wordOf(${giving("foreignGiver('..')", '{}')});
  const sum = taker.sum(id);
  taker.release(id, 'here');
  console.log(sum, liveAllocations());`;

function threeAddons(copies: string): string {
  const names = ['release', 'deleter', 'consumed'];
  const files = names.map((name) => join(copies, `${name}.node`));
  const addons = files.map((file) => `createRequire(import.meta.url)(${JSON.stringify(file)})`);
  const functions = names.map((name, i) => `${name}: ${addons[i]}.functions().${name}`);
  return `${BOTH}
    import { copyFileSync, readFileSync } from 'node:fs';
    const names = ${JSON.stringify(names)};
    const files = ${JSON.stringify(files)};
    for (const file of files) copyFileSync(fileOf('..', 'giver'), file);
    const id = await wordOf(${giving(addons[0] as string, `{ ${functions.join(', ')} }`)});
    const maps = readFileSync('/proc/self/maps', 'utf8');
    const loaded = names.filter((_, i) => maps.includes(files[i]));
    console.log(JSON.stringify(loaded));
    if (loaded.length === names.length) taker.release(id, 'here');`;
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
    import { setTimeout as pause } from 'node:timers/promises';
    import { wordOf } from '@array-interface/foreign';
    const until = async (isSo) => {
      for (let i = 0; i < 6000 && !isSo(); i++) {
        gc();
        await pause(10);
      }
    };
    const { id, part } = await wordOf(${JSON.stringify(worker)});
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
