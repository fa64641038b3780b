import type { Queue } from '@array-interface/core/backend';
import type { CudaEvent } from './event.js';
import { ownStream, type Stream } from './stream.js';

const LOOK_MS = 100;

interface Waiting {
  readonly streams: readonly Stream[];
  readonly then: (points: readonly CudaEvent[]) => void;
}

/** What waits for captures to end: nothing may be enqueued on a captured stream until then. */
const waiting = new Set<Waiting>();
let timer: ReturnType<typeof setInterval> | null = null;

/**
 * Calls back once none of the streams is being captured, with a point after all that each was given;
 * at once where there is no stream. Keeps them until then, and no process alive.
 */
export function afterCapture(captured: readonly Queue[], then: Waiting['then']): void {
  if (captured.length === 0) {
    then([]);
    return;
  }
  const streams = captured.map(ownStream);
  for (const stream of streams) stream.retain();
  waiting.add({ streams, then });
  timer ??= setInterval(look, LOOK_MS).unref();
}

function look(): void {
  for (const one of waiting) {
    if (one.streams.some(isCaptured)) continue;
    waiting.delete(one);
    one.then(one.streams.flatMap(pointIn));
    for (const stream of one.streams) stream.release();
  }
  if (waiting.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
}

/** One that cannot be asked belongs to a device that failed: nothing runs there. */
function isCaptured(stream: Stream): boolean {
  try {
    return stream.isCapturing();
  } catch {
    return false;
  }
}

function pointIn(stream: Stream): CudaEvent[] {
  try {
    return [stream.record()];
  } catch {
    return [];
  }
}
