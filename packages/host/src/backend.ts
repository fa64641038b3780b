import { createRequire } from 'node:module';
import { arch, cpus, release, totalmem } from 'node:os';
import type {
  ArrayDescriptor,
  ArrayLike,
  CopyOptions,
  DTypeLike,
  NestedNumbers,
  OwnedArray,
  WaitOptions,
} from '@array-interface/core';
import type {
  Availability,
  DeviceInfo,
  Held,
  OpenSharedOptions,
  PointerInfo,
  ShareOptions,
  ThreadTicket,
} from '@array-interface/core/backend';
import {
  abortable,
  BaseBackend,
  describeSource,
  internals,
  OPEN_SHARED_OPTIONS,
  readOptions,
  readSignal,
  replace,
  SHARE_OPTIONS,
  throwIfAborted,
} from '@array-interface/core/backend';
import { addon, findAddon } from './addon/addon.js';
import type { CopyExplanation } from './addon/copy-explanation.js';
import { HostDriver } from './driver.js';
import type { HostArray } from './memory/array.js';
import { HostMemory } from './memory/memory.js';
import { modulePath } from './module-path.js';
import type { HostArrayOptions, HostCopyOptions, HostEmptyOptions } from './options.js';
import { allPending, ended, pendingSince } from './order/pending-work.js';
import {
  checkDevice,
  HostQueue,
  type HostQueueOptions,
  ownQueue,
  QUEUE_OPTIONS,
} from './order/queue.js';
import { countWork } from './order/work.js';
import { openShared } from './share/open-shared.js';
import { share } from './share/share.js';
import type { Ticket } from './share/ticket.js';
import { EXPLAIN_OPTIONS, type ExplainOptions, explainCopy } from './work/explain-copy.js';

/**
 * System memory as a backend; the tests compare the others with it. Work runs at once, on the calling
 * thread, and its promise is settled when it is returned. Kernels of C run on threads; what has to
 * come after them waits for them. A thread orders its own work alone.
 */
export class HostBackend extends BaseBackend<HostArray, HostDriver, HostCopyOptions> {
  /** `host`. */
  readonly name = 'host';
  /** `host`. */
  readonly protocol = 'host';

  constructor() {
    super((backend) => new HostDriver(backend));
  }

  /** The addon comes with the package. */
  get availability(): Availability {
    const found = findAddon();
    return found.available ? { available: true, library: 'built in', version: version() } : found;
  }

  /** The one device: this machine. */
  devices(): readonly DeviceInfo[] {
    addon();
    const name = cpus()[0]?.model || arch();
    return [
      {
        index: 0,
        handle: 0n,
        name,
        type: 'cpu',
        driverVersion: release(),
        memory: totalmem(),
        limitation: null,
      },
    ];
  }

  /**
   * `pageable` for all memory that this process can read. Ranges are known for our own allocations
   * only.
   */
  inspectPointer(pointer: bigint): PointerInfo {
    const allocation = addon().find(pointer);
    const isReadable = () => !addon().isGone(pointer) && addon().access(pointer, 1)?.readable === 1;
    const hostAccessible = allocation !== null || isReadable();
    return {
      memoryKind: hostAccessible ? 'pageable' : 'unknown',
      device: hostAccessible ? 0 : null,
      allocation,
      hostAccessible,
    };
  }

  /** Uninitialised memory, as every backend gives. */
  override empty(
    shape: readonly number[],
    dtype: DTypeLike,
    options: HostEmptyOptions = {},
  ): OwnedArray<HostArray> {
    return super.empty(shape, dtype, options);
  }

  /** Copies into new memory, as every backend does. */
  override array(
    source: ArrayLike | NestedNumbers,
    options: HostArrayOptions = {},
  ): Promise<OwnedArray<HostArray>> {
    return super.array(source, options);
  }

  /**
   * A ticket for another thread, and for other processes where the memory was made with `shareable:
   * true` (Linux): plain data for any message. It holds the memory until a thread has opened it, until
   * it is disposed of, or until this thread is terminated; what others have opened stays as long as
   * they have it. One thread opens it, and any number of processes. Nothing orders the work of two
   * sides: tell the other by a message once yours has ended. Copies nothing and does not wait. Throws
   * ERR_TICKET for JavaScript's own memory and a producer's, ERR_MASK, ERR_DISPOSED, ERR_PENDING while
   * a kernel works on the elements.
   */
  share(array: HostArray, options: ShareOptions = {}): Held<Ticket | ThreadTicket> {
    return share(array, readOptions(options, SHARE_OPTIONS));
  }

