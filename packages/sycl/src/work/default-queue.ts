import { runtime } from '../driver/runtime.js';
import type { SyclContext } from './context.js';
import { SyclQueue } from './queue.js';

/** One queue for each device in a context, for work that names none. */
const queues = new WeakMap<SyclContext, SyclQueue>();

/** The queue for work on a device in a context that names none. It is made at first use. */
export function defaultQueueOf(context: SyclContext): SyclQueue {
  const known = queues.get(context);
  if (known !== undefined && !known.disposed) return known;
  const made = createQueueIn(context);
  queues.set(context, made);
  return made;
}

/** A new queue of ours. */
export function createQueueIn(context: SyclContext, inOrder = true, profiling = false): SyclQueue {
  return new SyclQueue(runtime().createQueue(context.handle, inOrder, profiling), context);
}
