import type { IndexVerb, Picker } from './choice.js';
import { anArray, type Do, MOST_ROOTS } from './our-steps.js';
import type { Listed } from './steps.js';
import {
  type ArrayModel,
  isUsable,
  newBlock,
  type Queue,
  range,
  rowOf,
  type World,
} from './world.js';

const MOST_INDICES = 6;

/** An array that work on the memory of another reaches. */
function near(world: World, pick: Picker, { root }: ArrayModel): ArrayModel {
  const { device } = root.block;
  const { crossesDevices } = world.abilities;
  return pick.of(world.usable.filter((one) => crossesDevices || one.root.block.device === device));
}

/** A queue for a new array of the elements of another; mostly none is named. */
function queueNear(world: World, pick: Picker, { root }: ArrayModel): Queue | null {
  const { device } = root.block;
  const usable = world.queues.filter((one) => isUsable(one) && one.device === device);
  return (pick.chance(40) ? pick.any(usable) : undefined) ?? null;
}

/** Adds an array of its own with these values, where the queue works or near another array. */
function made(
  world: World,
  name: string,
  values: readonly number[],
  { root }: ArrayModel,
  queue: Queue | null,
): void {
  const needs = queue?.stream == null ? [] : [queue.stream];
  const block = newBlock(values.length, queue?.device ?? root.block.device);
  world.addRoot({ name, block, needs, isOwner: true }, range(0, values.length));
  world.writeAt(block, range(0, values.length), (index) => values[index] as number);
}

function hasRoom(world: World): boolean {
  return world.roots.length < MOST_ROOTS;
}

/** Indices in a list, or those that an array has when it is read: outside, the end is meant. */
function indicesFor(
  world: World,
  pick: Picker,
  of: ArrayModel,
): { readonly indices: Listed<number>; readonly rows: readonly number[]; array?: ArrayModel } {
  const { length } = of.at;
  if (pick.chance(40)) {
    const array = near(world, pick, of);
    return {
      indices: array.name,
      rows: world.values(array).map((one) => rowOf(one, length)),
      array,
    };
  }
  const rows = Array.from({ length: 1 + pick.below(MOST_INDICES) }, () => pick.below(length));
  const indices = rows.map((row) => (pick.chance(30) ? row - length : row));
  return { indices, rows };
}

const full: Do = (world, pick) => {
  if (!hasRoom(world)) return;
  const like = anArray(world, pick);
  const of = pick.chance(50) ? like.name : null;
  const queue = queueNear(world, pick, like);
  const length = like.at.length;
  const value = world.nextValue();
  const name = world.name('x');
  const waits = world.waitsFor(like);
  world.add({ do: 'full', array: name, length, value, of, queue: queue?.name ?? null }, waits);
  const device = of === null ? (queue?.device ?? 0) : like.root.block.device;
  const needs = queue?.stream == null ? [] : [queue.stream];
  const block = newBlock(length, device);
  world.addRoot({ name, block, needs, isOwner: true }, range(0, length));
  world.writeAt(block, range(0, length), () => value);
};

const take: Do = (world, pick) => {
  const from = anArray(world, pick);
  if (!hasRoom(world)) return;
  const { indices, rows, array } = indicesFor(world, pick, from);
  const queue = queueNear(world, pick, from);
  const name = world.name('x');
  const waits = [from, ...(array ? [array] : [])].some((one) => world.waitsFor(one));
  world.add(
    { do: 'take', array: name, from: from.name, indices, queue: queue?.name ?? null },
    waits,
  );
  const source = world.values(from);
  for (const one of [from, array]) if (one !== undefined) world.read(one.root.block);
  made(
    world,
    name,
    rows.map((row) => (row < 0 ? -1 : (source[row] as number))),
    from,
    queue,
  );
};

const put: Do = (world, pick) => {
  const to = anArray(world, pick);
  const from = near(world, pick, to);
  const found = indicesFor(world, pick, to);
  if (found.rows.length > from.at.length || found.rows.includes(-1)) return;
  const { indices, rows, array } = found;
  const { length } = rows;
  const on = world.on(pick, to.root.block.device);
  const waits = [to, from, ...(array ? [array] : [])].some((one) => world.waitsFor(one));
  world.add({ do: 'put', to: to.name, indices, from: from.name, length, on }, waits);
  const values = world.values(from);
  for (const one of [from, array]) if (one !== undefined) world.read(one.root.block);
  const { block } = to.root;
  world.writeAt(
    block,
    rows.map((row) => to.at[row] as number),
    (index) => values[index] as number,
  );
};

const where: Do = (world, pick) => {
  const from = anArray(world, pick);
  if (!hasRoom(world)) return;
  const other = near(world, pick, from);
  const array = pick.chance(40) ? near(world, pick, from) : null;
  const length = Math.min(...[from, other, array ?? from].map(({ at }) => at.length));
  const list = range(0, length).map(() => pick.chance(50));
  const chosen = array === null ? list : world.values(array).map((one) => one !== 0);
  const isKnown =
    array === null ? list.map(() => true) : world.values(array).map((one) => one >= 0);
  const queue = queueNear(world, pick, from);
  const name = world.name('x');
  const waits = [from, other, array ?? from].some((one) => world.waitsFor(one));
  const mask = array?.name ?? list;
  world.add(
    {
      do: 'where',
      array: name,
      mask,
      from: from.name,
      other: other.name,
      length,
      queue: queue?.name ?? null,
    },
    waits,
  );
  const [a, b] = [world.values(from), world.values(other)];
  for (const one of [from, other, array ?? from]) world.read(one.root.block);
  const values = range(0, length).map((index) => {
    if (!isKnown[index]) return -1;
    return (chosen[index] ? a[index] : b[index]) as number;
  });
  made(world, name, values, from, queue);
};

/** The steps of functions that take indices or a mask, and of new arrays with a value. */
export const indexSteps: Readonly<Record<IndexVerb, Do>> = { full, take, put, where };
