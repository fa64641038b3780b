import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Fault } from './faults/faults.js';
import { run } from './run/run.js';
import { runWithFaults } from './run/run-with-faults.js';
import type { Failure } from './run/scene.js';
import type { Step } from './steps/steps.js';

// A process that runs the programs it is sent, one after another, and answers each with what went
// wrong, or null. Its first argument names the backend. After a program that broke the process
// permanently, it must end by itself.

/** A program, and what fails meanwhile. Null: nothing may fail. */
export interface Order {
  readonly steps: readonly Step[];
  readonly faults: readonly Fault[] | null;
}

/** What the parent sends. */
export interface Request {
  readonly order: Order;
  /** Milliseconds after which the parent considers the program to hang. */
  readonly timeout: number;
}

/** The pipe that reports each step to the parent. */
const PROGRESS = 4;

const which = process.argv[2];
const { ours, stranger } =
  which === 'cuda'
    ? (await import('./libraries/cuda.js')).cudaWorld()
    : (await import('./libraries/sycl.js')).syclWorld();

/** How many times, some milliseconds apart, it checks for resources that nobody could free. */
const LOOKS_AT_WHAT_STAYS = 20;

/** How many resources of earlier programs may remain because nobody could free them. */
let stays: Readonly<Record<string, number>> = {};

/** The least that the process had of each kind, once a program had ended. */
let least: Readonly<Record<string, number>> = {};

/** Resources beyond those that remain. */
function beyond(): readonly (readonly [string, number])[] {
  return Object.entries(ours.left())
    .map(([kind, count]) => [kind, count - (stays[kind] ?? 0)] as const)
    .filter(([, count]) => count > 0);
}

/**
 * Notes what the process has now that a program has ended, of which at most `mayStay` could not be
 * freed. The backend may keep more than it does now, so what could not be freed can lie within
 * that, and all that is above the least counts as such.
 */
function note(mayStay: number): void {
  const now = ours.left();
  least = mapValues(now, (count, kind) => Math.min(count, least[kind] ?? count));
  if (mayStay === 0) return;
  stays = mapValues(now, (count, kind) => {
    const before = stays[kind] ?? 0;
    return Math.max(before, Math.min(before + mayStay, count - (least[kind] ?? 0)));
  });
}

function mapValues(
  counts: Readonly<Record<string, number>>,
  map: (count: number, kind: string) => number,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(counts).map(([kind, count]) => [kind, map(count, kind)]),
  );
}

/**
 * Resources that a program left behind, once everything has had time to end, beyond the at most
 * `mayStay` that nobody could free.
 */
async function left(timeout: number, mayStay: number): Promise<Failure | null> {
  const end = Date.now() + timeout;
  let within = 0;
  for (let looks = 0; ; looks++) {
    await ours.backend.releaseCached();
    const found = beyond();
    if (found.length === 0) return null;
    const isWithin = found.reduce((sum, [, count]) => sum + count, 0) <= mayStay;
    within = isWithin ? within + 1 : 0;
    if (within > LOOKS_AT_WHAT_STAYS) return null;
    if (Date.now() > end) {
      const text = found.map(([kind, count]) => `${count} ${kind}`).join(', ');
      return { step: -1, text: `left behind: ${text}` };
    }
    await setTimeout(looks < 20 ? 0 : 5);
    if (looks % 10 !== 9) continue;
    globalThis.gc?.();
    stranger.finishAll();
  }
}

/** Reports the step at once, in case it hangs. */
function begins(step: number): void {
  writeSync(PROGRESS, `${step} `);
}

/**
 * Whether failures that nobody was told of are reported now, so that no later program gets them.
 */
async function hasHeard(): Promise<boolean> {
  for (let asks = 0; asks < 3; asks++) {
    const isClean = await ours.backend.synchronize().then(
      () => true,
      () => false,
    );
    if (isClean) return true;
  }
  return false;
}

/** Whether the process runs no more programs, because one has broken it. */
let isSpent = false;

async function answer({ order, timeout }: Request): Promise<Failure | null> {
  const { steps, faults: planned } = order;
  const { driver } = ours;
  const failure =
    planned === null
      ? await run(steps, ours, stranger, begins)
      : await runWithFaults(steps, planned, ours, stranger, begins);
  begins(-1);
  isSpent = planned !== null && (driver.isLost() || !(await hasHeard()));
  if (planned !== null && driver.isLost()) return failure;
  const faults = ours.faults();
  if (failure !== null) return failure;
  if (faults.length > 0) return { step: -1, text: faults.join('\n') };
  const mayStay = planned === null ? 0 : driver.mayLeave();
  const remains = await left(timeout / 2, mayStay);
  note(mayStay);
  return remains;
}

process.on('message', (request: Request) => {
  void answer(request).then(
    (failure) => {
      process.send?.({ failure, isSpent });
      if (isSpent) process.disconnect();
    },
    (error: unknown) => process.send?.({ failure: { step: -1, text: String(error) } }),
  );
});
// What the backend keeps permanently is created at the start.
for (let device = 0; device < 2; device++) {
  using array = ours.backend.empty([16], 'uint8', { device } as object);
  await ours.backend.fill(array, 1);
  // Their kernels are built: a dict cannot name work that waits for a build.
  await ours.backend.put(array, [0], 1);
  using taken = await ours.backend.take(array, [0]);
  using _chosen = await ours.backend.where([true], taken, taken);
  await ours.backend.synchronize();
}
await ours.backend.releaseCached();
note(0);
process.send?.('ready');
