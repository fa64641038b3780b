import type { ArrayDescriptor } from '../descriptor.js';
import type { BackendArray } from './array.js';
import type { BorrowOptions, CopyOptions, EmptyOptions } from './backend.js';
import { type Memory, memoryOf } from './memory.js';
import { type CopyPlan, isAligned, planCopy } from './plan-copy.js';
import type { Event, Queue } from './queue.js';
import { relativeLayout } from './relative-layout.js';
import { shareBytes } from './share-bytes.js';
import { waitForUnknown } from './wait-for-unknown.js';

/** Memory that queues of one backend reach: which is held, and in what order it is worked on. */
export abstract class Mover<A extends BackendArray> {
  /** New memory of at least one byte. Throws ERR_OUT_OF_MEMORY. */
  protected abstract allocate(byteLength: number, options: EmptyOptions): Memory;
  /**
   * Memory of a foreign producer, proved to exist and to be within reach. Throws
   * ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE, ERR_OUT_OF_BOUNDS.
   */
  protected abstract borrow(array: ArrayDescriptor, options: BorrowOptions): Memory;
  protected abstract wrap(memory: Memory, descriptor: ArrayDescriptor): A;
  /** The queue that work goes to when nobody names one. */
  protected abstract defaultQueue(memory: Memory): Queue;
  /** Enqueues a plan whose two sides, in these memories, `queue` reaches. Does not wait. */
  protected abstract enqueue(queue: Queue, plan: CopyPlan, target: Memory, origin: Memory): void;

  protected make(layout: ArrayDescriptor, options: EmptyOptions): A {
    const memory = this.allocate(Math.max(1, layout.extent[1]), options);
    return this.wrap(memory, layout.with({ pointer: memory.pointer, owner: memory }));
  }

  /** The memory behind one side, retained: our own, or borrowed for this copy alone. */
  protected hold(array: ArrayDescriptor, path: string): Memory {
    const memory = memoryOf(array.owner) ?? this.borrow(array, {});
    memory.retain();
    try {
      memory.assertLive(path);
      memory.assertHolds(array, path);
      return memory;
    } catch (error) {
      memory.release();
      throw error;
    }
  }

  /**
   * Enqueues a copy between two memories of this backend, ordered on both; the point behind all its
   * steps. Does not wait.
   */
  protected move(
    to: ArrayDescriptor,
    target: Memory,
    from: ArrayDescriptor,
    origin: Memory,
    options: CopyOptions,
  ): Event {
    const queue =
      options.queue ?? target.homeQueue ?? origin.homeQueue ?? this.defaultQueue(target);
    const [reachedTo, reachedFrom] = [target.reached(to), origin.reached(from)];
    if (shareBytes(reachedTo, reachedFrom)) {
      return this.moveThroughCopy(to, target, from, origin, queue);
    }
    const plan = planCopy(reachedTo, reachedFrom);
    if (!isAligned(plan)) return this.moveThroughAligned(to, target, from, origin, queue);
    target.before(queue);
    if (origin !== target) origin.before(queue);
    try {
      this.enqueue(queue, plan, target, origin);
      const event = queue.record();
      target.after(queue, event);
      if (origin !== target) origin.after(queue, event);
      return event;
    } catch (error) {
      waitForUnknown(queue);
      throw error;
    }
  }

  /** Overlapping sides: as if the source had been copied first. */
  private moveThroughCopy(
    to: ArrayDescriptor,
    target: Memory,
    from: ArrayDescriptor,
    origin: Memory,
    queue: Queue,
  ): Event {
    // Not `empty`, which refuses a queue that its maker disposed while arrays still need it.
    using copied = this.make(relativeLayout(from.shape, from.dtype), { queue });
    this.move(copied.descriptor, copied.memory, from, origin, { queue });
    return this.moveOn(to, target, copied, queue);
  }

  /** Numbers at odd addresses, where devices convert none: their bytes go to even ones first. */
  private moveThroughAligned(
    to: ArrayDescriptor,
    target: Memory,
    from: ArrayDescriptor,
    origin: Memory,
    queue: Queue,
  ): Event {
    using copied = this.make(relativeLayout(from.shape, from.dtype), { queue });
    using converted = this.make(relativeLayout(to.shape, to.dtype), { queue });
    this.move(copied.descriptor, copied.memory, from, origin, { queue });
    this.moveOn(converted.descriptor, converted.memory, copied, queue);
    return this.moveOn(to, target, converted, queue);
  }

  /** A further step of a copy: when it is refused, those before it have ended. */
  private moveOn(
    to: ArrayDescriptor,
    target: Memory,
    { descriptor, memory }: A,
    queue: Queue,
  ): Event {
    try {
      return this.move(to, target, descriptor, memory, { queue });
    } catch (error) {
      waitForUnknown(queue);
      throw error;
    }
  }
}
