import type { Ours } from '../libraries/ours.js';
import type { Stranger } from '../libraries/stranger.js';
import type { Step } from '../steps/steps.js';
import { oursDoes } from './do-ours.js';
import { strangerDoes } from './do-stranger.js';
import { type Doing, type Failure, Scene } from './scene.js';

const DOES: Doing<Step['do']> = { ...oursDoes, ...strangerDoes };

/** Performs a step. */
export function perform(scene: Scene, step: Step): void | Promise<void> {
  return (DOES[step.do] as (scene: Scene, step: Step) => void | Promise<void>)(scene, step);
}

/**
 * Runs a program, and reports each step before it begins. Returns null if everything was as
 * expected. Stops at the first failure.
 */
export async function run(
  steps: readonly Step[],
  ours: Ours,
  stranger: Stranger,
  begins: (step: number) => void,
): Promise<Failure | null> {
  const scene = new Scene(ours, stranger);
  for (const [index, step] of steps.entries()) {
    scene.step = index;
    begins(index);
    try {
      await perform(scene, step);
    } catch (error) {
      scene.fail(index, error);
    }
    if (scene.failure !== null) break;
  }
  if (scene.failure !== null) scene.letGo();
  return scene.failure;
}
