import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Fault } from './faults/faults.js';
import { run } from './run/run.js';
import { runWithFaults } from './run/run-with-faults.js';
import type { Failure } from './run/scene.js';
import type { Step } from './steps/steps.js';

// A process that runs the programs that it is sent, one after the other, and answers each with what
// went wrong, or null. Its first argument names the backend. After a program that broke it for good
// it has to end by itself.

/** A program, and what fails meanwhile; null: it is one in which nothing may fail. */
export interface Order {
  readonly steps: readonly Step[];
  readonly faults: readonly Fault[] | null;
}

const TIMEOUT_MS = 30_000;
/** The same after a program with faults, which is run again and again to make it smaller. */
const SHORT_PATIENCE_MS = 5000;
/** The pipe on which the parent hears of each step. */
const PROGRESS = 4;

const which = process.argv[2];
const { ours, stranger } =
  which === 'cuda'
    ? (await import('./libraries/cuda.js')).cudaWorld()
    : (await import('./libraries/sycl.js')).syclWorld();

/** Looks, some milliseconds apart, for what stays because nobody could give it back. */
const LOOKS_AT_WHAT_STAYS = 20;

/** What stays of the programs so far, because nobody could give it back. */
let stays: Readonly<Record<string, number>> = {};

/** What is there beyond what stays. */
function beyond(): readonly (readonly [string, number])[] {
  return Object.entries(ours.left())
    .map(([kind, count]) => [kind, count - (stays[kind] ?? 0)] as const)
    .filter(([, count]) => count > 0);
}

/**
 * What a program has left behind, once everything has had the time to go, beyond the things that
 * nobody could give back, at most `mayStay`.
 */
async function left(timeout: number, mayStay: number): Promise<Failure | null> {
  const end = Date.now() + timeout;
  let within = 0;
  for (let looks = 0; ; looks++) {
    await ours.releaseCached();
    const found = beyond();
    if (found.length === 0) return null;
    const isWithin = found.reduce((sum, [, count]) => sum + count, 0) <= mayStay;
    within = isWithin ? within + 1 : 0;
    if (within > LOOKS_AT_WHAT_STAYS) {
      stays = ours.left();
      return null;
    }
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

/** Whether failures that nobody was told of are heard of now, so that no later program is told. */
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

/** Whether the process runs no more programs, since one has left it broken. */
let isSpent = false;

async function answer({ steps, faults: planned }: Order): Promise<Failure | null> {
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
  if (planned === null) return left(TIMEOUT_MS, 0);
  return left(SHORT_PATIENCE_MS, driver.mayLeave());
}

process.on('message', (order: Order) => {
  void answer(order).then(
    (failure) => {
      process.send?.({ failure, isSpent });
      if (isSpent) process.disconnect();
    },
    (error: unknown) => process.send?.({ failure: { step: -1, text: String(error) } }),
  );
});
// What the backend keeps for good is there from the start.
for (let device = 0; device < 2; device++) {
  using array = ours.backend.empty([16], 'uint8', { device } as object);
  await ours.backend.fill(array, 1);
}
process.send?.('ready');
