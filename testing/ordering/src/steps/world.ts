import type { Picker } from './choice.js';
import type { On, Step, Values } from './steps.js';

export type Kind = 'device' | 'host' | 'shared';

/** The abilities of a backend and its stranger. */
export interface Abilities {
  readonly devices: number;
  readonly kinds: readonly Kind[];
  /**
   * Streams that always exist. The first may have work even if a dict names none. The others are
   * named only by the thread that owns them.
   */
  readonly defaultStreams: readonly string[];
  /** Whether a queue of one device can use another's memory. */
  readonly crossesDevices: boolean;
  readonly hasPools: boolean;
  /**
   * Whether a dict may omit its stream, and the array be told of work through an explicit stream.
   */
  readonly hasStreamOptions: boolean;
}

/**
 * Bytes somewhere, with the values that they have if each step ends before the next begins. -1:
 * never written.
 */
export interface Block {
  readonly bytes: number[];
  readonly device: number;
  readonly kind: Kind;
  /** How often it was used, and how often written to. */
  uses: number;
  writes: number;
  /** Unended arrays that use it. */
  roots: number;
  /**
   * Whether this library owned it and the owner has ended. Loans remain, but no dict leads to it
   * any more.
   */
  isGivenUp: boolean;
  /**
   * The array that the stranger returned to this library while it has the memory. Meanwhile no
   * other array of the memory is used.
   */
  relay: Root | null;
}

/** An array that allocates or borrows. It ends with all its views. */
export interface Root {
  readonly name: string;
  readonly block: Block;
  /** Streams of the stranger that it needs while it lives. */
  readonly needs: readonly Stream[];
  /** Whether using the array blocks the calling thread. */
  readonly blocks: boolean;
  /** Whether reading the array's dict blocks the calling thread. */
  readonly exportsBlocking: boolean;
  /**
   * Whether work of consumers of its dict is ordered before the lender's next work. False if the
   * dict cannot name the lender's stream; then the stranger does not read it.
   */
  readonly mayBeTaken: boolean;
  /** Whether it allocated the memory. */
  readonly isOwner: boolean;
  isLive: boolean;
}

/** A root, or a view of one. */
export interface ArrayModel {
  readonly name: string;
  readonly root: Root;
  /** The positions of its elements in the block. */
  readonly at: readonly number[];
}

interface OnDevice {
  readonly name: string;
  readonly device: number;
}

export type Pool = OnDevice;

/** A stranger's stream. */
export interface Stream extends OnDevice {
  /** Whether it is one of those that always exist. */
  readonly isDefault: boolean;
  isLive: boolean;
  isHeld: boolean;
}

/** A queue as this library uses it: its own, or a stranger's stream. */
export interface Queue extends OnDevice {
  readonly stream: Stream | null;
}

/**
 * A memory of the stranger. All its work on the memory is ordered after `home`'s, and `home`'s next
 * work after that.
 */
export interface StrangerMemory {
  readonly name: string;
  readonly block: Block;
  home: Stream;
}

/** Dicts that the stranger has kept, and how often the memory of each array had been used by then. */
export interface Dicts {
  readonly name: string;
  readonly arrays: Map<ArrayModel, Pick<Block, 'uses' | 'writes'>>;
}

/**
 * What the program has created so far, and the value of every byte if each step ends before the
 * next begins.
 */
export class World {
  readonly abilities: Abilities;
  readonly steps: Step[] = [];
  readonly streams: Stream[] = [];
  arrays: ArrayModel[] = [];
  queues: Queue[] = [];
  pools: Pool[] = [];
  memories: StrangerMemory[] = [];
  dicts: Dicts[] = [];
  /** The arrays that the stranger returned to this library, with the stream of its own work. */
  readonly relays: Map<Root, { readonly array: ArrayModel; readonly stream: Stream }> = new Map();
  readonly #counts = new Map<string, number>();
  #value = 0;

  constructor(abilities: Abilities) {
    this.abilities = abilities;
    for (const name of abilities.defaultStreams) {
      this.streams.push({ name, device: 0, isDefault: true, isLive: true, isHeld: false });
    }
  }

  /** Adds a step. Before it, releases what the calling thread waits for. */
  add(step: Step, waits = false): void {
    if (waits) this.letGo();
    this.steps.push(step);
  }

