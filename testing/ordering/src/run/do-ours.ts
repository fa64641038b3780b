import { setImmediate, setTimeout } from 'node:timers/promises';
import type { BackendArray, BackendQueue } from '@array-interface/core/backend';
import type { Listed, On } from '../steps/steps.js';
import { type Doing, found, type Scene } from './scene.js';

/**
 * Calls `work` with the queue that a step names. A stranger's stream is wrapped for this one call.
 */
function withQueue<T>(
  scene: Scene,
  on: On | null,
  use: (options: { queue?: BackendQueue }) => T,
): T {
  if (on === null) return use({});
  if ('queue' in on) return use({ queue: found(scene.queues, on.queue) });
  using queue = scene.ours.wrap(scene.stream(on.stream));
  return use({ queue });
}

/** A view of the first `length` elements. */
function first(array: BackendArray, length: number): BackendArray {
  return array.shape[0] === length ? array : array.slice([[0, length]]);
}

/** A list, or the array of that name. */
function listed<T>(scene: Scene, list: Listed<T>): readonly T[] | BackendArray {
  return typeof list === 'string' ? scene.array(list) : list;
}

function optionsOf(scene: Scene, queue: string | null): { queue?: BackendQueue } {
  return queue === null ? {} : { queue: found(scene.queues, queue) };
}

/** How the steps of this library are performed. */
export const oursDoes: Doing<
  | 'empty'
  | 'array'
  | 'view'
  | 'fill'
  | 'copy'
  | 'upload'
  | 'full'
  | 'take'
  | 'put'
  | 'where'
  | 'read'
  | 'loan'
  | 'look'
  | 'recordUse'
  | 'end'
  | 'drop'
  | 'synchronize'
  | 'createQueue'
  | 'wrapStream'
  | 'endQueue'
  | 'createPool'
  | 'endPool'
  | 'releaseCached'
  | 'idle'
  | 'turn'
> = {
  empty(scene, { array, length, queue, device, kind, pool, exportStream }) {
    const options = {
      ...optionsOf(scene, queue),
      device,
      memoryKind: kind,
      ...(pool !== null && { pool: found(scene.pools, pool) }),
      ...(exportStream !== 'wait' && { exportStream }),
    };
    scene.arrays.set(array, scene.ours.backend.empty([length], 'uint8', options));
  },
  async array(scene, { array, from, queue }) {
    const made = scene.ours.backend.array(scene.array(from), optionsOf(scene, queue));
    scene.arrays.set(array, await made);
  },
  view(scene, { array, of, range: [start, stop, step], flipped }) {
    const part = scene.array(of).slice([[start, stop, step]]);
    scene.arrays.set(array, flipped ? part.flip(0) : part);
  },
  fill(scene, { array, value, on }) {
    withQueue(scene, on, (options) => {
      scene.expect(scene.ours.backend.fill(scene.array(array), value, options));
    });
  },
  copy(scene, { to, from, length, on }) {
    const [target, origin] = [to, from].map((name) => first(scene.array(name), length));
    withQueue(scene, on, (options) => {
      const call = scene.ours.backend.copy(target as BackendArray, origin as BackendArray, options);
      scene.expect(call);
    });
  },
  upload(scene, { array, values, on }) {
    const bytes = Uint8Array.from(values);
    withQueue(scene, on, (options) => {
      scene.expect(scene.ours.backend.copy(scene.array(array), bytes, options));
    });
    bytes.fill(255); // the call has read them before it returned
  },
  async full(scene, { array, of, length, value, queue }) {
    const { backend } = scene.ours;
    const options = optionsOf(scene, queue);
    const made =
      of === null
        ? backend.full([length], value, 'uint8', options)
        : backend.fullLike(scene.array(of), value, options);
    scene.arrays.set(array, await made);
  },
  async take(scene, { array, from, indices, queue }) {
    const at = listed(scene, indices);
    const made = scene.ours.backend.take(scene.array(from), at, optionsOf(scene, queue));
    scene.arrays.set(array, await made);
  },
  put(scene, { to, indices, from, length, on }) {
    const [target, at] = [scene.array(to), listed(scene, indices)];
    const values = first(scene.array(from), length);
    withQueue(scene, on, (options) => {
      scene.expect(scene.ours.backend.put(target, at, values, options));
    });
  },
  async where(scene, { array, mask, from, other, length, queue }) {
    const [a, b] = [first(scene.array(from), length), first(scene.array(other), length)];
    const given = listed(scene, mask);
    const chosen = Array.isArray(given) ? given : first(given as BackendArray, length);
    scene.arrays.set(array, await scene.ours.backend.where(chosen, a, b, optionsOf(scene, queue)));
  },
  async read(scene, { array, on, expected, isAwaited }) {
    const { step } = scene;
    const read = withQueue(scene, on, (options) => {
      const call = scene.ours.backend.toTypedArray(scene.array(array), options);
      return scene.expect(call, (values) => scene.compare(step, values as Uint8Array, expected));
    });
    if (isAwaited) await read;
  },
  loan(scene, { array, of, through }) {
    const lender = scene.array(of);
    const producer = through === 'array' ? lender : scene.ours.dictOf(lender);
    scene.arrays.set(array, scene.ours.backend.asArray(producer as BackendArray));
  },
  look(scene, { array }) {
    scene.ours.dictOf(scene.array(array));
  },
  recordUse(scene, { array, stream }) {
    scene.ours.recordUse(scene.array(array), scene.stream(stream));
  },
  end(scene, { array, stream }) {
    const owner = scene.owner(array);
    try {
      if (stream !== null) scene.ours.recordUse(owner, scene.stream(stream));
    } finally {
      owner[Symbol.dispose]();
      scene.arrays.delete(array);
    }
  },
  async drop(scene, { array, isCollected }) {
    const owner = scene.owner(array);
    for (const [name, one] of scene.arrays) {
      if (one === owner || one.base === owner) scene.arrays.delete(name);
    }
    if (!isCollected) return;
    await setImmediate();
    globalThis.gc?.();
    await setImmediate();
  },
  async synchronize(scene, { array }) {
    await scene.array(array).synchronize();
  },
  createQueue(scene, { queue, device, isPlain }) {
    scene.queues.set(queue, scene.ours.createQueue(device, isPlain));
  },
  wrapStream(scene, { queue, stream }) {
    scene.queues.set(queue, scene.ours.wrap(scene.stream(stream)));
  },
  endQueue(scene, { queue }) {
    found(scene.queues, queue)[Symbol.dispose]();
    scene.queues.delete(queue);
  },
  createPool(scene, { pool, device }) {
    scene.pools.set(pool, scene.ours.createPool(device));
  },
  endPool(scene, { pool }) {
    found(scene.pools, pool)[Symbol.dispose]();
    scene.pools.delete(pool);
  },
  releaseCached(scene) {
    scene.expect(scene.ours.backend.releaseCached());
  },
  async idle(scene) {
    await scene.ours.backend.synchronize();
    await scene.idle();
  },
  async turn(_, { milliseconds }) {
    if (milliseconds === 0) await setImmediate();
    else await setTimeout(milliseconds);
  },
};
