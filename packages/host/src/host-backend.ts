import { createRequire } from 'node:module';
import { arch, cpus, release, totalmem } from 'node:os';
import type { ArrayDescriptor, ArrayLike, CopyOptions, WaitOptions } from '@array-interface/core';
import type { Availability, DeviceInfo, PointerInfo } from '@array-interface/core/backend';
import {
  BaseBackend,
  describeSource,
  internals,
  readOptions,
  readSignal,
  replace,
  throwIfAborted,
} from '@array-interface/core/backend';
import { addon, findAddon } from './addon.js';
import type { CopyExplanation } from './copy-explanation.js';
import { EXPLAIN_OPTIONS, type ExplainOptions, explainCopy } from './explain-copy.js';
import type { HostArray } from './host-array.js';
import { HostDriver } from './host-driver.js';
import { HostMemory } from './host-memory.js';
import {
  checkDevice,
  HostQueue,
  type HostQueueOptions,
  ownQueue,
  QUEUE_OPTIONS,
} from './host-queue.js';
import { ownFile } from './own-file.js';

/** How a copy on the host casts, on which queue it runs, and on how many threads. */
export interface HostCopyOptions extends CopyOptions {
  /**
   * Most threads that work on the copy, with the calling thread: 1 to 1024. They end with the copy.
   * A copy uses at most one thread for each MiB that it writes, and gets by with fewer where the
   * system gives fewer. Default: the queue's.
   */
  readonly threads?: number;
}

/**
 * System memory as a backend; the tests compare the others with it. Every operation runs at once,
 * on the calling thread, and its promise is settled when it is returned.
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
    const access = addon().access(pointer, 1);
    const hostAccessible = allocation !== null || access?.readable === 1;
    return {
      memoryKind: hostAccessible ? 'pageable' : 'unknown',
      device: hostAccessible ? 0 : null,
      allocation,
      hostAccessible,
    };
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
    const [to, from] = [describeSource(destination), describeSource(source)];
    return explainCopy(this.resolve(to), this.resolve(from), read);
  }

  /** Settles at once: there is no pending work. */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    throwIfAborted(readSignal(options));
  }

  /** Settles at once: the host's kernels come with the package. */
  async kernelsBuilt(options: WaitOptions = {}): Promise<void> {
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

/**
 * This package's version; `unknown` in a bundle that was parted from the package. It is read only
 * when asked for, since an import would take a millisecond longer.
 */
function version(): string {
  try {
    const require = createRequire(ownFile);
    return (require('@array-interface/host/package.json') as { version: string }).version;
  } catch {
    return 'unknown';
  }
}
