import type { OwnedArray } from '@array-interface/core';
import type { BackendArray, BackendQueue } from '@array-interface/core/backend';
import type { Ours } from '../libraries/ours.js';
import type { Stranger, StreamHandle, Taken } from '../libraries/stranger.js';
import type { Step, StepOf, Values } from '../steps/steps.js';

/** How steps of some kinds are performed. */
export type Doing<K extends Step['do']> = {
  readonly [D in K]: (scene: Scene, step: StepOf<D>) => void | Promise<void>;
};

/**
 * What went wrong, and at which step: the one that began the work, even if the failure was seen
 * later.
 */
export interface Failure {
  readonly step: number;
  readonly text: string;
}

/** A stranger's memory. */
export interface StrangerMemory {
  readonly pointer: bigint;
  readonly length: number;
  readonly device: number;
  /** The stream that has waited for all work on the memory, and that all later work waits for. */
  home: StreamHandle;
}

/** Everything that a program has created, by the names in its steps. */
export class Scene {
  readonly ours: Ours;
  readonly stranger: Stranger;
  readonly arrays: Map<string, BackendArray> = new Map();
  readonly queues: Map<string, BackendQueue> = new Map();
  readonly pools: Map<string, Disposable> = new Map();
  readonly streams: Map<string, StreamHandle>;
  readonly memories: Map<string, StrangerMemory> = new Map();
  readonly dicts: Map<string, ReadonlyMap<string, Taken>> = new Map();
  readonly relays: Map<string, { readonly taken: Taken; readonly stream: StreamHandle }> =
    new Map();
  /** By stream: the function that releases it. */
  readonly held: Map<string, () => void> = new Map();
  /** Calls of this library that have not settled. None of them rejects. */
  pending: Promise<void>[] = [];
  /** Checks of what the stranger has read, to run when its streams are idle. */
  looks: (() => void)[] = [];
  /** By device: a stream that waits for every stream that is destroyed. */
  readonly keepers: Map<number, StreamHandle> = new Map();
  step = 0;
  failure: Failure | null = null;

  constructor(ours: Ours, stranger: Stranger) {
    this.ours = ours;
    this.stranger = stranger;
    this.streams = new Map(stranger.defaultStreams);
  }

  array(name: string): BackendArray {
    return found(this.arrays, name);
  }

  owner(name: string): OwnedArray<BackendArray> {
    return found(this.arrays, name) as OwnedArray<BackendArray>;
  }

  stream(name: string): StreamHandle {
    return found(this.streams, name);
  }

  memory(name: string): StrangerMemory {
    return found(this.memories, name);
  }

  /** Records a failure. The first one counts. */
  fail(step: number, error: unknown): void {
    this.failure ??= { step, text: wordsOf(error) };
  }

  /** Records an unsettled call of this library. Its outcome is known by the end. */
  expect(call: Promise<unknown>, look: (result: unknown) => void = () => {}): Promise<void> {
    const { step } = this;
    const settled = call.then(look).catch((error: unknown) => this.fail(step, error));
    this.pending.push(settled);
    return settled;
  }

  /** Compares the values that a step read with the expected ones. */
  compare(step: number, read: ArrayLike<number>, expected: Values): void {
    const values = Array.from(read);
    const isRight = expected.every((value, index) => value === -1 || value === values[index]);
    if (isRight && values.length === expected.length) return;
    const hidden = values.map((value, index) => (expected[index] === -1 ? '?' : value));
    const wanted = expected.map((value) => (value === -1 ? '?' : value));
    this.fail(step, `read [${hidden.join(' ')}], expected [${wanted.join(' ')}]`);
  }

  /** A slot for something that the stranger reads, which is checked later. */
  slot(expected: Values): bigint {
    const { step } = this;
    const { pointer, read } = this.stranger.slot(expected.length);
    this.looks.push(() => this.compare(step, read(), expected));
    return pointer;
  }

  /** Called when the stranger begins work with arrays of this library. */
  begins(): void {}

  letGo(): void {
    for (const release of this.held.values()) release();
    this.held.clear();
  }

  /** Waits until all enqueued work has ended, and checks what was read. */
  async idle(): Promise<void> {
    for (const stream of [...this.streams.values(), ...this.keepers.values()]) {
      this.call(() => this.stranger.synchronize(stream));
    }
    for (const look of this.looks) this.call(look);
    this.looks = [];
    await Promise.all(this.pending);
    this.pending = [];
  }

  /** Calls a function on behalf of the current step. */
  call(work: () => void): void {
    work();
  }

  keeper(device: number): StreamHandle {
    const known = this.keepers.get(device);
    if (known !== undefined) return known;
    const made = this.stranger.createStream(device);
    this.keepers.set(device, made);
    return made;
  }
}

/** A step needs something that the program did not create. */
export class Missing extends Error {}

export function found<T>(map: ReadonlyMap<string, T>, name: string): T {
  const one = map.get(name);
  if (one === undefined) throw new Missing(`the program has no ${name}`);
  return one;
}

export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, fullStack = error.stack } = error as { code?: unknown; fullStack?: string };
  const where = fullStack?.split('\n').find((line) => /packages\/\w+\/dist/.test(line)) ?? '';
  return `${code === undefined ? '' : `${String(code)}: `}${error.message}${where}`;
}
