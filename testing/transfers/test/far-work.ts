import { type DTypeLike, makeDescriptor } from '@array-interface/core';
import {
  BackendQueue,
  type CopyPlan,
  type NumberType,
  type QueueEvent,
  readSignal,
  throwIfAborted,
} from '@array-interface/core/backend';
import { host } from '@array-interface/host';

/** Bytes, and the address of the first one in plans. */
export interface Bytes {
  readonly pointer: bigint;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Executes a plan as the host does. */
export function run(plan: CopyPlan, to: Bytes, from: Bytes): void {
  const { conversion, unit, shape } = plan;
  const raw = unit === 1 ? '|u1' : (`|V${unit}` as const);
  const dtypeOf = (type: NumberType, swaps: boolean): DTypeLike =>
    type === 'bf2' ? 'bfloat16' : `${swaps ? '>' : '<'}${type}`;
  const [target, origin]: readonly [DTypeLike, DTypeLike] =
    conversion === null
      ? [raw, raw]
      : [
          dtypeOf(conversion.to, conversion.swapsDestination),
          dtypeOf(conversion.from, conversion.swapsSource),
        ];
  const side = (
    { pointer, bytes }: Bytes,
    address: bigint,
    byteStrides: readonly number[],
    dtype: DTypeLike,
  ) =>
    makeDescriptor({
      ...{ pointer: address - pointer + BigInt(bytes.byteOffset), shape, byteStrides, dtype },
      buffer: bytes.buffer,
    });
  // The host has done it when this returns.
  host
    .copy(
      side(to, plan.destination, plan.destinationStrides, target),
      side(from, plan.source, plan.sourceStrides, origin),
      { casting: 'unsafe', rounding: conversion?.rounds ? 'nearest' : 'truncate' },
    )
    .catch(() => {});
}

/** Work of a far place, one thing after another, and none before the next turn of the event loop. */
export class FarWork {
  readonly #tasks: (() => void)[] = [];
  readonly #waiting: { readonly end: number; readonly settle: () => void }[] = [];
  #given = 0;
  #done = 0;

  give(task: () => void): void {
    this.#tasks.push(task);
    this.#given++;
    if (this.#tasks.length === 1) setImmediate(() => this.#runOne());
  }

  /** How many there were. */
  get given(): number {
    return this.#given;
  }

  has(ended: number): boolean {
    return this.#done >= ended;
  }

  ended(end = this.#given): Promise<void> {
    if (this.has(end)) return Promise.resolve();
    return new Promise((settle) => this.#waiting.push({ end, settle }));
  }

  finish(end = this.#given): void {
    while (!this.has(end)) this.#next();
  }

  #runOne(): void {
    if (this.#tasks.length > 0) this.#next();
    if (this.#tasks.length > 0) setImmediate(() => this.#runOne());
  }

  #next(): void {
    this.#tasks.shift()?.();
    this.#done++;
    for (const one of this.#waiting.filter(({ end }) => this.has(end))) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      one.settle();
    }
  }
}

/** All queues of the place are one. */
export class FarQueue extends BackendQueue {
  readonly device = 0;
  readonly handle = 0n;
  readonly #work: FarWork;

  constructor(work: FarWork) {
    super();
    this.#work = work;
  }

  record(): QueueEvent {
    const work = this.#work;
    const end = work.given;
    return {
      query: () => work.has(end),
      synchronize: async (options = {}) => {
        throwIfAborted(readSignal(options));
        await work.ended(end);
      },
      synchronizeSync: () => work.finish(end),
    };
  }

  wait(event: QueueEvent): void {
    event.synchronizeSync();
  }

  protected destroy(): void {}
}
