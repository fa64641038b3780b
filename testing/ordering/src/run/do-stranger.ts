import type { Side, StreamHandle, Taken } from '../libraries/stranger.js';
import type { Use, Values } from '../steps/steps.js';
import { type Doing, found, type Scene } from './scene.js';

/**
 * Performs work on the stranger's own memory, on any of its streams: after the memory's own stream,
 * and before its next work.
 */
function onMemories(
  { stranger }: Scene,
  homes: readonly StreamHandle[],
  stream: StreamHandle,
  work: () => void,
): void {
  const others = [...new Set(homes)].filter(({ handle }) => handle !== stream.handle);
  for (const home of others) stranger.join(stream, home);
  work();
  for (const home of others) stranger.join(home, stream);
}

/** The elements of both sides in order, in pieces that are consecutive on both. */
function pieces(to: Side, from: Side): { to: bigint; from: bigint; count: number }[] {
  const length = Math.min(to.length, from.length);
  const isWhole = to.stride === 1 && from.stride === 1;
  return Array.from({ length: isWhole ? 1 : length }, (_, i) => ({
    to: to.pointer + BigInt(i * to.stride),
    from: from.pointer + BigInt(i * from.stride),
    count: isWhole ? length : 1,
  }));
}

function fill({ stranger }: Scene, stream: StreamHandle, side: Side, value: number): void {
  for (const { to, count } of pieces(side, side)) stranger.fill(stream, to, value, count);
}

function copy({ stranger }: Scene, stream: StreamHandle, target: Side, origin: Side): void {
  for (const { to, from, count } of pieces(target, origin)) stranger.copy(stream, to, from, count);
}

function read(scene: Scene, stream: StreamHandle, side: Side, expected: Values): void {
  copy(scene, stream, { pointer: scene.slot(expected), length: side.length, stride: 1 }, side);
}

function doUses(
  scene: Scene,
  uses: readonly Use[],
  stream: StreamHandle,
  sideOf: (name: string) => Side,
): void {
  for (const use of uses) {
    if (use.use === 'fill') fill(scene, stream, sideOf(use.array), use.value);
    else if (use.use === 'copy') copy(scene, stream, sideOf(use.to), sideOf(use.from));
    else read(scene, stream, sideOf(use.array), use.expected);
  }
}

/** Reads the dicts of this library's arrays. Keeps none if one cannot be read. */
function takeAll(scene: Scene, names: readonly string[]): Map<string, Taken> {
  const taken = new Map<string, Taken>();
  try {
    for (const name of names) taken.set(name, scene.stranger.take(scene.array(name)));
  } catch (error) {
    for (const one of taken.values()) one.end();
    throw error;
  }
  return taken;
}

/** Tells each array of the stranger's work, even if telling another fails. */
function tell(scene: Scene, arrays: readonly string[], on: StreamHandle): void {
  for (const name of arrays) {
    try {
      scene.ours.recordUse(scene.array(name), on);
    } catch (error) {
      scene.fail(scene.step, error);
    }
  }
}

/** The streams that dicts named. */
function named(dicts: Iterable<Taken>): StreamHandle[] {
  return [...dicts].flatMap(({ stream }) => (stream === null ? [] : [stream]));
}

/** How the stranger's steps are performed. */
export const strangerDoes: Doing<
  | 'createStream'
  | 'destroyStream'
  | 'hold'
  | 'letGo'
  | 'allocate'
  | 'free'
  | 'move'
  | 'borrow'
  | 'strangerFills'
  | 'strangerCopies'
  | 'strangerReads'
  | 'use'
  | 'useAgain'
  | 'relay'
  | 'relayFills'
  | 'relayReads'
  | 'endRelay'
  | 'finish'