  letGo(): void {
    const held = this.streams.filter((stream) => stream.isHeld);
    if (held.length === 0) return;
    this.steps.push({ do: 'letGo' });
    for (const stream of held) stream.isHeld = false;
  }

  name(letter: string): string {
    const count = (this.#counts.get(letter) ?? 0) + 1;
    this.#counts.set(letter, count);
    return `${letter}${count}`;
  }

  /** A value that differs from the last 200. */
  nextValue(): number {
    this.#value = (this.#value % 200) + 1;
    return this.#value;
  }

  /** Arrays that may be used now. */
  get usable(): ArrayModel[] {
    return this.arrays.filter(
      ({ root }) => root.isLive && (root.block.relay === null || root.block.relay === root),
    );
  }

  get roots(): Root[] {
    return [...new Set(this.arrays.map(({ root }) => root))].filter((root) => root.isLive);
  }

  get freeMemories(): StrangerMemory[] {
    return this.memories.filter(({ block }) => block.relay === null);
  }

  streamsOf(device: number): Stream[] {
    return this.streams.filter((stream) => stream.isLive && stream.device === device);
  }

  /** Whether something still needs that stream. */
  isNeeded(stream: Stream): boolean {
    const relays = [...this.relays.values()];
    return (
      this.roots.some(({ needs }) => needs.includes(stream)) ||
      relays.some((relay) => relay.stream === stream)
    );
  }

  addRoot(
    root: Pick<Root, 'name' | 'block' | 'needs'> & Partial<Root>,
    at: readonly number[],
  ): ArrayModel {
    const whole: Root = {
      blocks: false,
      exportsBlocking: false,
      mayBeTaken: true,
      isOwner: false,
      isLive: true,
      ...root,
    };
    root.block.roots++;
    const array = { name: root.name, root: whole, at };
    this.arrays.push(array);
    return array;
  }

  endRoot(root: Root): void {
    root.isLive = false;
    root.block.roots--;
    if (root.isOwner) root.block.isGivenUp = true;
    this.arrays = this.arrays.filter((array) => array.root !== root);
  }

  values(array: ArrayModel): Values {
    return array.at.map((at) => array.root.block.bytes[at] as number);
  }

  /**
   * Whether copying this may block the calling thread: it was borrowed that way, or the copy is
   * between pinned memories of CUDA.
   */
  waitsFor({ root }: ArrayModel): boolean {
    return root.blocks || (root.block.kind === 'host' && this.abilities.hasPools);
  }

  read(block: Block): void {
    block.uses++;
  }

  write(
    array: ArrayModel,
    values: (index: number) => number,
    length: number = array.at.length,
  ): void {
    this.writeAt(array.root.block, array.at.slice(0, length), values);
  }

  writeAt(block: Block, at: readonly number[], values: (index: number) => number): void {
    block.uses++;
    block.writes++;
    for (const [index, place] of at.entries()) block.bytes[place] = values(index);
  }

  /** The queue for this library's work on these arrays; mostly none is named. */
  on(pick: Picker, device: number): On | null {
    const queues = this.queues.filter(isUsable);
    const streams = this.streams.filter(({ isLive }) => isLive);
    const near = <T extends { readonly device: number }>(list: readonly T[]) => {
      const same = list.filter((one) => one.device === device);
      return this.abilities.crossesDevices && pick.chance(10) ? list : same;
    };
    const isOurs = pick.chance(50);
    const named: readonly (Queue | Stream)[] = isOurs ? near(queues) : near(streams);
    if (named.length === 0 || !pick.chance(75)) return null;
    const { name } = pick.of(named);
    return isOurs ? { queue: name } : { stream: name };
  }
}

export function newBlock(length: number, device: number, kind: Kind = 'device'): Block {
  const bytes: number[] = Array(length).fill(-1);
  return { bytes, device, kind, uses: 0, writes: 0, roots: 0, isGivenUp: false, relay: null };
}

/** The integers from `start` up to `stop`, exclusive. */
export function range(start: number, stop: number): number[] {
  return Array.from({ length: stop - start }, (_, index) => start + index);
}

/** The row that an index of device memory names: outside, the end. -1: unknown, as the index is. */
export function rowOf(index: number, length: number): number {
  return Math.min(index, length - 1);
}

/** Whether the queue may still be named. A destroyed stream of the stranger may not. */
export function isUsable(queue: Queue): boolean {
  return queue.stream === null || queue.stream.isLive;
}
