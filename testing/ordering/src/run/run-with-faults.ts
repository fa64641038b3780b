import type { Fault } from '../faults/faults.js';
import type { Ours } from '../libraries/ours.js';
import type { Stranger } from '../libraries/stranger.js';
import type { Step } from '../steps/steps.js';
import { judge, type Outcomes } from './judge.js';
import { perform } from './run.js';
import { type Failure, Missing, Scene, wordsOf } from './scene.js';

/** Milliseconds that a step may wait while calls fail. Then they succeed again, and it must end. */
const WAITS_MS = 200;

/** A scene that continues if steps fail. */
class HarshScene extends Scene {
  readonly errors = new Map<number, unknown[]>();
  readonly skipped = new Set<number>();
  readonly begun = new Set<number>();
  readonly reads = new Map<number, number[][]>();

  override fail(step: number, error: unknown): void {
    if (error instanceof Error && error.name === 'SuppressedError') {
      const { error: later, suppressed } = error as Error & { error: unknown; suppressed: unknown };
      for (const one of [suppressed, later]) this.fail(step, one);
    } else if (error instanceof Missing) this.skipped.add(step);
    else push(this.errors, step, error);
  }

  override compare(step: number, read: ArrayLike<number>): void {
    push(this.reads, step, Array.from(read));
  }

  override begins(): void {
    this.begun.add(this.step);
  }

  override call(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(this.step, error);
    }
  }
}

function push<T>(map: Map<number, T[]>, step: number, one: T): void {
  map.set(step, [...(map.get(step) ?? []), one]);
}

/** Plans the faults from a step on. */
function arrange({ driver }: Ours, faults: readonly Fault[], step: number): void {
  if (faults.some(({ until }) => until === step)) {
    driver.fail(null);
    for (const one of faults) {
      if (one.nth === null && one.from < step && one.until > step) driver.fail(one);
    }
  }
  for (const one of faults) if (one.from === step && one.until > step) driver.fail(one);
}

async function ended({ driver }: Ours, step: Promise<void> | void): Promise<void> {
  if (step === undefined) return;
  const timer = setTimeout(() => driver.fail(null), WAITS_MS);
  try {
    await step;
  } finally {
    clearTimeout(timer);
  }
}

/** A failure that no planned one explains. */
function unexplained({ driver }: Ours, outcomes: Outcomes): Failure | null {
  for (const [step, errors] of outcomes.errors) {
    const error = errors.find((one) => !driver.explains(one));
    if (error !== undefined) return { step, text: wordsOf(error) };
  }
  return null;
}

function usesBoth(steps: readonly Step[]): boolean {
  return steps.some((step) => 'device' in step && step.device > 0);
}

/**
 * Runs a program while driver calls fail. Only steps that use them may fail; reads return what the
 * other steps left. Once nothing fails any more, everything must end.
 */
export async function runWithFaults(
  steps: readonly Step[],
  faults: readonly Fault[],
  ours: Ours,
  stranger: Stranger,
  begins: (step: number) => void,
): Promise<Failure | null> {
  const scene = new HarshScene(ours, stranger);
  ours.driver.begin(faults);
  for (const [index, step] of steps.entries()) {
    scene.step = index;
    begins(index);
    arrange(ours, faults, index);
    if (step.do === 'finish') ours.driver.fail(null);
    try {
      await ended(ours, perform(scene, step));
    } catch (error) {
      scene.fail(index, error);
    }
  }
  ours.driver.fail(null);
  const failure = unexplained(ours, scene);
  return failure ?? judge(steps, scene, ours.driver.isLost() && usesBoth(steps));
}