  /**
   * An array over the sharer's memory, by its ticket, which a process of this effective user made, or
   * of the user that is named. Copies nothing and does not wait. Throws ERR_TICKET for a ticket that is
   * forged, altered, stale or another user's, or that another thread has opened; ERR_OUT_OF_MEMORY,
   * ERR_ARGUMENT.
   */
  openShared(
    ticket: Ticket | ThreadTicket,
    options: OpenSharedOptions = {},
  ): OwnedArray<HostArray> {
    const { memory, descriptor } = openShared(
      this,
      ticket,
      readOptions(options, OPEN_SHARED_OPTIONS),
    );
    return this.driver.wrap(memory, descriptor, null) as OwnedArray<HostArray>;
  }

  /** Throws ERR_ARGUMENT for a device other than 0, or a number of threads outside 1 to 1024. */
  createQueue(options: HostQueueOptions = {}): HostQueue {
    const { device, threads } = readOptions(options, QUEUE_OPTIONS);
    addon();
    checkDevice(device);
    return new HostQueue(threads);
  }

  /**
   * How `copy` with these options would go: which axes merge, whether it is one memcpy, long runs
   * or tiles, and how tiles are read and written. It touches neither side, so a descriptor of
   * memory that is not there will do. Throws as `copy` does.
   */
  explainCopy(
    destination: ArrayLike,
    source: ArrayLike,
    options: ExplainOptions = {},
  ): CopyExplanation {
    const read = readOptions(options, EXPLAIN_OPTIONS);
    const to = describeSource(destination, this.protocol);
    const from = describeSource(source, this.protocol);
    return explainCopy(this.resolve(to), this.resolve(from), read);
  }

  /** Settles when all work of this thread has ended. */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    throwIfAborted(signal);
    await abortable(ended(allPending()), signal);
  }

  /**
   * The copy has ended when the promise settles, and it is settled when it is returned, unless the
   * copy has to wait for a kernel of C.
   */
  override copy(
    destination: ArrayLike,
    source: ArrayLike,
    options?: HostCopyOptions,
  ): Promise<void> {
    const count = countWork();
    const copied = super.copy(destination, source, options);
    return count === countWork() ? copied : copiedInTurn(copied, count, options?.signal);
  }

  /** Settles at once: the host's kernels come with the package. */
  async whenKernelsReady(options: WaitOptions = {}): Promise<void> {
    throwIfAborted(readSignal(options));
  }

  /** Gives JavaScript memory its address, by which the host reaches it. */
  protected override resolve(array: ArrayDescriptor): ArrayDescriptor {
    if (array.buffer === null) return array;
    const memory = HostMemory.ofBuffer(this, array.buffer);
    const pointer = memory.pointer + array.pointer;
    const resolved = replace(array, { pointer, buffer: null, owner: memory });
    internals(memory).assertHolds(resolved, 'data');
    return resolved;
  }

  /** A copy that names `threads` has a queue of its own with so many. */
  protected override resolveOptions(options: HostCopyOptions): CopyOptions {
    ownQueue(options.queue);
    if (options.threads === undefined) return options;
    const { threads, ...others } = options;
    return { ...others, queue: new HostQueue(threads) };
  }
}

/** Waits for a copy that waits its turn; an abort gives up what has not begun. */
async function copiedInTurn(
  copied: Promise<void>,
  count: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const works = pendingSince(count);
  await copied;
  try {
    await abortable(
      Promise.all(works.map((work) => work.ended)).then(() => {}),
      signal,
    );
  } catch (error) {
    for (const work of works) work.cancel();
    throw error;
  }
}

/**
 * This package's version; `unknown` in a bundle that was parted from the package. It is read only
 * when asked for, since an import would take a millisecond longer.
 */
function version(): string {
  try {
    const require = createRequire(modulePath);
    return (require('@array-interface/host/package.json') as { version: string }).version;
  } catch {
    return 'unknown';
  }
}
