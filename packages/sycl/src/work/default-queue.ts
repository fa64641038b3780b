import { runtime } from '../driver/runtime.js';
import type { SyclContext } from './context.js';
import { SyclQueue } from './queue.js';

/** The default queue of each device in a context. */
const queues = new WeakMap<SyclContext, SyclQueue>();

/** Returns the queue for work that names none. Creates it on first use. */
export function defaultQueueOf(context: SyclContext): SyclQueue {
  const known = queues.get(context);
  if (known !== undefined && !known.disposed) return known;
  const made = createQueueIn(context);
  queues.set(context, made);
  return made;
}

/** Creates a native queue. */
export function createQueueIn(context: SyclContext, inOrder = true, profiling = false): SyclQueue {
  return new SyclQueue(runtime().createQueue(context.handle, inOrder, profiling), context);
}
