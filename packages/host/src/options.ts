import type { ArrayOptions, CopyOptions, EmptyOptions } from '@array-interface/core';

/** Options of a copy on the host: `casting`, `queue`, `signal` and the number of threads. */
export interface HostCopyOptions extends CopyOptions {
  /**
   * Maximum number of threads for the copy, including the calling thread: 1 to 1024. The other
   * threads end with the copy. A copy uses at most one thread for each MiB that it writes, and
   * fewer if the system refuses to start them. Default: the queue's `threads`.
   */
  readonly threads?: number;
}

/** Options of new memory on the host. */
export interface HostEmptyOptions extends EmptyOptions {
  /**
   * True to let `share` make tickets for other processes. The memory then lies in a memory-backed
   * file, which this process keeps open until the memory is freed. Linux only. Default: false.
   */
  readonly shareable?: boolean;
}

/** Options of a copy into new memory: where the memory is allocated, and how the copy runs. */
export interface HostArrayOptions extends HostEmptyOptions, HostCopyOptions, ArrayOptions {}
