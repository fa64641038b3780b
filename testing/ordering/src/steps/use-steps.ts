import type { Picker, UseVerb } from './choice.js';
import { anArray, type Do, endAndReplace, MOST_ROOTS } from './our-steps.js';
import type { After, Use } from './steps.js';
import { aStream } from './stranger-steps.js';
import { type ArrayModel, type Block, range, type StrangerMemory, type World } from './world.js';

/** An operand of the stranger: an array of this library or its own memory. */
interface Side {
  readonly name: string;
  readonly block: Block;
  readonly at: readonly number[];
}

function sideOf(one: ArrayModel | StrangerMemory): Side {
  if ('root' in one) return { name: one.name, block: one.root.block, at: one.at };
  return { name: one.name, block: one.block, at: range(0, one.block.bytes.length) };
}

/** One use of arrays or memory by the stranger, and the resulting values. */
function useOf(world: World, pick: Picker, arrays: readonly Side[], all: readonly Side[]): Use {
  const array = pick.of(arrays);
  const { name, block, at } = array;
  const what = pick.below(all.length > 1 ? 4 : 2);
  if (what === 0) {
    world.read(block);
    return { use: 'read', array: name, expected: at.map((place) => block.bytes[place] as number) };
  }
  if (what === 1) {
    const value = world.nextValue();
    world.writeAt(block, at, () => value);
    return { use: 'fill', array: name, value };
  }
  const other = pick.of(all.filter((one) => one !== array));
  const [to, from] = what === 2 ? [array, other] : [other, array];
  if (to.block.kind === 'host' && from.block.kind === 'host') world.letGo(); // the driver waits
  const length = Math.min(to.at.length, from.at.length);
  const values = from.at.map((place) => from.block.bytes[place] as number);
  world.read(from.block);
  world.writeAt(to.block, to.at.slice(0, length), (index) => values[index] as number);
  return { use: 'copy', to: to.name, from: from.name };
}

function countsOf({ root }: ArrayModel): Pick<Block, 'uses' | 'writes'> {
  return { uses: root.block.uses, writes: root.block.writes };
}

/** The two rules for consumers, with work between them. */
const use: Do = (world, pick) => {
  const first = anArray(world, pick);
  if (!first.root.mayBeTaken) return;
  if (pick.chance(15)) world.add({ do: 'idle' }, true); // the usual case on a fast device
  const { device } = first.root.block;
  const arrays = [first];
  const more = world.usable.filter(
    ({ root }) =>
      root.mayBeTaken && root.block !== first.root.block && root.block.device === device,
  );
  if (more.length > 0 && pick.chance(30)) arrays.push(pick.of(more));
  const memories = world.freeMemories.filter(
    ({ block }) => block.device === device && arrays.every(({ root }) => root.block !== block),
  );
  const memory = memories.length > 0 && pick.chance(25) ? [pick.of(memories)] : [];
  const isBlocking = arrays.some(({ root }) => root.exportsBlocking);
  const stream = !isBlocking && pick.chance(20) ? null : aStream(world, pick, device);
  const told = stream !== null && pick.chance(20);
  const after: After = isBlocking ? 'host' : told ? 'recordUse' : 'stream';
  const sides = arrays.map(sideOf);
  const all = [...sides, ...memory.map(sideOf)];
  if (isBlocking || arrays.some(({ root }) => root.blocks)) world.letGo();
  const uses = [useOf(world, pick, sides, all)];
  if (pick.chance(30)) uses.push(useOf(world, pick, sides, all));
  const name = world.name('d');
  world.add({
    do: 'use',
    dicts: name,
    arrays: arrays.map((array) => array.name),
    memories: memory.map((one) => one.name),
    uses,
    stream: stream?.name ?? null,
    after,
  });
  if (pick.chance(20)) return endAndReplace(world, pick, first.root);
  if (isBlocking || after !== 'stream') return;
  world.dicts.push({ name, arrays: new Map(arrays.map((one) => [one, countsOf(one)])) });
};

/**
 * Uses dicts that the stranger has kept, whose memory nobody has written to, or even used, since.
 */
const useAgain: Do = (world, pick) => {
  const known = world.dicts.filter(({ arrays }) =>
    [...arrays].every(
      ([array, { writes }]) => world.usable.includes(array) && array.root.block.writes === writes,
    ),
  );
  const dicts = pick.any(known);
  if (dicts === undefined) return;
  const array = pick.of([...dicts.arrays.keys()]);
  const isUnused = array.root.block.uses === dicts.arrays.get(array)?.uses;
  const stream = aStream(world, pick, array.root.block.device);
  const side = sideOf(array);
  const reading: Use = { use: 'read', array: array.name, expected: world.values(array) };
  const uses = isUnused ? [useOf(world, pick, [side], [side])] : [reading];
  if (!isUnused) world.read(array.root.block);
  world.add({ do: 'useAgain', dicts: dicts.name, uses, stream: stream.name });
  if (isUnused) dicts.arrays.set(array, countsOf(array));
};

/**
 * Takes an array of this library to a stream of the stranger, and returns it as a loan that names
 * that stream.
 */
const relay: Do = (world, pick) => {
  if (world.roots.length >= MOST_ROOTS) return;
  const of = anArray(world, pick);
  const { block, exportsBlocking, blocks, mayBeTaken } = of.root;
  if (block.relay !== null || block.isGivenUp) return;
  if (exportsBlocking || blocks || !mayBeTaken) return;
  const stream = aStream(world, pick, block.device);
  const name = world.name('x');
  world.add({ do: 'relay', array: name, of: of.name, stream: stream.name });
  const needs = [...of.root.needs, stream];
  const array = world.addRoot({ name, block, needs, mayBeTaken: false }, of.at);
  block.relay = array.root;
  world.relays.set(array.root, { array, stream });
};

const relayFills: Do = (world, pick) => {
  const array = pick.any([...world.relays.values()])?.array;
  if (array === undefined) return;
  const value = world.nextValue();
  world.add({ do: 'relayFills', array: array.name, value });
  world.write(array, () => value);
};

const relayReads: Do = (world, pick) => {
  const array = pick.any([...world.relays.values()])?.array;
  if (array === undefined) return;
  world.add({ do: 'relayReads', array: array.name, expected: world.values(array) });
  world.read(array.root.block);
};

/** The stranger's steps with arrays of this library, by name. */
export const useSteps: Readonly<Record<UseVerb, Do>> = {
  use,
  useAgain,
  relay,
  relayFills,
  relayReads,
};
