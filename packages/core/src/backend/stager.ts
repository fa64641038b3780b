import type { ArrayDescriptor } from '../descriptor.js';
import { sameDType } from '../dtype.js';
import { abortable } from './abort.js';
import type { BackendArray } from './array.js';
import type { CopyOptions } from './backend.js';
import { bytesOf, copyBuffers } from './copy-buffers.js';
import type { Memory } from './memory.js';
import { Mover } from './mover.js';
import { planCopy } from './plan-copy.js';
import type { Event, Queue } from './queue.js';
import { relativeLayout } from './relative-layout.js';
import { stagedParts } from './staged-parts.js';
import type { Staging } from './staging.js';
import { Tally } from './tally.js';

/** A part of the destination whose bytes are on their way to a staging, where they lie like `layout`. */
interface Piece {
  readonly part: ArrayDescriptor;
  readonly layout: ArrayDescriptor;
  readonly staging: Staging;
  /** Reached when the staging holds them. */
  readonly event: Event;
}

/** Copies to, from and within JavaScript memory, through memory that the backend's queues reach. */
export abstract class Stager<A extends BackendArray> extends Mover<A> {
  /** Memory that this process and the queue reach. Throws ERR_OUT_OF_MEMORY. */
  protected abstract stage(byteLength: number, queue: Queue): Staging;

  /** Within JavaScript memory; numbers that change go through memory of the backend. */
  protected async copyBuffers(
    to: ArrayDescriptor,
    from: ArrayDescriptor,
    options: CopyOptions,
  ): Promise<void> {
    if (sameDType(to.dtype, from.dtype)) return copyBuffers(to, from);
    const { queue } = options;
    using converted = this.make(relativeLayout(from.shape, to.dtype), queue ? { queue } : {});
    this.upload(converted.descriptor, from, options);
    await this.download(to, converted.descriptor, options, new Tally(to.nbytes, undefined));
  }

  /** JavaScript memory is read now, and converted on the way; the rest is enqueued. */
  protected upload(to: ArrayDescriptor, from: ArrayDescriptor, options: CopyOptions): void {
    const target = this.hold(to, 'destination');
    try {
      const queue = options.queue ?? target.homeQueue ?? this.defaultQueue(target);
      for (const [part, piece] of stagedParts(to, from))
        this.uploadPiece(part, target, piece, queue);
    } finally {
      target.release();
    }
  }

  private uploadPiece(to: ArrayDescriptor, target: Memory, from: ArrayDescriptor, queue: Queue) {
    const layout = relativeLayout(from.shape, to.dtype);
    const staging = this.stage(layout.nbytes, queue);
    staging.memory.retain();
    try {
      staging.read(planCopy(layout, from), bytesOf(from, 'source'));
      const staged = layout.with({ pointer: staging.pointer });
      this.move(to, target, staged, staging.memory, { queue });
    } finally {
      staging.memory.release();
    }
  }

  /**
   * The work is enqueued now, all of it: what the queue is given later comes after it. JavaScript
   * memory is written, and converted, piece by piece as it ends; nothing more once one failed.
   */
  protected async download(
    to: ArrayDescriptor,
    from: ArrayDescriptor,
    { queue: named, signal }: CopyOptions,
    tally: Tally,
  ): Promise<void> {
    const origin = this.hold(from, 'source');
    const pieces: Piece[] = [];
    try {
      const queue = named ?? origin.homeQueue ?? this.defaultQueue(origin);
      for (const [part, piece] of stagedParts(to, from)) {
        pieces.push(this.downloadPiece(part, piece, origin, queue));
      }
      for (let piece = pieces[0]; piece !== undefined; piece = pieces[0]) {
        const { part, layout, staging, event } = piece;
        await abortable(event.synchronize(), signal);
        staging.write(planCopy(part, layout), bytesOf(part, 'destination'));
        pieces.shift();
        staging.memory.release();
        tally.add(part.nbytes);
      }
    } catch (error) {
      if (!signal?.aborted)
        await Promise.allSettled(pieces.map(({ event }) => event.synchronize()));
      throw tally.interrupted(error, signal);
    } finally {
      for (const { staging } of pieces) staging.memory.release();
      origin.release();
    }
  }

  private downloadPiece(
    part: ArrayDescriptor,
    from: ArrayDescriptor,
    origin: Memory,
    queue: Queue,
  ): Piece {
    const layout = relativeLayout(part.shape, from.dtype);
    const staging = this.stage(layout.nbytes, queue);
    staging.memory.retain();
    try {
      const staged = layout.with({ pointer: staging.pointer });
      const event = this.move(staged, staging.memory, from, origin, { queue });
      return { part, layout, staging, event };
    } catch (error) {
      staging.memory.release();
      throw error;
    }
  }
}
