import { createRequire } from 'node:module';
import { arch, cpus, release, totalmem } from 'node:os';
import type {
  ArrayDescriptor,
  ArrayLike,
  CopyOptions,
  DTypeLike,
  NestedNumbers,
  NestedRows,
  OwnedArray,
  WaitOptions,
} from '@array-interface/core';
import type {
  ArrowStructs,
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
import { addon, findAddon, modulePath } from './addon.js';
import { fromArrow } from './arrow/from-arrow.js';
import { toArrow } from './arrow/to-arrow.js';
import type { CopyExplanation } from './copy-explanation.js';
import { HostDriver } from './driver.js';
import type { HostArray } from './memory/array.js';
import { HostMemory } from './memory/memory.js';
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
 * The backend of system memory: `import { host } from '@array-interface/host'`.
 *
 * Most work runs synchronously on the calling thread, so its promise is already settled when it is
 * returned. Kernels in C run on their own threads, and work that depends on one waits for it
 * without blocking. Each JavaScript thread orders only its own work.
 */
export class HostBackend extends BaseBackend<
  HostArray,
  HostDriver,
  HostCopyOptions,
  HostEmptyOptions
> {
  /** The backend's name, `host`. */
  readonly name = 'host';
  /** The protocol of its arrays, `host`: NumPy's `__array_interface__`. */
  readonly protocol = 'host';

  constructor() {
    super((backend) => new HostDriver(backend));
  }

  /** Whether the native addon, which comes with the package, can be loaded. Never throws. */
  get availability(): Availability {
    const found = findAddon();
    return found.available ? { available: true, library: 'built in', version: version() } : found;
  }

  /** Returns the one device, which is this machine. Throws ERR_BACKEND_UNAVAILABLE. */
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
   * Describes the memory at an address. `memoryKind` is `pageable` for all memory that this process
   * can read, and `unknown` otherwise. `allocation` is null for memory that this package did not
   * allocate. Throws ERR_BACKEND_UNAVAILABLE.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using array = host.empty([4], 'float32');
   * console.log(host.inspectPointer(array.pointer).allocation?.byteLength); // 16
   * ```
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

  /**
   * Allocates uninitialised memory, aligned to 64 bytes. Does not block. The owner's disposal frees
   * the memory.
   *
   * Throws ERR_OUT_OF_MEMORY; ERR_OVERFLOW if the size is too large to address; ERR_ARGUMENT for an
   * invalid option, or for any `memoryKind` but `pageable`; ERR_BACKEND_UNAVAILABLE.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using pixels = host.empty([480, 640, 3], 'uint8');
   * await host.fill(pixels, 0);
   * ```
   */
  override empty(
    shape: readonly number[],
    dtype: DTypeLike,
    options: HostEmptyOptions = {},
  ): OwnedArray<HostArray> {
    return super.empty(shape, dtype, options);
  }

  /**
   * Copies numbers, or an array of any backend, into new memory that is aligned to 64 bytes. Reads
   * JavaScript memory before it returns.
   *
   * Rejects with what `empty` throws and with what `copy` rejects with; with ERR_TYPE if a list has
   * elements that are not numbers; with ERR_SHAPE_MISMATCH if lists are ragged, or if `shape` has a
   * different number of elements.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using image = await host.array([[1, 2, 3], [4, 5, 6]], { dtype: 'float32' });
   * console.log(image.shape); // [ 2, 3 ]
   * ```
   */
  override array(
    source: ArrayLike | NestedNumbers | NestedRows,
    options: HostArrayOptions = {},
  ): Promise<OwnedArray<HostArray>> {
    return super.array(source, options);
  }

  /**
   * Makes a ticket, which is plain data for any message, with which another thread opens the array.
   * If the memory was made with `shareable: true` (Linux), other processes can open it too.
   *
   * One thread can open the ticket, and any number of processes. The ticket keeps the memory until
   * a thread has opened it, until it is disposed, or until this thread is terminated. Memory that
   * was opened stays as long as its arrays do.
   *
   * Nothing orders the two sides' work: send a message once this side's work has ended. Copies
   * nothing. Does not block.
   *
   * Throws ERR_TICKET for JavaScript memory and for a producer's; ERR_MASK; ERR_DISPOSED;
   * ERR_PENDING while a kernel works on the elements.
   *
   * @example
   * ```ts
   * import type { Worker } from 'node:worker_threads';
   * import { host } from '@array-interface/host';
   *
   * declare const worker: Worker; // it calls `host.openShared` with the message
   * using array = await host.array([1, 2, 3], { dtype: 'float32' });
   * worker.postMessage(host.share(array));
   * ```
   */
  share(array: HostArray, options: ShareOptions = {}): Held<Ticket | ThreadTicket> {
    return share(array, readOptions(options, SHARE_OPTIONS));
  }

  /**
   * Opens an array over the memory of a ticket from `share`. Copies nothing. Does not block.
   * Another process's ticket must come from this process's effective user, or from the user that
   * the options name.
   *
   * Throws ERR_TICKET if the ticket is forged, altered, stale, another user's, or was opened by
   * another thread; ERR_OUT_OF_MEMORY; ERR_ARGUMENT.
   *
   * @example
   * ```ts
   * import { parentPort } from 'node:worker_threads';
   * import { host } from '@array-interface/host';
   *
   * parentPort?.on('message', async (ticket) => {
   *   using array = host.openShared(ticket); // the same memory as the sharer's
   *   console.log(await host.toTypedArray(array));
   * });
   * ```
   */
  openShared(
    ticket: Ticket | ThreadTicket,
    options: OpenSharedOptions = {},
  ): OwnedArray<HostArray> {
    const read = readOptions(options, OPEN_SHARED_OPTIONS);
    const { memory, descriptor } = openShared(this, ticket, read);
    return this.wrap(memory, descriptor);
  }

  /**
   * Takes over a column of Arrow's C Data Interface: integers, floats, timestamps, durations and
   * fixed_size_binary, or fixed_size_list of them, which become further axes. Copies no elements.
   * Does not block. The array is read-only, as Arrow's memory is.
   *
   * The structs are moved: what is at the two addresses counts as released from then on. Both are
   * released, on any thread, once the array and everything that borrows from it have ended. If this
   * throws, nothing was taken over, and the caller still has to release them. Nulls become the
   * array's mask, whose bits are the column's own; they are copied if the column's offset is not a
   * multiple of 8.
   *
   * Throws ERR_DTYPE_UNSUPPORTED with the column's format if no array can hold its elements (utf8,
   * bool, list, dictionaries, …); ERR_MASK for nulls among both lists and their elements;
   * ERR_DISPOSED if a struct was released before; ERR_POINTER_UNKNOWN or ERR_OUT_OF_BOUNDS if none
   * is there; ERR_ARGUMENT, ERR_TYPE, ERR_OVERFLOW, and what `asArray` throws.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * declare const schema: bigint; // where another library has written an ArrowSchema
   * declare const array: bigint; // and an ArrowArray
   * using column = host.fromArrow({ schema, array });
   * console.log(await column.toText()); // [1 -- 3]
   * ```
   */
  fromArrow(structs: ArrowStructs): OwnedArray<HostArray> {
    const { memory, descriptor } = fromArrow(this, structs);
    return this.wrap(memory, descriptor);
  }

  /**
   * Writes an array as a column of Arrow's C Data Interface, into the structs at two addresses: one
   * element, or fixed_size_list, for each index of the first axis. Copies no elements. Does not
   * block. A mask of bits becomes the column's validity.
   *
   * The reader releases both structs, on any thread. Memory of this backend, of capsules and of
   * columns stays until then, even if the array is disposed; memory that only a JavaScript object
   * keeps stays as long as this thread at most. Arrow's memory does not change: write nothing there
   * until the reader has released it. Nothing is written if this throws.
   *
   * Throws ERR_RANK_MISMATCH for an array without axes; ERR_STRIDE_UNIT unless it is C-contiguous;
   * ERR_DTYPE_UNSUPPORTED, ERR_BYTE_ORDER, ERR_MASK and ERR_OVERFLOW for what Arrow cannot hold;
   * ERR_NOT_ACCESSIBLE and ERR_POINTER_UNKNOWN for JavaScript memory; ERR_TYPE, ERR_ARGUMENT,
   * ERR_DISPOSED; ERR_PENDING while a kernel works on the elements; ERR_POINTER_UNKNOWN or
   * ERR_OUT_OF_BOUNDS if there is no room for the structs.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * declare const schema: bigint; // 72 bytes that another library reads as an ArrowSchema
   * declare const column: bigint; // 80 bytes that it reads as an ArrowArray
   * using matrix = await host.array([[1, 2], [3, 4]], { dtype: 'float64' });
   * host.toArrow(matrix, { schema, array: column }); // two lists of two numbers each
   * ```
   */
  toArrow(array: HostArray, structs: ArrowStructs): void {
    toArrow(array, structs);
  }

  /**
   * Makes a queue. Its work runs on at most `threads` threads. Throws ERR_ARGUMENT for a device
   * other than 0, or if `threads` is not 1 to 1024.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using queue = host.createQueue({ threads: 4 });
   * using pixels = host.empty([1024, 1024], 'float32', { queue });
   * await host.fill(pixels, 1); // on 4 threads
   * ```
   */
  createQueue(options: HostQueueOptions = {}): HostQueue {
    const { device, threads } = readOptions(options, QUEUE_OPTIONS);
    addon();
    checkDevice(device);
    return new HostQueue(threads);
  }

  /**
   * Describes how `copy` would run with these options: which axes merge; whether it is one memcpy,
   * long runs or tiles; how tiles are read and written. Reads and writes no elements, so
   * descriptors of memory that does not exist work too. Throws what `copy` rejects with.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using source = host.empty([1000, 1000], 'float32');
   * using destination = host.empty([1000, 1000], 'float32');
   * console.log(host.explainCopy(destination, source.permuteDims([1, 0])).way); // tiles
   * ```
   */
  explainCopy(
    destination: ArrayLike,
    source: ArrayLike,
    options: ExplainOptions = {},
  ): CopyExplanation {
    const read = readOptions(options, EXPLAIN_OPTIONS);
    const to = describeSource(destination, this.protocol, undefined, 'destination', this.name);
    const from = describeSource(source, this.protocol, undefined, 'source', this.name);
    return explainCopy(this.resolve(to), this.resolve(from), read);
  }

  /**
   * Settles once all work that this thread enqueued has ended. Rejects if `signal` is aborted
   * first.
   */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    throwIfAborted(signal);
    await abortable(ended(allPending()), signal);
  }

  /**
   * Copies any layout into any other, and broadcasts the source. Converts numbers and swaps bytes
   * as far as `casting` allows, with NumPy's results. A float that an integer cannot hold becomes
   * the nearest integer that it can hold; NaN becomes 0.
   *
   * The copy has ended when the promise settles. It runs before the call returns, unless it must
   * wait for a kernel in C. JavaScript memory is read before the call returns, unless such a kernel
   * writes it.
   *
   * Rejects before anything is written, with ERR_ARGUMENT, ERR_SHAPE_MISMATCH, ERR_CASTING,
   * ERR_READ_ONLY, ERR_MASK, ERR_SELF_OVERLAP, ERR_TOO_HARD, ERR_POINTER_UNKNOWN,
   * ERR_NOT_ACCESSIBLE or ERR_DISPOSED.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * const pixels = new Float32Array([1, 2, 3, 4, 5, 6]);
   * using reversed = host.empty([6], 'float32');
   * await host.copy(reversed, host.asArray(pixels).flip());
   * ```
   */
  override copy(
    destination: ArrayLike,
    source: ArrayLike,
    options?: HostCopyOptions,
  ): Promise<void> {
    return super.copy(destination, source, options);
  }

  /** Settles once the copy has ended. */
  protected override copyNow(
    destination: ArrayLike,
    source: ArrayLike,
    options: HostCopyOptions,
  ): Promise<void> | null {
    const count = countWork();
    const copied = super.copyNow(destination, source, options);
    return count === countWork() ? copied : untilCopied(copied, count, options.signal);
  }

  /**
   * Settles immediately: the host's kernels come with the package. Rejects if `signal` is aborted.
   */
  async whenKernelsReady(options: WaitOptions = {}): Promise<void> {
    throwIfAborted(readSignal(options));
  }

  /** Resolves JavaScript memory to its address. */
  protected override resolve(array: ArrayDescriptor): ArrayDescriptor {
    if (array.buffer === null) return array;
    const memory = HostMemory.ofBuffer(this, array.buffer);
    const pointer = memory.pointer + array.pointer;
    const resolved = replace(array, { pointer, buffer: null, owner: memory });
    internals(memory).assertHolds(resolved, 'data');
    return resolved;
  }

  /** A copy with its own `threads` runs on a queue made for it. */
  protected override resolveOptions(options: HostCopyOptions): CopyOptions {
    ownQueue(options.queue);
    if (options.threads === undefined) return options;
    const { threads, ...others } = options;
    return { ...others, queue: new HostQueue(threads) };
  }
}

/** Settles once a deferred copy has ended. An abort cancels the parts that have not begun. */
async function untilCopied(
  copied: Promise<void> | null,
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
 * This package's version; `unknown` in a bundle that was separated from the package. It is read on
 * demand, since an import would add a millisecond to loading.
 */
function version(): string {
  try {
    const require = createRequire(modulePath);
    return (require('@array-interface/host/package.json') as { version: string }).version;
  } catch {
    return 'unknown';
  }
}
