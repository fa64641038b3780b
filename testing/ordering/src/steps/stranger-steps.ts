import type { Picker, StrangerVerb, UseVerb } from './choice.js';
import { anArray, type Do, fillOn, MOST_ROOTS, readOn } from './our-steps.js';
import { newBlock, range, type StrangerMemory, type Stream, type World } from './world.js';

const MOST_STREAMS = 4;
const MOST_MEMORIES = 3;
const LENGTHS = [16, 16, 24];

/** Returns a stranger's stream of a device, or a new one. */
export function aStream(world: World, pick: Picker, device: number): Stream {
  if (world.streamsOf(device).length === 0) newStream(world, device);
  return pick.of(world.streamsOf(device));
}

function newStream(world: World, device: number): Stream {
  const name = world.name('t');
  world.add({ do: 'createStream', stream: name, device });
  const stream = { name, device, isDefault: false, isLive: true, isHeld: false };
  world.streams.push(stream);
  return stream;
}

/** Returns a memory of the stranger that nobody else has now, or a new one. */
function aMemory(world: World, pick: Picker): StrangerMemory | undefined {
  if (world.freeMemories.length === 0) newMemory(world, pick, 0);
  return pick.any(world.freeMemories);
}

function newMemory(world: World, pick: Picker, device: number): void {
  if (world.memories.length >= MOST_MEMORIES) return;
  const home = aStream(world, pick, device);
  const length = pick.of(LENGTHS);
  const kind = pick.chance(20) ? 'host' : 'device';
  const name = world.name('m');
  world.add({ do: 'allocate', memory: name, length, device, kind, stream: home.name });
  world.memories.push({ name, block: newBlock(length, device, kind), home });
}

const createStream: Do = (world, pick) => {
  if (world.streams.filter(({ isLive }) => isLive).length >= MOST_STREAMS) return;
  newStream(world, pick.chance(15) ? pick.below(world.abilities.devices) : 0);
};

/**
 * Destroys a stream with pending work, also of this library, as the standard allows. First moves
 * its memory to another stream. The next stream may get its handle.
 */
const destroyStream: Do = (world, pick) => {
  const stream = pick.any(
    world.streams.filter((one) => one.isLive && !one.isDefault && !world.isNeeded(one)),
  );
  if (stream === undefined) return;
  const homeless = world.memories.filter(({ home }) => home === stream);
  if (homeless.length > 0) {
    const others = world.streamsOf(stream.device).filter((one) => one !== stream);
    if (others.length === 0) return;
    for (const memory of homeless) move(world, memory, pick.of(others));
  }
  const array = pick.chance(50) ? anArray(world, pick) : null;
  if (world.isNeeded(stream)) return; // an array that was just created needs it
  if (array !== null && array.root.block.device === stream.device) {
    fillOn(world, array, { stream: stream.name });
    destroy(world, stream);
    readOn(world, array, { stream: newStream(world, stream.device).name });
  } else destroy(world, stream);
};

function destroy(world: World, stream: Stream): void {
  world.add({ do: 'destroyStream', stream: stream.name });
  stream.isLive = false;
}

const hold: Do = (world, pick) => {
  const stream = pick.any(
    world.streams.filter((one) => one.isLive && !one.isDefault && !one.isHeld),
  );
  if (stream === undefined) return;
  world.add({ do: 'hold', stream: stream.name });
  stream.isHeld = true;
};

const letGo: Do = (world) => world.letGo();

const allocate: Do = (world, pick) => {
  newMemory(world, pick, pick.chance(15) ? pick.below(world.abilities.devices) : 0);
};

const free: Do = (world, pick) => {
  const memory = pick.any(world.memories.filter(({ block }) => block.roots === 0));
  if (memory === undefined) return;
  world.add({ do: 'free', memory: memory.name }, true);
  world.memories = world.memories.filter((one) => one !== memory);
};

function move(world: World, memory: StrangerMemory, home: Stream): void {
  world.add({ do: 'move', memory: memory.name, stream: home.name });
  memory.home = home;
}

/** Moves a memory to another stream, while nobody has borrowed it. */
const moveOne: Do = (world, pick) => {
  const memory = pick.any(world.memories.filter(({ block }) => block.roots === 0));
  if (memory === undefined) return;
  move(world, memory, aStream(world, pick, memory.block.device));
};

const borrow: Do = (world, pick) => {
  const memory = aMemory(world, pick);
  if (memory === undefined || world.roots.length >= MOST_ROOTS) return;
  const { block, home } = memory;
  const whole = block.bytes.length;
  const start = pick.chance(20) ? pick.below(whole) : 0;
  const stop = pick.chance(20) ? start + 1 + pick.below(whole - start) : whole;
  const isSilent = home.name === world.abilities.defaultStreams[0];
  const forms = isSilent ? (['stream', 'nothing', 'nothing, version 2'] as const) : null;
  const canBeTold = world.abilities.hasStreamOptions && pick.chance(15);
  const says = canBeTold ? 'producerStream' : forms === null ? 'stream' : pick.of(forms);
  const sync = pick.chance(8) ? 'block' : 'wait';
  const name = world.name('x');
  world.add(
    { do: 'borrow', array: name, memory: memory.name, range: [start, stop], says, sync },
    sync === 'block',
  );
  const mayBeTaken = !home.isDefault || isSilent;
  const root = { name, block, needs: [home], blocks: sync === 'block', mayBeTaken };
  world.addRoot(root, range(start, stop));
};

const strangerFills: Do = (world, pick) => {
  const memory = aMemory(world, pick);
  if (memory === undefined) return;
  const { block, name } = memory;
  const start = pick.chance(30) ? pick.below(block.bytes.length) : 0;
  const stop = block.bytes.length;
  const value = world.nextValue();
  const stream = aStream(world, pick, block.device).name;
  world.add({ do: 'strangerFills', memory: name, range: [start, stop], value, stream });
  world.writeAt(block, range(start, stop), () => value);
};

const strangerCopies: Do = (world, pick) => {
  const to = aMemory(world, pick);
  if (to === undefined) return;
  const from = pick.any(
    world.freeMemories.filter((one) => one !== to && one.block.device === to.block.device),
  );
  if (from === undefined) return;
  const length = Math.min(to.block.bytes.length, from.block.bytes.length);
  const stream = aStream(world, pick, to.block.device).name;
  const waits = to.block.kind === 'host' && from.block.kind === 'host'; // as the driver does
  world.add({ do: 'strangerCopies', to: to.name, from: from.name, length, stream }, waits);
  world.read(from.block);
  const values = from.block.bytes.slice(0, length);
  world.writeAt(to.block, range(0, length), (index) => values[index] as number);
};

const strangerReads: Do = (world, pick) => {
  const memory = aMemory(world, pick);
  if (memory === undefined) return;
  const { block, name } = memory;
  const stream = aStream(world, pick, block.device).name;
  world.add({ do: 'strangerReads', memory: name, stream, expected: block.bytes.slice() });
  world.read(block);
};

/** The stranger's steps with its own streams and memory, by name. */
export const strangerSteps: Readonly<Record<Exclude<StrangerVerb, UseVerb>, Do>> = {
  createStream,
  destroyStream,
  hold,
  letGo,
  allocate,
  free,
  move: moveOne,
  borrow,
  strangerFills,
  strangerCopies,
  strangerReads,
};