> = {
  createStream(scene, { stream, device }) {
    scene.streams.set(stream, scene.stranger.createStream(device));
  },
  destroyStream(scene, { stream }) {
    const { stranger } = scene;
    const handle = scene.stream(stream);
    stranger.join(scene.keeper(handle.device), handle);
    stranger.destroyStream(handle);
    scene.streams.delete(stream);
  },
  hold(scene, { stream }) {
    scene.held.set(stream, scene.stranger.hold(scene.stream(stream)));
  },
  letGo(scene) {
    scene.letGo();
  },
  allocate(scene, { memory, length, device, kind, stream }) {
    const pointer = scene.stranger.allocate(length, device, kind);
    scene.memories.set(memory, { pointer, length, device, home: scene.stream(stream) });
  },
  free(scene, { memory }) {
    const { pointer, device, home } = scene.memory(memory);
    scene.stranger.synchronize(home);
    scene.stranger.free(pointer, device);
    scene.memories.delete(memory);
  },
  move(scene, { memory, stream }) {
    const moved = scene.memory(memory);
    const home = scene.stream(stream);
    scene.stranger.join(home, moved.home);
    moved.home = home;
  },
  borrow(scene, { array, memory, range: [start, stop], says, sync }) {
    const { pointer, home } = scene.memory(memory);
    const given = scene.stranger.give({
      pointer: pointer + BigInt(start),
      length: stop - start,
      stride: 1,
      stream: says === 'stream' ? home : null,
      version: says === 'stream' || says === 'nothing' ? 3 : 2,
    });
    const told = says === 'producerStream' && { producerStream: home.handle };
    const options = { ...(sync === 'block' && { sync }), ...told };
    scene.arrays.set(array, scene.ours.backend.asArray(given as never, options));
  },
  strangerFills(scene, { memory, range: [start, stop], value, stream }) {
    const { pointer, home } = scene.memory(memory);
    const on = scene.stream(stream);
    onMemories(scene, [home], on, () => {
      scene.stranger.fill(on, pointer + BigInt(start), value, stop - start);
    });
  },
  strangerCopies(scene, { to, from, length, stream }) {
    const [target, origin] = [scene.memory(to), scene.memory(from)];
    const on = scene.stream(stream);
    onMemories(scene, [target.home, origin.home], on, () => {
      scene.stranger.copy(on, target.pointer, origin.pointer, length);
    });
  },
  strangerReads(scene, { memory, stream, expected }) {
    const { pointer, length, home } = scene.memory(memory);
    const on = scene.stream(stream);
    onMemories(scene, [home], on, () => {
      scene.stranger.copy(on, scene.slot(expected), pointer, length);
    });
  },
  use(scene, { dicts, arrays, memories, uses, stream, after }) {
    const { stranger } = scene;
    const taken = takeAll(scene, arrays);
    const first = taken.get(arrays[0] as string)?.stream ?? null;
    const on = stream === null ? first : scene.stream(stream);
    if (on === null) throw new Error('the dict names no stream');
    scene.begins();
    const sideOf = (name: string): Side => taken.get(name) ?? { ...scene.memory(name), stride: 1 };
    const homes = memories.map((name) => scene.memory(name).home);
    const streams = named(taken.values()).filter(({ handle }) => handle !== on.handle);
    for (const other of streams) stranger.join(on, other);
    onMemories(scene, homes, on, () => doUses(scene, uses, on, sideOf));
    if (stream === null) stranger.join(scene.keeper(on.device), on);
    if (after === 'stream') for (const other of streams) stranger.join(other, on);
    else if (after === 'host') stranger.synchronize(on);
    else tell(scene, arrays, on);
    scene.dicts.set(dicts, taken);
  },
  useAgain(scene, { dicts, uses, stream }) {
    const taken = found(scene.dicts, dicts);
    const on = scene.stream(stream);
    scene.begins();
    const names = uses.flatMap((use) => ('array' in use ? [use.array] : [use.to, use.from]));
    const streams = named(names.map((name) => taken.get(name) as Taken));
    onMemories(scene, streams, on, () => {
      doUses(scene, uses, on, (name) => taken.get(name) as Taken);
    });
  },
  relay(scene, { array, of, stream }) {
    const { stranger } = scene;
    const taken = stranger.take(scene.array(of));
    const on = scene.stream(stream);
    if (taken.stream !== null) stranger.join(on, taken.stream);
    const { pointer, length, stride } = taken;
    const given = stranger.give({ pointer, length, stride, stream: on, version: 3 });
    try {
      scene.arrays.set(array, scene.ours.backend.asArray(given as never));
    } catch (error) {
      if (taken.stream !== null) stranger.join(taken.stream, on);
      taken.end();
      throw error;
    }
    scene.relays.set(array, { taken, stream: on });
  },
  relayFills(scene, { array, value }) {
    const { taken, stream } = found(scene.relays, array);
    fill(scene, stream, taken, value);
  },
  relayReads(scene, { array, expected }) {
    const { taken, stream } = found(scene.relays, array);
    read(scene, stream, taken, expected);
  },
  endRelay(scene, { array }) {
    const { taken, stream } = found(scene.relays, array);
    if (taken.stream !== null) scene.stranger.join(taken.stream, stream);
    taken.end();
    scene.relays.delete(array);
  },
  async finish(scene) {
    const { stranger } = scene;
    await scene.idle();
    stranger.finishAll();
    for (const taken of scene.dicts.values()) for (const one of taken.values()) one.end();
    for (const { pointer, device } of scene.memories.values()) stranger.free(pointer, device);
    for (const [name, stream] of scene.streams) {
      if (!stranger.defaultStreams.has(name)) stranger.destroyStream(stream);
    }
    for (const stream of scene.keepers.values()) stranger.destroyStream(stream);
  },
};
