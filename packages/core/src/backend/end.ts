import type { ArrayDescriptor } from '../descriptor.js';
import type { Memory } from './memory.js';
import type { Event, Queue } from './queue.js';
import type { Staging } from './staging.js';
import { waitForUnknown } from './wait-for-unknown.js';

/** Memory of another backend as one of ours, and the array at the addresses that our queues use. */
export interface Guest {
  /** Of the backend that was asked; it keeps the memory that it stands for. */
  readonly memory: Memory;
  /** The same elements, their pointer as that backend's queues take it. */
  readonly array: ArrayDescriptor;
}

/** One side of a copy between backends, as its own backend works on it. */
export interface End {
  readonly array: ArrayDescriptor;
  readonly memory: Memory;
  readonly queue: Queue;
  /** Whether its queue works when it is given the work, on the calling thread. */
  readonly worksAtOnce: boolean;
  /** Throws when the memory went, or no longer holds a part of the array. */
  check(part?: ArrayDescriptor): void;
  /** New memory that the queue and this process reach. Throws ERR_OUT_OF_MEMORY. */
  stage(byteLength: number): Staging;
  /** Null where the queue does not reach it. */
  guest(array: ArrayDescriptor, memory: Memory): Guest | null;
  /** Enqueues a copy between two memories that the queue reaches; the point behind all of it. */
  move(to: ArrayDescriptor, target: Memory, from: ArrayDescriptor, origin: Memory): Event;
}

/** Settles when the end's work up to a point has ended, also where it failed. */
export async function ended({ queue }: End, event: Event): Promise<void> {
  try {
    await event.synchronize();
  } catch (error) {
    waitForUnknown(queue);
    throw error;
  }
}
