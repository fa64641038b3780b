import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { run } from './run.js';
import type { Failure } from './scene.js';
import type { Step } from './steps.js';

// A process that runs the programs that it is sent, one after the other, and answers each with what
// went wrong, or null. Its first argument names the backend.

const PATIENCE_MS = 30_000;
/** The pipe on which the parent hears of each step. */
const PROGRESS = 4;

const which = process.argv[2];
const { ours, stranger } =
  which === 'cuda'
    ? (await import('./cuda.js')).cudaWorld()
    : (await import('./sycl.js')).syclWorld();

/** What a program has left behind, once everything has had the time to go. */
async function left(): Promise<Failure | null> {
  const end = Date.now() + PATIENCE_MS;
  for (let looks = 0; ; looks++) {
    await ours.releaseCached();
    const found = Object.entries(ours.left());
    if (found.length === 0) return null;
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

async function answer(steps: readonly Step[]): Promise<Failure | null> {
  const failure = await run(steps, ours, stranger, begins);
  begins(-1);
  const faults = ours.faults();
  if (failure !== null) return failure;
  if (faults.length > 0) return { step: -1, text: faults.join('\n') };
  return left();
}

process.on('message', (steps: readonly Step[]) => {
  void answer(steps).then(
    (failure) => process.send?.({ failure }),
    (error: unknown) => process.send?.({ failure: { step: -1, text: String(error) } }),
  );
});
process.send?.('ready');
