import { type Choice, Picker, type Verb } from './choice.js';
import { indexSteps } from './index-steps.js';
import { type Do, endRoot, ourSteps, readOn } from './our-steps.js';
import type { Step } from './steps.js';
import { strangerSteps } from './stranger-steps.js';
import { useSteps } from './use-steps.js';
import { type Abilities, World } from './world.js';

const STEPS: Record<Verb, Do> = { ...ourSteps, ...indexSteps, ...strangerSteps, ...useSteps };

/**
 * Returns the program for a list of choices, with the values that each read must return if each
 * step ends before the next begins. The end of the program reads and ends everything.
 */
export function plan(choices: readonly Choice[], abilities: Abilities): readonly Step[] {
  const world = new World(abilities);
  for (const { verb, numbers } of choices) STEPS[verb](world, new Picker(numbers));
  end(world);
  return world.steps;
}

/** Ends everything while the last reads are pending. */
function end(world: World): void {
  for (const { array } of [...world.relays.values()]) endRoot(world, array.root);
  for (const array of world.arrays.filter(({ root, name }) => root.name === name)) {
    readOn(world, array, null);
  }
  for (const { name, block, home } of world.memories) {
    world.add({ do: 'strangerReads', memory: name, stream: home.name, expected: block.bytes });
  }
  for (const root of world.roots) endRoot(world, root);
  for (const { name } of world.queues) world.add({ do: 'endQueue', queue: name });
  for (const { name } of world.pools) world.add({ do: 'endPool', pool: name });
  world.add({ do: 'finish' }, true);
}
