import type { IndexVerb, OurVerb, Picker } from './choice.js';
import type { On } from './steps.js';
import {
  type ArrayModel,
  type Block,
  isUsable,
  type Kind,
  newBlock,
  type Pool,
  type Queue,
  type Root,
  range,
  type World,
} from './world.js';

/** Few, so that they are often reused. */
export const MOST_ROOTS = 4;
const MOST_ARRAYS = 10;
const MOST_QUEUES = 4;
/** Mostly one length, so that another array immediately gets memory that was freed too early. */
const LENGTHS = [16, 16, 16, 16, 24];

/** Adds the steps of one choice to a program; none if the choice makes no sense. */
export type Do = (world: World, pick: Picker) => void;

/** Returns one of the arrays that may be used, or a new one. */
export function anArray(world: World, pick: Picker): ArrayModel {
  if (world.usable.length === 0) empty(world, pick);
  return pick.of(world.usable);
}

function homeFor(world: World, pick: Picker): Queue | null {
  const queue = pick.chance(50) ? pick.any(world.queues.filter(isUsable)) : undefined;
  return queue ?? null;
}

const empty: Do = (world, pick) => {
  if (world.roots.length >= MOST_ROOTS && world.usable.length > 0) return;
  const { abilities } = world;
  const queue = homeFor(world, pick);
  const device = queue?.device ?? (pick.chance(20) ? pick.below(abilities.devices) : 0);
  const kind = pick.chance(30) ? pick.of(abilities.kinds) : 'device';
  const pools = world.pools.filter((one) => one.device === device);
  const pool = kind === 'device' && pools.length > 0 && pick.chance(40) ? pick.of(pools) : null;
  const exportStream = abilities.hasStreamOptions && pick.chance(5) ? 'block' : 'wait';
  newArray(world, pick.of(LENGTHS), device, kind, queue, pool, exportStream);
};

function newArray(
  world: World,
  length: number,
  device: number,
  kind: Kind,
  home: Queue | null,
  from: Pool | null,
  exportStream: 'wait' | 'block',
): ArrayModel {
  const name = world.name('x');
  const [queue, pool] = [home?.name ?? null, from?.name ?? null];
  world.add({ do: 'empty', array: name, length, queue, device, kind, pool, exportStream });
  const needs = home?.stream == null ? [] : [home.stream];
  const exportsBlocking = exportStream === 'block';
  const block = newBlock(length, device, kind);
  return world.addRoot({ name, block, needs, exportsBlocking, isOwner: true }, range(0, length));
}

const array: Do = (world, pick) => {
  if (world.roots.length >= MOST_ROOTS) return;
  const from = anArray(world, pick);
  const queue = homeFor(world, pick);
  const name = world.name('x');
  world.add(
    { do: 'array', array: name, from: from.name, queue: queue?.name ?? null },
    from.root.blocks,
  );
  const values = world.values(from);
  const needs = queue?.stream == null ? [] : [queue.stream];
  const block = newBlock(values.length, queue?.device ?? 0);
  world.addRoot({ name, block, needs, isOwner: true }, range(0, values.length));
  world.writeAt(block, range(0, values.length), (index) => values[index] as number);
  world.read(from.root.block);
};

const view: Do = (world, pick) => {
  const of = anArray(world, pick);
  const { length } = of.at;
  if (length < 2 || world.arrays.length >= MOST_ARRAYS) return;
  const start = pick.below(length - 1);
  const stop = start + 1 + pick.below(length - start);
  const step = 1 + pick.below(2);
  const flipped = pick.chance(20);
  const at = of.at.slice(start, stop).filter((_, index) => index % step === 0);
  const name = world.name('v');
  world.add({ do: 'view', array: name, of: of.name, range: [start, stop, step], flipped });
  world.arrays.push({ name, root: of.root, at: flipped ? at.reverse() : at });
};

const fill: Do = (world, pick) => {
  const to = anArray(world, pick);
  const on = world.on(pick, to.root.block.device);
  fillOn(world, to, on, pick.chance(15) ? 0 : world.nextValue());
};

/** Fills an array on a queue or stream. */
export function fillOn(
  world: World,
  to: ArrayModel,
  on: On | null,
  value: number = world.nextValue(),
): void {
  world.add({ do: 'fill', array: to.name, value, on }, world.waitsFor(to));
  world.write(to, () => value);
}

/** Reads an array on a queue or stream. */
export function readOn(world: World, from: ArrayModel, on: On | null, isAwaited = false): void {
  const expected = world.values(from);
  const waits = isAwaited || world.waitsFor(from);
  world.add({ do: 'read', array: from.name, on, expected, isAwaited }, waits);
  world.read(from.root.block);
}

const copy: Do = (world, pick) => {
  const to = anArray(world, pick);
  const from = pick.of(world.usable);
  const length = Math.min(to.at.length, from.at.length);
  const on = world.on(pick, to.root.block.device);
  const waits = world.waitsFor(to) || world.waitsFor(from);
  world.add({ do: 'copy', to: to.name, from: from.name, length, on }, waits);
  const values = world.values(from);
  world.read(from.root.block);
  world.write(to, (index) => values[index] as number, length);
};

const upload: Do = (world, pick) => {
  const to = anArray(world, pick);
  const values = to.at.map(() => world.nextValue());
  const on = world.on(pick, to.root.block.device);
  world.add({ do: 'upload', array: to.name, values, on }, world.waitsFor(to));
  world.write(to, (index) => values[index] as number);
};

const read: Do = (world, pick) => {
  const from = anArray(world, pick);
  const isAwaited = pick.chance(40);
  readOn(world, from, world.on(pick, from.root.block.device), isAwaited);
};

const loan: Do = (world, pick) => {
  if (world.roots.length >= MOST_ROOTS) return;
  const of = anArray(world, pick);
  const { block, needs, blocks, exportsBlocking, mayBeTaken } = of.root;
  if (block.relay !== null) return;
  const through = !mayBeTaken || block.isGivenUp || pick.chance(30) ? 'array' : 'dict';
  const name = world.name('x');
  world.add({ do: 'loan', array: name, of: of.name, through }, exportsBlocking || blocks);
  world.addRoot({ name, block, needs, mayBeTaken, blocks }, of.at);
};

const look: Do = (world, pick) => {
  const of = anArray(world, pick);
  world.add({ do: 'look', array: of.name }, of.root.exportsBlocking || of.root.blocks);
};

const recordUse: Do = (world, pick) => {
  const of = anArray(world, pick);
  const stream = pick.any(world.streamsOf(of.root.block.device))?.name;
  if (stream === undefined) return;
  world.add({ do: 'recordUse', array: of.name, stream }, of.root.blocks);
};

/** Ends a root, and the stranger's use of it if the root came back from there. */
export function endRoot(world: World, root: Root, stream: string | null = null): void {
  world.add({ do: 'end', array: root.name, stream }, stream !== null && root.blocks);
  world.endRoot(root);
  if (root.block.relay !== root) return;
  world.add({ do: 'endRelay', array: root.name });
  world.relays.delete(root);
  root.block.relay = null;
}

/** Whether a root may end. While the stranger has the memory, only what it returned may. */
function mayEnd(root: Root): boolean {
  return root.block.relay === null || root.block.relay === root;
}

const end: Do = (world, pick) => {
  const root = pick.any(world.roots.filter(mayEnd));
  if (root === undefined) return;
  const streams = world.streamsOf(root.block.device);
  const inOrder = streams.length > 0 && pick.chance(15);
  endRoot(world, root, inOrder ? pick.of(streams).name : null);
  if (pick.chance(40)) replace(world, pick, root.block);
};

/** Usually ends an array, and creates another that may get its memory and is written to at once. */
export function endAndReplace(world: World, pick: Picker, root: Root): void {
  if (!mayEnd(root)) return;
  endRoot(world, root);
  replace(world, pick, root.block);
}

function replace(world: World, pick: Picker, { bytes, device, kind }: Block): void {
  const queue = homeFor(world, pick);
  const home = queue?.device === device ? queue : null;
  const array = newArray(world, bytes.length, device, kind, home, null, 'wait');
  fillOn(world, array, world.on(pick, device));
}

const drop: Do = (world, pick) => {
  const root = pick.any(
    world.roots.filter(({ needs, block }) => needs.length === 0 && block.relay === null),
  );
  if (root === undefined) return;
  world.add({ do: 'drop', array: root.name, isCollected: pick.chance(50) });
  world.endRoot(root);
};

const synchronize: Do = (world, pick) => {
  world.add({ do: 'synchronize', array: anArray(world, pick).name }, true);
};

const createQueue: Do = (world, pick) => {
  if (world.queues.length >= MOST_QUEUES) return;
  const device = pick.chance(20) ? pick.below(world.abilities.devices) : 0;
  const name = world.name('q');
  world.add({ do: 'createQueue', queue: name, device, isPlain: !pick.chance(20) });
  world.queues.push({ name, device, stream: null });
};

const wrapStream: Do = (world, pick) => {
  const stream = pick.any(world.streams.filter(({ isLive }) => isLive));
  if (stream === undefined || world.queues.length >= MOST_QUEUES) return;
  const name = world.name('q');
  world.add({ do: 'wrapStream', queue: name, stream: stream.name });
  world.queues.push({ name, device: stream.device, stream });
};

const endQueue: Do = (world, pick) => {
  const queue = pick.any(world.queues);
  if (queue === undefined) return;
  world.add({ do: 'endQueue', queue: queue.name });
  world.queues = world.queues.filter((one) => one !== queue);
};

const createPool: Do = (world, pick) => {
  if (!world.abilities.hasPools || world.pools.length > 1) return;
  const device = pick.below(world.abilities.devices);
  const name = world.name('p');
  world.add({ do: 'createPool', pool: name, device });
  world.pools.push({ name, device });
};

const endPool: Do = (world, pick) => {
  const pool = pick.any(world.pools);
  if (pool === undefined) return;
  world.add({ do: 'endPool', pool: pool.name });
  world.pools = world.pools.filter((one) => one !== pool);
};

const releaseCached: Do = (world) => world.add({ do: 'releaseCached' });
const idle: Do = (world) => world.add({ do: 'idle' }, true);
const turn: Do = (world, pick) => world.add({ do: 'turn', milliseconds: pick.below(3) });

/** The steps of this library by name. */
export const ourSteps: Readonly<Record<Exclude<OurVerb, IndexVerb>, Do>> = {
  empty,
  array,
  view,
  fill,
  copy,
  upload,
  read,
  loan,
  look,
  recordUse,
  end,
  drop,
  synchronize,
  createQueue,
  wrapStream,
  endQueue,
  createPool,
  endPool,
  releaseCached,
  idle,
  turn,
};
